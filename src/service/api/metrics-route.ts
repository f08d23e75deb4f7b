import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../platform/errors.ts'
import { withinNetworks } from '../platform/http/callers/sender.ts'
import type { Operation } from '../platform/http/operation.ts'
import type { Metrics } from '../platform/metrics.ts'

interface Parts {
  metrics: Pick<Metrics, 'text' | 'contentType'>
  /** A bearer token that permits reading. Where none is set, callers on this machine or its network may read. */
  token: string | undefined
}

const operation: Operation = {
  id: 'getMetrics',
  group: 'Service',
  summary: 'Figures for Prometheus',
  description:
    'With `SVC_METRICS_TOKEN` for who sends it; without, for loopback and private addresses that come by no proxy.',
  key: 'metrics',
  isAlwaysServed: true,
  answers: [{ status: 200, words: "Prometheus' text format.", media: 'text/plain' }],
  errors: ['forbidden'],
}

/** `GET /metrics`, for the operator's eyes. */
export function addMetricsRoute(app: FastifyInstance, { metrics, token }: Parts): void {
  app.get(
    '/metrics',
    { config: { resourceType: 'metrics', operation, isRoutine: true } },
    async (request, reply) => {
      if (token === undefined) refuseStrangers(request)
      else refuseOthers(request, token)
      return reply.type(metrics.contentType).send(await metrics.text())
    },
  )
}

function refuseOthers({ headers }: FastifyRequest, token: string): void {
  const [scheme, given = ''] = (headers.authorization ?? '').split(' ', 2)
  if (scheme?.toLowerCase() === 'bearer' && timingSafeEqual(digest(given), digest(token))) return
  throw new ServiceError('unauthorized', 'Send SVC_METRICS_TOKEN in the header authorization: Bearer ….')
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A request that a proxy passed on comes from anywhere, although its own address is near. */
function refuseStrangers(request: FastifyRequest): void {
  const isPassedOn = Object.keys(request.headers).some((name) => OF_PROXIES.test(name))
  if (!isPassedOn && isNear(request.socket.remoteAddress ?? '')) return
  throw new ServiceError(
    'forbidden',
    'Figures are for this machine and its network. Set SVC_METRICS_TOKEN to read them from elsewhere.',
  )
}

/** What proxies and CDNs write into what they pass on, by the names that are in use (RFC 7239, RFC 9110 §7.6.3). */
const OF_PROXIES =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-original-.+|x-(?:real|client|cluster-client)-ip|(?:true|fastly)-client-ip|cf-.+|cdn-.+|x-envoy-.+|x-amzn?-.+|x-azure-.+|x-appengine-.+|x-cloud-trace-context|x-proxy(?:user)?-.+)$/

/** Loopback (RFC 1122, RFC 4291), private (RFC 1918, RFC 4193) and link-local addresses (RFC 3927, RFC 4291). */
const isNear = withinNetworks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
])
