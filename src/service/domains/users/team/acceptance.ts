import type { InvitationAcceptance } from '../../../../contract/dashboard/people/team.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { actorOf } from '../../../platform/http/callers/session.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import { FIRST_TIME_ZONE } from '../account.ts'
import type { Account } from '../account.ts'
import type { AccountStore } from '../account-store.ts'
import type { ChoosePassword } from '../passwords/choose-password.ts'
import type { SessionChanges } from '../sessions/session-changes.ts'
import type { CheckPassword } from '../sign-in/check-password.ts'
import { factsOf } from '../user-events.ts'
import type { Caller, AddUserEvent } from '../user-events.ts'
import { wrongInput } from '../wrong-input.ts'
import type { Invitation, InvitationStore } from './invitation-store.ts'
import { linkNotGood } from './link-not-good.ts'

/** Whom a link lets in, and what it changes within the transaction of the sign-in. */
interface Acceptance {
  account: Account
  /** The invitation that the sign-in uses up once every factor was given; null where `apply` does that. */
  invitationId: string | null
  /** Makes the changes. */
  apply: (queries: Queries) => Promise<void>
}

interface Following {
  invitation: Invitation
  request: InvitationAcceptance
  caller: Caller
}

/** Works out what accepting an invitation changes. Throws what is wrong with the name or password; changes nothing itself. */
export type PlanAcceptance = (following: Following) => Promise<Acceptance>

interface Parts {
  accounts: Pick<AccountStore, 'add' | 'find' | 'setPassword'>
  invitations: Pick<InvitationStore, 'take'>
  sessions: Pick<SessionChanges, 'endAll'>
  checkPassword: CheckPassword
  choose: ChoosePassword
  createId: CreateId
  addEvent: AddUserEvent
}

export function createPlanAcceptance(parts: Parts): PlanAcceptance {
  return async (following) => {
    const { resetsUserId, userId } = following.invitation
    if (resetsUserId !== null) return bySettingPassword(parts, resetsUserId, following)
    return userId === null ? byNewAccount(parts, following) : byOwnAccount(parts, following)
  }
}

/** A person without an account chooses a name and a password. */
async function byNewAccount(parts: Parts, following: Following): Promise<Acceptance> {
  const { accounts, choose, createId } = parts
  const { name, password } = following.request
  const { id: invitationId, email, merchantId } = following.invitation
  if (name === undefined) throw wrongInput('name', 'is required')
  const passwordHash = await choose(password, { email }, 'password', invitationId)
  const person = { id: createId(), email, name, timeZone: FIRST_TIME_ZONE, passwordHash }
  return {
    account: { ...person, merchantId, hasTotp: false, passkeys: 0, recoveryCodesLeft: 0 },
    invitationId,
    apply: (queries) => accounts.add(queries, person),
  }
}

/** A person with an account gives its password: the link alone opens no account that is there. */
async function byOwnAccount(parts: Parts, following: Following): Promise<Acceptance> {
  const { invitation, request, caller } = following
  const account = await parts.checkPassword({ email: invitation.email, password: request.password }, caller)
  return { account, invitationId: invitation.id, apply: () => Promise.resolve() }
}

/** A person whose account an operator has reset chooses a new password. */
async function bySettingPassword(parts: Parts, userId: string, following: Following): Promise<Acceptance> {
  const { accounts, invitations, choose, sessions, addEvent } = parts
  const { invitation, request, caller } = following
  const account = await accounts.find(userId)
  if (account === null) throw linkNotGood()
  const passwordHash = await choose(request.password, account, 'password', userId)
  return {
    account: { ...account, passwordHash },
    invitationId: null,
    async apply(queries) {
      await invitations.take(queries, invitation.id)
      await accounts.setPassword(queries, userId, passwordHash)
      const ended = await sessions.endAll(queries, userId)
      await addEvent(queries, {
        merchantId: invitation.merchantId,
        type: 'user.password_changed',
        subject: userId,
        actor: actorOf({ user: { id: userId } }),
        facts: { ...factsOf(caller), sessions_ended: ended },
      })
    },
  }
}
