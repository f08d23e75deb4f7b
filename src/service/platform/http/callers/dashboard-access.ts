import type { FastifyRequest } from 'fastify'

/** Who asks on the dashboard's API: a person, and the merchant that the session is for. */
export interface DashboardSession {
  merchantId: string
  userId: string
}

/** What the routes of the dashboard's API need of its log-in. */
export interface DashboardAccess {
  /** Whose session a request carries; throws `unauthorized`, or `forbidden` where its role may not do this. */
  sessionOf: (request: FastifyRequest, permission: 'read') => Promise<DashboardSession>
  /** Whether the session of a request that is still being answered goes on. To be asked is no use of the session. */
  isSessionOpen: (request: FastifyRequest) => Promise<boolean>
}
