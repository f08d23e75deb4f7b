import type { FastifyInstance } from 'fastify'
import type { DashboardAccess } from '../../platform/domain.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRateWindowStore } from '../../platform/rate-limits.ts'
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
import { createDeviceCookie, createSessionCookie } from './sessions/session-cookie.ts'
import { createLockOwnAccount } from './settings/lock-own-account.ts'
import { createOwnPasskeys } from './settings/own-passkeys.ts'
import { createOwnPassword } from './settings/own-password.ts'
import { createOwnSessions } from './settings/own-sessions.ts'
import { createOwnTotp } from './settings/own-totp.ts'
import { createCheckPassword } from './sign-in/check-password.ts'
import { createRecordFailure } from './sign-in/failed-sign-in.ts'
import { createLetIn } from './sign-in/let-in.ts'
import { createPasskeySignIns } from './sign-in/passkey-sign-in.ts'
import { createGiveSecondFactor } from './sign-in/second-factor.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createThrottle } from './sign-in/throttle.ts'
import type { Stores } from './stores.ts'
import { createPlanAcceptance } from './team/acceptance.ts'
import { createInvitations } from './team/invitations.ts'
import { createInvite } from './team/invite.ts'
import { createJoinTeam } from './team/join-team.ts'
import { createTeam } from './team/team.ts'

interface Needs {
  /** How long the database is waited for when it counts for the throttle, in ms. */
  countTimeoutMs?: number | undefined
}

/** Puts together the routes of people on the dashboard: signing in, their sessions, their own settings and the team. */
export function createDashboardRoutes(platform: Platform, stores: Stores, needs: Needs) {
  const shared = createSharedParts(platform, stores, needs)
  const entry = createEntry(platform, stores, shared)
  const { ownPassword, ownSessions, ownTotp, ownPasskeys } = createOwn(platform, stores, shared)
  const { config, database, createId } = platform
  const { accounts, sessionReads, sessionChanges, members, invitations, addActEvent } = stores
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
  return {
    cookie,
    hashes: shared.hashes,
    invite,
    addRoutes: (app: FastifyInstance, access: DashboardAccess): void => {
      const actOf = createActOf(access)
      addSignInRoutes(app, { cookie, deviceCookie: createDeviceCookie(dashboardUrl) }, entry)
      addSessionRoutes(
        app,
        { cookie, actOf },
        {
          accounts,
          ownSessions,
          ownPassword,
          environment: config.environment,
          serviceUrl: config.baseUrl,
        },
      )
      addSessionListRoutes(app, { cookie, actOf }, { sessions: sessionReads, ownSessions })
      addUserRoutes(app, { cookie, actOf }, { ownPassword, ownSessions, ownTotp })
      addPasskeyRoutes(app, { actOf, ownPasskeys })
      addTeamRoutes(app, actOf, { team, members, invitations })
    },
  }
}

function createSharedParts({ database, clock, log, config }: Platform, stores: Stores, needs: Needs) {
  const hashes = createPasswordHashes()
  const throttle = createThrottle({
    store: createRateWindowStore(database),
    clock,
    onFault: (error) => log.warn({ err: error }, 'tries to sign in are counted by each process alone'),
    timeoutMs: needs.countTimeoutMs,
  })
  const relyingParty = relyingPartyOf(config.dashboardUrl, config.environment)
  return {
    hashes,
    throttle,
    relyingParty,
    choose: createChoosePassword(hashes),
    ceremonies: createCeremonies(relyingParty, stores.challenges),
  }
}

type SharedParts = ReturnType<typeof createSharedParts>

/** What somebody does who is not signed in. */
function createEntry({ database, createId, timeOfDay }: Platform, stores: Stores, shared: SharedParts) {
  const {
    accounts,
    sessionReads: sessions,
    sessionChanges,
    totp,
    passkeys,
    members,
    invitations,
    addEvent,
  } = stores
  const { hashes, throttle, choose, ceremonies } = shared
  const recordFailure = createRecordFailure(database, addEvent)
  const joinTeam = createJoinTeam({ invitations, members, addEvent })
  const letIn = createLetIn({ accounts, sessions: sessionChanges, joinTeam, addEvent })
  const checkPassword = createCheckPassword({ accounts, hashes, throttle, recordFailure })
  const planAcceptance = createPlanAcceptance({
    accounts,
    invitations,
    sessions: sessionChanges,
    checkPassword,
    choose,
    createId,
    addEvent,
  })
  return {
    countTry: throttle.address,
    countSecondFactor: throttle.addressOfSecondFactor,
    signIn: createSignIn({ database, checkPassword, letIn, recordFailure }),
    giveSecondFactor: createGiveSecondFactor({
      database,
      sessions,
      totp,
      throttle,
      timeOfDay,
      letIn,
      recordFailure,
    }),
    passkeySignIns: createPasskeySignIns({
      database,
      accounts,
      passkeys,
      ceremonies,
      sessions,
      letIn,
      recordFailure,
    }),
    invitations: createInvitations({ database, store: invitations, planAcceptance, letIn }),
  }
}

/** What a person who is signed in changes of their own account. */
function createOwn({ database, createId, timeOfDay }: Platform, stores: Stores, shared: SharedParts) {
  const { accounts, sessionChanges: sessions, totp, passkeys, addActEvent } = stores
  const { hashes, throttle, choose, relyingParty, ceremonies } = shared
  const lockOwnAccount = createLockOwnAccount({ accounts, sessions })
  return {
    ownPassword: createOwnPassword({ database, accounts, hashes, choose, sessions, throttle, addActEvent }),
    ownSessions: createOwnSessions({ database, accounts, sessions, addActEvent }),
    ownTotp: createOwnTotp({
      database,
      lockOwnAccount,
      totp,
      throttle,
      timeOfDay,
      issuer: relyingParty.name,
      addActEvent,
    }),
    ownPasskeys: createOwnPasskeys({ database, lockOwnAccount, passkeys, ceremonies, createId, addActEvent }),
  }
}
