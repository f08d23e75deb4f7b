import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Authorize } from './http/callers/access-token.ts'
import type { Authenticate } from './http/callers/authenticate.ts'
import type { FrameAccess } from './http/callers/frame-access.ts'
import type { FindSession, Session } from './http/callers/session.ts'
import type { CountWrongKey } from './http/callers/admission.ts'
import type { AnswerIdempotently } from './idempotency.ts'
import type { AppOptions } from './http/app.ts'
import type { Job } from './jobs/job.ts'

/** What the routes of a merchant's server need beside their domain's use cases. */
export interface MerchantAccess {
  /**
   * Whose request it is: by a key, or on the dashboard by the session of a user, whose id it then has. `readsOnly`: one who may
   * change nothing, and so is shown nothing that a payment could be made with.
   */
  authenticate: Authenticate<{ id: string; preAuth: boolean; userId?: string; readsOnly?: boolean }>
  /** Whose access token a request carries, and whether it has a scope; on the dashboard by a session. */
  authorize: Authorize
  answerIdempotently: AnswerIdempotently
}

/** What routes of the REST API need beside their domain's use cases. */
export interface RouteAccess extends MerchantAccess {
  countWrongKey: CountWrongKey
  frameAccess: FrameAccess
}

/** What routes of the dashboard need beside their domain's use cases. */
export interface DashboardAccess {
  /** Who asks; fails on a route that is open to those who are not signed in. */
  sessionOf: (request: FastifyRequest) => Session
  /** Looks the session of a request up again while it is being answered; null once it has ended. Does not extend its idle time. */
  recheckSession: FindSession
  /** Wrong passwords and codes count as wrong keys do. */
  countWrongKey: CountWrongKey
}

/** The apps of this process: the merchants' API and the dashboard. Each stands behind the same checks. */
export interface GuardedApps {
  /** An app without routes: metrics, maintenance, rate limits by address, and overload come before every route. */
  create: (options?: AppOptions) => FastifyInstance
  /** Wrong keys, tokens and passwords of an address count together, in all apps and processes. */
  countWrongKey: CountWrongKey
  answerIdempotently: AnswerIdempotently
  jobs: readonly Job[]
}

/** Checks one thing that the service depends on; rejects while it is down. */
export type Check = () => Promise<unknown>

/** What each `domain.ts` returns: what other domains may call, its routes, and its background jobs. */
export interface Domain<Api> {
  api: Api
  /** What a merchant's server does. The REST API serves it to programs, and the dashboard to people. */
  addMerchantRoutes?: (app: FastifyInstance, access: MerchantAccess) => void
  /** What the REST API alone serves: to payers' pages, to anyone, and to the operator. */
  addRoutes: (app: FastifyInstance, access: RouteAccess) => void
  /** What the dashboard alone serves, under `/api`. Each route names its `permission`. */
  addDashboardRoutes?: (app: FastifyInstance, access: DashboardAccess) => void
  jobs: readonly Job[]
  /** What it needs outside of the service, by the names under which `/health` shows it. */
  checks?: Readonly<Record<string, Check>>
}

/** For a domain that has no routes. */
export const noRoutes = (): void => undefined
