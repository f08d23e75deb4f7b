import type { FastifyInstance } from 'fastify'
import type { Authorize } from './http/callers/access-token.ts'
import type { Authenticate } from './http/callers/authenticate.ts'
import type { FrameAccess } from './http/callers/frame-access.ts'
import type { Check } from './http/health-route.ts'
import type { CountWrongKey } from './http/callers/wrong-keys.ts'
import type { AnswerOnce } from './idempotency/answer-once.ts'
import type { Job } from './jobs/repeat.ts'

/** What routes need beside their domain's use cases. */
export interface RouteAccess {
  authenticate: Authenticate<{ id: string; preAuth: boolean }>
  /** Whose access token a request carries, and whether it has a scope. */
  authorize: Authorize
  countWrongKey: CountWrongKey
  answerOnce: AnswerOnce
  frameAccess: FrameAccess
}

/** What each `domain.ts` returns: what other domains may call, its routes, and its background jobs. */
export interface Domain<Api> {
  api: Api
  addRoutes: (app: FastifyInstance, access: RouteAccess) => void
  jobs: readonly Job[]
  /** What it needs outside of the service, by the names under which `/health` shows it. */
  checks?: Readonly<Record<string, Check>>
}

/** For a domain that has no routes. */
export const noRoutes = (): void => undefined
