import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { FindSession } from '../../platform/http/callers/session.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRateWindowStore } from '../../platform/rate-limits.ts'
import { findAccount, forgetOldPlaces } from './account-store.ts'
import { createAdministration } from './administration.ts'
import type { Administration } from './administration.ts'
import type { UsersDeps } from './deps.ts'
import { forgetEndedInvitations } from './invitation-store.ts'
import { forgetEndedChallenges } from './passkey-store.ts'
import { createPasswordHashes } from './password-hashes.ts'
import { addUserRoutes } from './routes.ts'
import { createSessionCookie } from './session-cookies.ts'
import { secretHashOf } from './one-time-secret.ts'
import { singleFlight } from '../../platform/concurrency/loading.ts'
import { findSession, forgetEndedSessions, markSeen } from './session-store.ts'
import { addSignInRoutes } from './sign-in-routes.ts'
import { createThrottle } from './throttle.ts'
import { relyingPartyOf } from './webauthn.ts'

interface ThrottleSettings {
  /** How long to wait for the database's count, in ms. */
  countTimeoutMs?: number | undefined
}

export interface Users {
  /** The session of a request, or null. Extends its idle time. */
  findSession: FindSession
  /** The same for requests that a page sends by itself, such as a live stream: the idle time stays. */
  recheckSession: FindSession
  /** The time zone that a person reads times in; null without such an account. */
  timeZoneOf: (userId: string) => Promise<string | null>
  administration: Administration
}

/** The dashboard's people: accounts, passwords, second factors, sessions and teams. */
export function usersDomain(platform: Platform, settings: ThrottleSettings): Domain<Users> {
  const { database, timeOfDay, config } = platform
  const deps = createUsersDeps(platform, settings)
  const cookie = createSessionCookie(config.dashboardUrl)
  // Requests that a page sends at once share one query.
  const find = singleFlight((tokenHash) => findSession(database, tokenHash))
  const findBy =
    (isActive: boolean): FindSession =>
    async (request) => {
      const token = cookie.read(request)
      const found = token === null ? null : await find(secretHashOf(token).toString('hex'))
      if (found === null) return null
      if (isActive && !found.isMarked) await markSeen(database, found.session.sessionId)
      return found.session
    }
  const forgetEnded = async () => {
    await forgetEndedSessions(database)
    await forgetEndedChallenges(database)
    await forgetEndedInvitations(database)
    await forgetOldPlaces(database)
  }
  const work = whenSteady(timeOfDay, PUT_RIGHT_MS, forgetEnded)
  return {
    api: {
      findSession: findBy(true),
      recheckSession: findBy(false),
      timeZoneOf: async (userId) => (await findAccount(database, userId))?.timeZone ?? null,
      administration: createAdministration({ ...deps, actor: 'service' }),
    },
    addRoutes: noRoutes,
    addDashboardRoutes: (app, access) => {
      addSignInRoutes(app, deps, cookie)
      const facts = { environment: config.environment, serviceUrl: config.baseUrl }
      addUserRoutes(app, access, deps, { cookie, facts })
    },
    jobs: [{ name: 'forget ended sessions', everyMs: 600_000, work }],
  }
}

function createUsersDeps(platform: Platform, { countTimeoutMs }: ThrottleSettings): UsersDeps {
  const { database, createId, textVault, timeOfDay, clock, log, config } = platform
  return {
    database,
    createId,
    textVault,
    timeOfDay,
    dashboardUrl: config.dashboardUrl,
    hashes: createPasswordHashes(),
    relyingParty: relyingPartyOf(config.dashboardUrl, config.environment),
    throttle: createThrottle({
      store: createRateWindowStore(database),
      clock,
      onFault: (error) => log.warn({ err: error }, 'tries to sign in are counted by each process alone'),
      timeoutMs: countTimeoutMs,
    }),
  }
}
