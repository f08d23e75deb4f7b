import { randomUUID } from 'node:crypto'
import { fastify, LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyServerOptions } from 'fastify'
import { answerBrokenRequest, endConnectionsOnClose, createHttpServer, SERVER_LIMITS } from './server.ts'
import { answerError, answerErrors } from './answers/error-answer.ts'
import { readBodies, refuseBrokenAddresses } from './requests/bodies.ts'
import { senderOf, withinNetworks } from './callers/sender.ts'
import { watchWork } from './callers/wasted-work.ts'
import { refuseUnknownNames } from './requests/decode.ts'
import type { ServerLimits } from './server.ts'
import { sensitiveIn } from '../secrets/secret-in-text.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A high-volume route: successes are logged at debug only, as metrics count them. */
    isRoutine?: boolean
    /** A document or file for browsers: served in maintenance too. */
    isFile?: boolean
  }
}

const BODY_LIMIT_BYTES = 64 * 1024
/** Node's own limit for a request's first line and headers. */
const MAX_HEADER_BYTES = 16 * 1024

/**
 * Requests are parsed by Valibot's schemas (`requests/decode.ts`), so Fastify's compilers of JSON schemas, some 150 files, need not be
 * loaded. A route that has such a schema all the same fails at start.
 */
const noCompiler = () => {
  throw new Error('a route has a JSON schema, which nothing compiles')
}
const NO_COMPILERS = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } }

export interface AppOptions {
  limits?: ServerLimits
  /** The path that a request is answered by, where that is not its own. */
  rewriteUrl?: (request: RawRequest) => string
}

/** A request as Node hands it over. */
export type RawRequest = Parameters<NonNullable<FastifyServerOptions['rewriteUrl']>>[0]

/** The HTTP server without routes: limits, request ids, log lines, headers and error answers. */
export function createApp(
  log: FastifyBaseLogger,
  trustedProxies: readonly string[] = [],
  { limits = SERVER_LIMITS, rewriteUrl }: AppOptions = {},
): FastifyInstance {
  const isTrusted = withinNetworks(trustedProxies)
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEADER_BYTES },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: NO_COMPILERS,
    serverFactory: (handle) => createHttpServer(handle, limits, isTrusted),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
    ...(rewriteUrl !== undefined && { rewriteUrl }),
  })
  // Such as a connection for which the system has no memory. The caller of `listen` gets what keeps it from listening.
  app.server.on('error', (error) => {
    if (app.server.listening) log.error({ err: error }, 'a connection could not be accepted')
  })
  app.decorateRequest('sender', {
    getter() {
      return senderOf(this.raw, isTrusted)
    },
  })
  watchWork(app)
  answerErrors(app)
  readBodies(app)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers({
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    done()
  })
  refuseBrokenAddresses(app)
  refuseUnknownNames(app)
  logAnswers(app)
  endConnectionsOnClose(app)
  return app
}

/** A line for each answer. Those of routes that are asked all the time are lines of `debug`, unless they are errors. */
function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url, config } = request.routeOptions
    const isRoutine = config.isRoutine === true && reply.statusCode < 400
    request.log[isRoutine ? 'debug' : 'info'](
      {
        method: request.method,
        route: url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
    done()
  })
}

const ACCEPTABLE_ID = /^[\w.:-]{1,64}$/

/** The caller's `x-request-id` when it is fit to be logged, else a new one (contract §2). */
function requestIdOf(given: string | string[] | undefined): string {
  const isFit = typeof given === 'string' && ACCEPTABLE_ID.test(given) && sensitiveIn(given) === null
  return isFit ? given : randomUUID()
}
