import type { InvitationAcceptance } from '../../../../contract/dashboard/team.ts'
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
import type { Caller, TellOfUser } from '../user-events.ts'
import { wrongInput } from '../wrong-input.ts'
import type { Invitation } from './invitation-store.ts'
import { linkNotGood } from './link-not-good.ts'
import type { MemberStore } from './member-store.ts'

/** Whom a link lets in, and what it changes within the transaction that uses it up. */
interface Acceptance {
  account: Account
  carryOut: (queries: Queries) => Promise<void>
}

interface Following {
  invitation: Invitation
  request: InvitationAcceptance
  caller: Caller
}

/** What following a link comes to. Throws what is wrong with the name or password; nothing is changed yet. */
export type ToAcceptance = (following: Following) => Promise<Acceptance>

interface Parts {
  accounts: Pick<AccountStore, 'add' | 'find' | 'setPassword'>
  members: Pick<MemberStore, 'add'>
  sessions: Pick<SessionChanges, 'endAll'>
  checkPassword: CheckPassword
  choose: ChoosePassword
  createId: CreateId
  tell: TellOfUser
}

export function createToAcceptance(parts: Parts): ToAcceptance {
  return async (following) => {
    const { resetsUserId, userId } = following.invitation
    if (resetsUserId !== null) return ofReset(parts, resetsUserId, following)
    return userId === null ? ofNewPerson(parts, following) : ofMember(parts, following)
  }
}

/** A person without an account chooses a name and a password. */
async function ofNewPerson(parts: Parts, following: Following): Promise<Acceptance> {
  const { accounts, choose, createId } = parts
  const { name, password } = following.request
  const { email, merchantId } = following.invitation
  if (name === undefined) throw wrongInput('name', 'is required')
  const passwordHash = await choose(password, { email }, 'password')
  const person = { id: createId(), email, name, timeZone: FIRST_TIME_ZONE, passwordHash }
  return {
    account: { ...person, merchantId, hasTotp: false, passkeys: 0, recoveryCodesLeft: 0 },
    async carryOut(queries) {
      await accounts.add(queries, person)
      await join(parts, queries, person.id, following)
    },
  }
}

/** A person with an account gives its password: the link alone opens no account that is there. */
async function ofMember(parts: Parts, following: Following): Promise<Acceptance> {
  const { invitation, request, caller } = following
  const account = await parts.checkPassword({ email: invitation.email, password: request.password }, caller)
  return { account, carryOut: (queries) => join(parts, queries, account.id, following) }
}

/** A person whose account an operator has reset chooses a new password. */
async function ofReset(parts: Parts, userId: string, following: Following): Promise<Acceptance> {
  const { accounts, choose, sessions, tell } = parts
  const { invitation, request, caller } = following
  const account = await accounts.find(userId)
  if (account === null) throw linkNotGood()
  const hash = await choose(request.password, account, 'password')
  return {
    account,
    async carryOut(queries) {
      await accounts.setPassword(queries, userId, hash)
      const ended = await sessions.endAll(queries, userId)
      await tell(queries, {
        merchantId: invitation.merchantId,
        type: 'user.password_changed',
        subject: userId,
        actor: actorOf({ user: { id: userId } }),
        facts: { ...factsOf(caller), sessions_ended: ended },
      })
    },
  }
}

async function join(
  { members, tell }: Parts,
  queries: Queries,
  userId: string,
  { invitation: { id, merchantId, role }, caller }: Following,
): Promise<void> {
  if (!(await members.add(queries, merchantId, userId, role))) return
  await tell(queries, {
    merchantId,
    type: 'member.joined',
    subject: userId,
    actor: actorOf({ user: { id: userId } }),
    facts: { ...factsOf(caller), invitation_id: id, role },
  })
}
