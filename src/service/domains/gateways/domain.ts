import { randomUUID } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'
import { createHttpClient, toldSend } from '../../platform/outbound/http-client.ts'
import { tracedSend } from '../../platform/tracing.ts'
import { createCheckGateway } from './check-gateway.ts'
import type { CheckGateway } from './check-gateway.ts'
import { enteredCredentials } from './entered-credentials.ts'
import type { EnteredCredentials } from './entered-credentials.ts'
import type { Gateway } from './gateway.ts'
import { createGatewayFinder } from './gateway-finder.ts'
import type { FindGateway } from './gateway-finder.ts'
import { openSandbox } from './sandbox/sandbox-gateway.ts'
import { timedGateway } from './timed-gateway.ts'
import { tracedGateway } from './traced-gateway.ts'

interface Needs {
  credentialsOf: (merchantId: string, gatewayId: string) => Promise<unknown>
  /** Adapters by the type of gateway they speak to, beside or in place of the built-in ones. */
  adapters?: Readonly<Record<string, Gateway>> | undefined
  /** How long a sale may be under way to a gateway that can't be asked for it, in ms; each adapter knows its own. */
  settleMs?: number | undefined
}

/** Longer than any caller waits: the caller ends the call by its signal. */
const MAX_CALL_MS = 10_000
const MAX_ANSWER_BYTES = 1_000_000
/** How long a connection to a gateway is kept for the next call: less than a gateway's own servers keep it. */
const IDLE_MS = 30_000

interface Gateways {
  adapterOf: FindGateway
  check: CheckGateway
  /** What a person enters for a gateway, fit to be kept; else a fault, by its field. */
  enteredCredentials: (type: string, credentials: unknown) => EnteredCredentials
}

/** The gateways of this installation; in production the sandbox is not one of them. No routes, no jobs. */
export function gatewaysDomain(
  platform: Platform,
  { credentialsOf, adapters, settleMs }: Needs,
): { api: Gateways } {
  const { config, database, log, metrics, tracer, clock } = platform
  const sandbox = openSandbox(database, config.sandboxHoldSeconds)
  const isSandbox = config.environment === 'sandbox'
  const client = createHttpClient({
    timeoutMs: MAX_CALL_MS,
    maxBytes: MAX_ANSWER_BYTES,
    wants: 'whole answer',
    idleMs: IDLE_MS,
    proxy: config.proxies.gateways,
  })
  const adapterOf = createGatewayFinder({
    adapters: { ...(config.environment !== 'production_svc' && { sandbox }), ...adapters },
    credentialsOf,
    returnUrl: config.baseUrl,
    createKey: randomUUID,
    onFault: (error) => log.error({ err: error }, 'a gateway refuses us'),
    watch: (type, gateway) =>
      tracedGateway(
        tracer,
        type,
        timedGateway(gateway, (step) => metrics.timeMovement(type, step)),
      ),
    settleMs,
    send: toldSend(
      { clock, tell: (facts, words) => log.warn(facts, words), whose: 'a gateway' },
      tracedSend(tracer, client),
    ),
  })
  return {
    api: {
      adapterOf,
      check: createCheckGateway(adapterOf),
      enteredCredentials: (type, credentials) => enteredCredentials(type, credentials, isSandbox),
    },
  }
}
