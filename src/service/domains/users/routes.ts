import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { Identifier } from '../../../contract/api/fields/identifier.ts'
import { NewPasskey } from '../../../contract/dashboard/people/passkey.ts'
import type { PasskeyOptions } from '../../../contract/dashboard/people/passkey.ts'
import { MerchantChoice } from '../../../contract/dashboard/people/session-view.ts'
import { NoContent, PasswordConfirmation } from '../../../contract/dashboard/people/sign-in.ts'
import type { ConfirmedView } from '../../../contract/dashboard/people/sign-in.ts'
import { InvitationRequest, RoleChange } from '../../../contract/dashboard/people/team.ts'
import type { MadeInvitation, TeamView } from '../../../contract/dashboard/people/team.ts'
import {
  PasswordChange,
  TotpConfirmation,
  UserChange,
} from '../../../contract/dashboard/people/user-settings.ts'
import type { RecoveryCodes } from '../../../contract/dashboard/people/user-settings.ts'
import type { DashboardAccess } from '../../platform/domain.ts'
import { answer } from '../../platform/http/answers/answer.ts'
import { notSignedIn } from '../../platform/http/callers/session.ts'
import { decode } from '../../platform/http/requests/decode.ts'
import { findAccount, merchantsOfUser } from './account-store.ts'
import { changeOwnAccount } from './accounts.ts'
import type { UsersDeps } from './deps.ts'
import { listInvitations } from './invitation-store.ts'
import { listMembers, listPeople } from './member-store.ts'
import { listPasskeys } from './passkey-store.ts'
import { addOwnPasskey, passkeyOptions, removeOwnPasskey } from './passkeys.ts'
import { changePassword, confirmPassword } from './passwords.ts'
import { confirmTotp, offerTotp, removeTotp, renewRecoveryCodes } from './second-factors.ts'
import type { Cookie } from './session-cookies.ts'
import { listSessions } from './session-store.ts'
import { chooseMerchant, endOwnSession, signOut, signOutEverywhere } from './sessions.ts'
import { changeRole, inviteMember, removeFromTeam, revokeInvitationOfTeam } from './team.ts'
import { requesterOf } from './user-context.ts'
import type { UserContext } from './user-context.ts'
import {
  toInvitationView,
  toMadePasskey,
  toMemberView,
  toNamedPerson,
  toPasskeyView,
  toSessionEntry,
  toSessionView,
} from './user-resource.ts'

/** What the session's view says about the service. */
interface ServiceFacts {
  environment: string
  serviceUrl: string
}

type ContextOf = (request: FastifyRequest) => UserContext

/** The routes of signed-in people: their session, account and team. */
export function addUserRoutes(
  app: FastifyInstance,
  { sessionOf }: Pick<DashboardAccess, 'sessionOf'>,
  deps: UsersDeps,
  { cookie, facts }: { cookie: Cookie; facts: ServiceFacts },
): void {
  const contextOf: ContextOf = (request) => ({
    session: sessionOf(request),
    requester: requesterOf(request),
  })
  addSessionRoutes(app, deps, contextOf, { cookie, facts })
  addSessionListRoutes(app, deps, contextOf, cookie)
  addAccountRoutes(app, deps, contextOf, cookie)
  addPasskeyRoutes(app, deps, contextOf)
  addTeamRoutes(app, deps, contextOf)
}

const Params = v.object({ id: Identifier })

const ownSession = { config: { resourceType: 'session', permission: 'own_account' } } as const

function addSessionRoutes(
  app: FastifyInstance,
  deps: UsersDeps,
  contextOf: ContextOf,
  { cookie, facts }: { cookie: Cookie; facts: ServiceFacts },
): void {
  app.get('/api/session', ownSession, async (request, reply) => {
    const { session } = contextOf(request)
    const account = await findAccount(deps.database, session.user.id)
    if (account === null) throw notSignedIn()
    const merchants = await merchantsOfUser(deps.database, session.user.id)
    return answer(reply, 200, 'session', toSessionView(session, { account, merchants, ...facts }))
  })

  app.delete('/api/session', ownSession, async (request, reply) => {
    await signOut(deps, contextOf(request))
    cookie.clear(reply)
    return answer(reply, 200, 'session', null)
  })

  app.post('/api/session/confirm', ownSession, async (request, reply) => {
    const context = contextOf(request)
    const { password } = decode(PasswordConfirmation, request.body, ['password'])
    const freshUntil = await confirmPassword(deps, context, password)
    const view: ConfirmedView = { fresh_until: freshUntil.toISOString() }
    return answer(reply, 201, 'session', view)
  })

  app.post('/api/session/merchant', ownSession, async (request, reply) => {
    const context = contextOf(request)
    await chooseMerchant(deps, context, decode(MerchantChoice, request.body).id)
    return answer(reply, 201, 'session', null)
  })
}

function addSessionListRoutes(
  app: FastifyInstance,
  deps: UsersDeps,
  contextOf: ContextOf,
  cookie: Cookie,
): void {
  app.get('/api/sessions', ownSession, async (request, reply) => {
    const { session } = contextOf(request)
    const listed = await listSessions(deps.database, session.user.id)
    const entries = listed.map((one) => toSessionEntry(one, session.sessionId))
    return answer(reply, 200, 'session', entries)
  })

  app.delete('/api/sessions', ownSession, async (request, reply) => {
    await signOutEverywhere(deps, contextOf(request))
    cookie.clear(reply)
    return answer(reply, 200, 'session', null)
  })

  app.delete('/api/sessions/:id', ownSession, async (request, reply) => {
    const context = contextOf(request)
    const { id } = decode(Params, request.params)
    await endOwnSession(deps, context, id)
    if (id === context.session.sessionId) cookie.clear(reply)
    return answer(reply, 200, 'session', null)
  })
}

