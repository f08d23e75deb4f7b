import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createHttpClient, toldSend } from '../../platform/outbound/http-client.ts'
import { tracedSend } from '../../platform/tracing.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  adapterOf,
  checkEntered,
  checkGateway,
  enteredCredentials,
  gatewayKindOf,
  gatewayTypes,
  replacedKey,
  shownAccount,
} from './gateway-accounts.ts'
import type { EnteredCredentials, GatewayAccount, GatewaysDeps } from './gateway-accounts.ts'
import type { AccountCredentials, Authentication, Disputes, Gateway, NotificationSetup } from './gateway.ts'
import { tellOfDisputes } from './sandbox-disputes.ts'
import type { SandboxNews } from './sandbox-disputes.ts'
import { addSandboxBankRoutes } from './sandbox-bank/bank-routes.ts'
import { createSandboxGateway } from './sandbox-gateway.ts'
import type { Tracer } from '../../platform/tracing.ts'

interface GatewaysNeeds extends Pick<GatewaysDeps, 'credentialsOf' | 'settleMs'> {
  /** Hears what the sandbox tells of its own accord. */
  keepSandboxNews: (told: SandboxNews) => Promise<unknown>
  /** Adapters by the type of gateway they speak to, beside or in place of the built-in ones. */
  adapters?: Readonly<Record<string, Gateway>> | undefined
}

/** What other domains may call of gateways. */
interface GatewaysApi {
  adapterOf: (account: GatewayAccount) => Promise<Gateway>
  check: (account: GatewayAccount) => ReturnType<typeof checkGateway>
  types: typeof gatewayTypes
  /** Whether disputes at a type of gateway are answered here. */
  canAnswerDisputes: (type: string) => boolean
  enteredCredentials: (type: string, credentials: unknown) => EnteredCredentials
  checkEntered: (type: string, account: AccountCredentials) => ReturnType<typeof checkEntered>
  replacedKey: (
    type: string,
    kept: unknown,
    next: Pick<AccountCredentials, 'api_key' | 'base_url'>,
  ) => EnteredCredentials
  shownAccount: typeof shownAccount
  /** How notifications are set up at a type of gateway; null if it sends none. */
  setupOf: (type: string) => NotificationSetup | null
  /** Adds the pages of the sandbox's bank to an app of its own; null where it is not served. */
  addBankRoutes: ((app: FastifyInstance) => void) | null
}

/** Longer than any caller waits: the caller ends the call by its signal. */
const MAX_CALL_MS = 10_000
const MAX_ANSWER_BYTES = 1_000_000
/** How long a connection to a gateway is kept for the next call: less than a gateway's own servers keep it. */
const IDLE_MS = 30_000

/** The gateways of this installation; in production the sandbox is not one of them. It tells of the sandbox's disputes. */
export function gatewaysDomain(
  platform: Platform,
  { credentialsOf, adapters, settleMs, keepSandboxNews }: GatewaysNeeds,
): Domain<GatewaysApi> {
  const { config, database, log, metrics, tracer, clock } = platform
  const { sandboxBankUrl: bankUrl } = config
  const sandbox = createSandboxGateway(database, config.sandboxHoldSeconds, { bankUrl })
  const isSandbox = config.environment === 'sandbox'
  const client = createHttpClient({
    timeoutMs: MAX_CALL_MS,
    maxBytes: MAX_ANSWER_BYTES,
    wants: 'whole answer',
    idleMs: IDLE_MS,
    proxy: config.proxies.gateways,
  })
  const watch = (type: string, gateway: Gateway) =>
    watchedGateway(gateway, type, tracer, (step) => metrics.timeMovement(type, step))
  const served = { ...(config.environment !== 'production_svc' && { sandbox }), ...adapters }
  const deps: GatewaysDeps = {
    adapters: new Map(Object.entries(served).map(([type, gateway]) => [type, watch(type, gateway)])),
    credentialsOf,
    returnUrl: config.baseUrl,
    createKey: randomUUID,
    onFault: (error) => log.error({ err: error }, 'a gateway refuses us'),
    watch,
    settleMs,
    send: toldSend(
      { clock, tell: (facts, words) => log.warn(facts, words), whose: 'a gateway' },
      tracedSend(tracer, client),
    ),
  }
  const isServed = served.sandbox === sandbox
  const tell = () => tellOfDisputes(database, keepSandboxNews)
  return {
    api: {
      adapterOf: (account: GatewayAccount) => adapterOf(deps, account),
      check: (account: GatewayAccount) => checkGateway(deps, account),
      types: gatewayTypes,
      canAnswerDisputes: (type: string) => type === 'sandbox' || gatewayKindOf(type)?.can.disputes === true,
      enteredCredentials: (type: string, credentials: unknown) =>
        enteredCredentials(type, credentials, isSandbox),
      checkEntered: (type, account) => checkEntered(deps, type, account),
      replacedKey: (type, kept, next) => replacedKey(type, kept, next, isSandbox),
      shownAccount,
      setupOf: (type) => gatewayKindOf(type)?.setup ?? null,
      addBankRoutes:
        isServed && bankUrl !== null ? (app) => addSandboxBankRoutes(app, { database, bankUrl }) : null,
    },
    addRoutes: noRoutes,
    jobs: isServed ? [{ name: 'tell of sandbox disputes', everyMs: 2000, work: tell }] : [],
  }
}

