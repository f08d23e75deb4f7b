import type { FastifyInstance } from 'fastify'
import type { DashboardAccess } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRateWindowStore } from '../../platform/rate-limits/rate-window-store.ts'
import { createCeremonies } from './passkeys/ceremonies.ts'
import { relyingPartyOf } from './passkeys/relying-party.ts'
import { createChoosePassword } from './passwords/choose-password.ts'
import { createPasswordHashes } from './passwords/hash-passwords.ts'
import { createActOf } from './routes/act-of.ts'
import { addPasskeyRoutes } from './routes/passkey-routes.ts'
import { addSessionListRoutes } from './routes/session-list-routes.ts'
import { addSessionRoutes } from './routes/session-routes.ts'
import { addSignInRoutes } from './routes/sign-in-routes.ts'
import { addTeamRoutes } from './routes/team-routes.ts'
import { addUserRoutes } from './routes/user-routes.ts'
import { createSessionCookie } from './sessions/session-cookie.ts'
import { createOwnPasskeys } from './settings/own-passkeys.ts'
import { createOwnPassword } from './settings/own-password.ts'
import { createOwnSessions } from './settings/own-sessions.ts'
import { createOwnTotp } from './settings/own-totp.ts'
import { createCheckPassword } from './sign-in/check-password.ts'
import { createNoteFailure } from './sign-in/failed-sign-in.ts'
import { createLetIn } from './sign-in/let-in.ts'
import { createPasskeySignIns } from './sign-in/passkey-sign-in.ts'
import { createGiveSecondFactor } from './sign-in/second-factor.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createThrottle } from './sign-in/throttle.ts'
import type { Stores } from './stores.ts'
import { createToAcceptance } from './team/acceptance.ts'
import { createInvitations } from './team/invitations.ts'
import { createInvite } from './team/invite.ts'
import { createJoinTeam } from './team/join-team.ts'
import { createTeam } from './team/team.ts'

interface Needs {
  /** How long the database is waited for when it counts for the throttle, in ms. */
  countTimeoutMs?: number | undefined
}

/** Puts the routes of log-in together: on the dashboard's app, with its cookie. */
export function createLogIn(platform: Platform, stores: Stores, needs: Needs) {
  const tools = createTools(platform, stores, needs)
  const entry = createEntry(platform, stores, tools)
  const own = createOwn(platform, stores, tools)
  const { config, database, createId } = platform
  const { sessionReads, sessionChanges, members, invitations, addActEvent } = stores
  const { dashboardUrl } = config
  const cookie = createSessionCookie(dashboardUrl)
  const invite = createInvite({ store: invitations, createId, dashboardUrl })
  const team = createTeam({
    database,
    members,
    invitations,
    invite,
    sessions: sessionChanges,
    addActEvent,
  })
  const around = { environment: config.environment, serviceUrl: config.baseUrl }
  return {
    cookie,
    hashes: tools.hashes,
    invite,
    addRoutes: (app: FastifyInstance, access: DashboardAccess): void => {
      const actOf = createActOf(access)
      addSignInRoutes(app, cookie, entry)
      addSessionRoutes(app, { cookie, actOf }, { accounts: stores.accounts, ...own, ...around })
      addSessionListRoutes(app, { cookie, actOf }, { sessions: sessionReads, ...own })
      addUserRoutes(app, { cookie, actOf }, own)
      addPasskeyRoutes(app, { actOf, ...own })
      addTeamRoutes(app, actOf, { team, members, invitations })
    },
  }
}

function createTools({ database, clock, log, config }: Platform, stores: Stores, needs: Needs) {
  const hashes = createPasswordHashes()
  const throttle = createThrottle({
    store: createRateWindowStore(database),
    clock,
    onFault: (error) => log.warn({ err: error }, 'tries to log in are counted by each process alone'),
    timeoutMs: needs.countTimeoutMs,
  })
  const party = relyingPartyOf(config.dashboardUrl, config.environment)
  return {
    hashes,
    throttle,
    party,
    choose: createChoosePassword(hashes),
    ceremonies: createCeremonies(party, stores.challenges),
  }
}

type Tools = ReturnType<typeof createTools>

/** What somebody does who is not signed in. */
function createEntry({ database, createId, timeOfDay }: Platform, stores: Stores, tools: Tools) {
  const { accounts, sessionReads, sessionChanges, totp, passkeys, members, invitations, addEvent } = stores
  const noteFailure = createNoteFailure(database, addEvent)
  const joinTeam = createJoinTeam({ invitations, members, addEvent })
  const letIn = createLetIn({ accounts, sessions: sessionChanges, joinTeam, addEvent })
  const checkPassword = createCheckPassword({ accounts, noteFailure, ...tools })
  const toAcceptance = createToAcceptance({
    accounts,
    invitations,
    sessions: sessionChanges,
    checkPassword,
    createId,
    addEvent,
    ...tools,
  })
  const shared = { database, letIn, noteFailure, sessions: sessionReads, ...tools }
  return {
    signIn: createSignIn({ checkPassword, ...shared }),
    giveSecondFactor: createGiveSecondFactor({ totp, timeOfDay, ...shared }),
    passkeySignIns: createPasskeySignIns({ accounts, passkeys, ...shared }),
    invitations: createInvitations({ store: invitations, toAcceptance, ...shared }),
  }
}

/** What a person who is signed in does with what is the person's own. */
function createOwn({ database, createId, timeOfDay }: Platform, stores: Stores, tools: Tools) {
  const { accounts, sessionChanges: sessions, totp, passkeys, addActEvent } = stores
  const shared = { database, accounts, sessions, addActEvent, ...tools }
  return {
    ownPassword: createOwnPassword(shared),
    ownSessions: createOwnSessions(shared),
    ownTotp: createOwnTotp({ totp, timeOfDay, issuer: tools.party.name, ...shared }),
    ownPasskeys: createOwnPasskeys({ passkeys, createId, ...shared }),
  }
}
