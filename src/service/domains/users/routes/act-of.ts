import type { FastifyRequest } from 'fastify'
import type { DashboardAccess } from '../../../platform/domain.ts'
import { callerOf } from '../caller-of.ts'
import type { Act } from '../user-events.ts'

/** Who asks, and from where. The dashboard has checked what the route's `config` asks of that person. */
export type ActOf = (request: FastifyRequest) => Act

export const createActOf =
  ({ sessionOf }: Pick<DashboardAccess, 'sessionOf'>): ActOf =>
  (request) => ({ session: sessionOf(request), caller: callerOf(request) })