/** Starts timing a call; what it returns takes the kind of the answer and ends it. */
type StartTimer = (step: string) => (outcome: string) => void

/**
 * The same gateway with each movement timed, by the kind of its answer or as `fault`, and each call traced by a span, the parent of its requests. Spans
 * hold nothing of a card.
 */
function watchedGateway(
  gateway: Gateway,
  type: string,
  tracer: Tracer | null,
  startTimer: StartTimer,
): Gateway {
  const timed = async <Answer extends { kind: string }>(step: string, call: () => Promise<Answer>) => {
    const stop = startTimer(step)
    try {
      const answer = await call()
      stop(answer.kind)
      return answer
    } catch (error) {
      stop('fault')
      throw error
    }
  }
  const traced = async <Answer extends { kind: string }>(
    step: string,
    facts: Record<string, string>,
    call: () => Promise<Answer>,
  ): Promise<Answer> => {
    if (tracer === null) return call()
    const span = tracer.begin('client', `gateway ${step}`)
    span.add({ 'svc.gateway': type, ...facts })
    try {
      const answer = await span.within(call)
      span.add({ 'svc.outcome': answer.kind })
      span.end({ hasFailed: answer.kind === 'unknown' || answer.kind === 'unreachable' })
      return answer
    } catch (error) {
      span.end({ hasFailed: true })
      throw error
    }
  }
  const watched = <Answer extends { kind: string }>(
    step: string,
    attemptId: string,
    call: () => Promise<Answer>,
  ) => traced(step, { 'svc.attempt_id': attemptId }, () => timed(step, call))
  return {
    ...gateway,
    authorise: (request) =>
      watched(request.capture ? 'sale' : 'authorisation', request.attemptId, () =>
        gateway.authorise(request),
      ),
    capture: (request) => watched('capture', request.attemptId, () => gateway.capture(request)),
    cancel: (request) => watched('cancel', request.attemptId, () => gateway.cancel(request)),
    refund: (request) => watched('refund', request.attemptId, () => gateway.refund(request)),
    outcomeOf: (request) => watched('inquiry', request.attemptId, () => gateway.outcomeOf(request)),
    ...(gateway.authentication && { authentication: watchedAuthentication(gateway.authentication, watched) }),
    ...(gateway.disputes && { disputes: tracedDisputes(gateway.disputes, traced) }),
  }
}

/** Money may move by an authentication's end: it is timed as a movement is. */
function watchedAuthentication({ finish, abandon }: Authentication, watched: Watch): Authentication {
  return {
    finish: (request) => watched('authentication', request.attemptId, () => finish(request)),
    abandon: (request) => watched('abandonment', request.attemptId, () => abandon(request)),
  }
}

type Watch = <Answer extends { kind: string }>(
  step: string,
  attemptId: string,
  call: () => Promise<Answer>,
) => Promise<Answer>

type Trace = <Answer extends { kind: string }>(
  step: string,
  facts: Record<string, string>,
  call: () => Promise<Answer>,
) => Promise<Answer>

/** No money moves by them: they are traced, and not among the movements that are timed. */
function tracedDisputes({ takes, defencesOf, accept, defend }: Disputes, traced: Trace): Disputes {
  const factsOf = (disputeId: string) => ({ 'svc.gateway_dispute_id': disputeId })
  return {
    takes,
    defencesOf: (request) => traced('defences', factsOf(request.disputeId), () => defencesOf(request)),
    accept: (request) => traced('acceptance', factsOf(request.disputeId), () => accept(request)),
    defend: (request) => traced('defence', factsOf(request.disputeId), () => defend(request)),
  }
}
