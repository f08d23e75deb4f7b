import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { FindSession } from '../../platform/http/callers/session.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createAdministration } from './administration.ts'
import type { Administration } from './administration.ts'
import { createDashboardRoutes } from './dashboard-routes.ts'
import { createStores } from './stores.ts'

interface Needs {
  writeEvent: WriteEvent
  /** How long the database is waited for when it counts for the throttle, in ms. */
  countTimeoutMs?: number | undefined
}

/** Who asks the dashboard. */
export interface Users {
  /** The session of a request; null without one. Extends its idle time. */
  findSession: FindSession
  /** The same for what a page asks by itself, such as a live stream that goes on: it does not extend the idle time. */
  recheckSession: FindSession
  /** In which a person reads times; null where there is no such account. */
  timeZoneOf: (userId: string) => Promise<string | null>
  administration: Administration
}

/** People who sign in to the dashboard: their sessions, passwords, second factors, and the merchants that they work for. */
export function usersDomain(platform: Platform, { writeEvent, ...needs }: Needs): Domain<Users> {
  const stores = createStores(platform, writeEvent)
  const { sessionReads, challenges, invitations, accounts } = stores
  const { addRoutes, cookie, ...parts } = createDashboardRoutes(platform, stores, needs)
  const { database, createId, timeOfDay } = platform
  const administration = createAdministration({ database, stores, createId, actor: 'service', ...parts })
  const findBy =
    (isActive: boolean): FindSession =>
    async (request) => {
      const token = cookie.read(request)
      return token === null ? null : sessionReads.find(token, isActive)
    }
  const forgetEnded = async () => {
    await sessionReads.forgetEnded()
    await challenges.forgetEnded()
    await invitations.forgetEnded()
    await accounts.forgetOldPlaces()
  }
  const work = whenSteady(timeOfDay, PUT_RIGHT_MS, forgetEnded)
  return {
    api: {
      findSession: findBy(true),
      recheckSession: findBy(false),
      timeZoneOf: async (userId) => (await accounts.find(userId))?.timeZone ?? null,
      administration,
    },
    addRoutes: noRoutes,
    addDashboardRoutes: addRoutes,
    jobs: [{ name: 'forget ended sessions', everyMs: 600_000, work }],
  }
}