function addAccountRoutes(app: FastifyInstance, deps: UsersDeps, contextOf: ContextOf, cookie: Cookie): void {
  const own = { resourceType: 'user', permission: 'own_account' } as const
  const config = { config: own }
  const fresh = { config: { ...own, needsFreshPassword: true } }
  const toView = (recovery_codes: string[]): RecoveryCodes => ({ recovery_codes })

  app.patch('/api/user', config, async (request, reply) => {
    const context = contextOf(request)
    await changeOwnAccount(deps, context, decode(UserChange, request.body))
    return answer(reply, 200, 'user', null)
  })

  app.post('/api/user/password', config, async (request, reply) => {
    const context = contextOf(request)
    const change = decode(PasswordChange, request.body, ['old', 'new'])
    cookie.set(reply, await changePassword(deps, context, change))
    return answer(reply, 201, 'user', null)
  })

  app.post('/api/user/totp', fresh, async (request, reply) => {
    const context = contextOf(request)
    decode(NoContent, request.body)
    return answer(reply, 201, 'user', await offerTotp(deps, context))
  })

  app.post('/api/user/totp/confirm', config, async (request, reply) => {
    const context = contextOf(request)
    const { code } = decode(TotpConfirmation, request.body)
    return answer(reply, 201, 'user', toView(await confirmTotp(deps, context, code)))
  })

  app.delete('/api/user/totp', fresh, async (request, reply) => {
    await removeTotp(deps, contextOf(request))
    return answer(reply, 200, 'user', null)
  })

  app.post('/api/user/recovery_codes', fresh, async (request, reply) => {
    const context = contextOf(request)
    decode(NoContent, request.body)
    return answer(reply, 201, 'user', toView(await renewRecoveryCodes(deps, context)))
  })
}

function addPasskeyRoutes(app: FastifyInstance, deps: UsersDeps, contextOf: ContextOf): void {
  const own = { resourceType: 'passkey', permission: 'own_account' } as const
  const config = { config: own }
  const fresh = { config: { ...own, needsFreshPassword: true } }

  app.get('/api/user/passkeys', config, async (request, reply) => {
    const passkeys = await listPasskeys(deps.database, contextOf(request).session.user.id)
    return answer(reply, 200, 'passkey', passkeys.map(toPasskeyView))
  })

  app.post('/api/user/passkeys/options', fresh, async (request, reply) => {
    const context = contextOf(request)
    decode(NoContent, request.body)
    const options: PasskeyOptions['options'] = { ...(await passkeyOptions(deps, context)) }
    return answer(reply, 200, 'passkey', { options })
  })

  app.post('/api/user/passkeys', fresh, async (request, reply) => {
    const context = contextOf(request)
    const passkey = decode(NewPasskey, request.body, ['response'])
    return answer(reply, 201, 'passkey', toMadePasskey(await addOwnPasskey(deps, context, passkey)))
  })

  app.delete('/api/user/passkeys/:id', fresh, async (request, reply) => {
    const context = contextOf(request)
    await removeOwnPasskey(deps, context, decode(Params, request.params).id)
    return answer(reply, 200, 'passkey', null)
  })
}

/** Everybody in a team sees it. Its owners change it. */
function addTeamRoutes(app: FastifyInstance, deps: UsersDeps, contextOf: ContextOf): void {
  const config = { config: { resourceType: 'team', permission: 'read' } } as const
  const byOwner = { config: { resourceType: 'team', permission: 'manage_team' } } as const

  app.get('/api/team', config, async (request, reply) => {
    const { merchantId } = contextOf(request).session
    const view: TeamView = {
      members: (await listMembers(deps.database, merchantId)).map(toMemberView),
      invitations: (await listInvitations(deps.database, merchantId)).map(toInvitationView),
    }
    return answer(reply, 200, 'team', view)
  })

  app.get('/api/people', config, async (request, reply) => {
    const { merchantId } = contextOf(request).session
    return answer(reply, 200, 'person', (await listPeople(deps.database, merchantId)).map(toNamedPerson))
  })

  app.post('/api/team/invitations', byOwner, async (request, reply) => {
    const context = contextOf(request)
    const { id, link, endsAt } = await inviteMember(deps, context, decode(InvitationRequest, request.body))
    const view: MadeInvitation = { id, link, expires_at: endsAt.toISOString() }
    return answer(reply, 201, 'team', view)
  })

  app.delete('/api/team/invitations/:id', byOwner, async (request, reply) => {
    const context = contextOf(request)
    await revokeInvitationOfTeam(deps, context, decode(Params, request.params).id)
    return answer(reply, 200, 'team', null)
  })

  app.patch('/api/team/members/:id', byOwner, async (request, reply) => {
    const context = contextOf(request)
    const { id } = decode(Params, request.params)
    await changeRole(deps, context, id, decode(RoleChange, request.body).role)
    return answer(reply, 200, 'team', null)
  })

  app.delete('/api/team/members/:id', byOwner, async (request, reply) => {
    const context = contextOf(request)
    await removeFromTeam(deps, context, decode(Params, request.params).id)
    return answer(reply, 200, 'team', null)
  })
}
