import type { SignInState } from '../../../../contract/dashboard/people/sign-in.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { actorOf, notSignedIn } from '../../../platform/http/callers/session.ts'
import { secondFactorsOf } from '../account.ts'
import type { Account } from '../account.ts'
import type { AccountStore } from '../account-store.ts'
import type { UnfinishedSession } from '../sessions/session.ts'
import type { SessionChanges } from '../sessions/session-changes.ts'
import type { JoinTeam } from '../team/join-team.ts'
import { factsOf, placesOf } from '../user-events.ts'
import type { Caller, AddUserEvent } from '../user-events.ts'

/** What a sign-in came to: the cookie's new token, and how far the person is. */
export interface SignedIn {
  token: string
  state: SignInState
}

/** By what a person proved who they are. */
export type Proof = 'password' | 'totp' | 'recovery_code' | 'passkey'

/** A new token of a session, for its cookie. */
interface NewToken {
  token: string
  caller: Caller
}

interface Person {
  /** As it was when the password or passkey was checked. */
  account: Account
  merchantId: string
  caller: Caller
  /** What the browser's cookie held before; a session of it ends. */
  oldToken: string | null
  /** The invitation by which the person joins the merchant's team once every factor was given; null without one. */
  invitationId: string | null
}

/**
 * The last step of every sign-in, within its transaction. Null where the password was changed since it was checked: a change ends
 * every session, also the one that is about to begin. Throws `not_found` where the invitation is no longer open.
 */
export interface LetIn {
  /** After the right password: a session, or one that waits for the second factor where the person has any. */
  withPassword: (queries: Queries, person: Person) => Promise<SignedIn | null>
  /** After a passkey, which holds a device and the person's finger, face or PIN: two factors. */
  withPasskey: (queries: Queries, person: Person & { hasPassword: boolean }) => Promise<SignedIn | null>
  /** After the second factor; throws `unauthorized` when another request was faster. */
  withSecondFactor: (
    queries: Queries,
    proof: { session: UnfinishedSession; caller: Caller; by: Proof },
  ) => Promise<SignedIn>
}

interface Parts {
  accounts: Pick<AccountStore, 'lock' | 'recordPlaces'>
  sessions: Pick<SessionChanges, 'begin' | 'complete' | 'endOfToken' | 'markSeen'>
  joinTeam: JoinTeam
  addEvent: AddUserEvent
}

export function createLetIn({ accounts, sessions, joinTeam, addEvent }: Parts): LetIn {
  /** The account, locked until the transaction ends; null when its password was changed since it was checked. */
  const lockIfPasswordUnchanged = async (
    queries: Queries,
    { id, passwordHash }: Account,
  ): Promise<Account | null> => {
    const account = await accounts.lock(queries, id)
    return account?.passwordHash === passwordHash ? account : null
  }
  const beginSession = async (
    queries: Queries,
    { account: { id: userId }, merchantId, caller, oldToken, invitationId }: Person,
    { isComplete, hasPassword }: { isComplete: boolean; hasPassword: boolean },
  ) => {
    if (oldToken !== null) await sessions.endOfToken(queries, oldToken)
    const person = { userId, merchantId, invitationId, caller }
    const { sessionId, token } = await sessions.begin(queries, { ...person, isComplete, hasPassword })
    return { ...person, sessionId, token }
  }
  const completeSignIn = async (
    queries: Queries,
    { token, sessionId, userId, merchantId, invitationId, caller }: UnfinishedSession & NewToken,
    by: readonly Proof[],
  ): Promise<SignedIn> => {
    if (invitationId !== null) await joinTeam(queries, { invitationId, userId, caller })
    await accounts.recordPlaces(queries, userId, placesOf(caller))
    await sessions.markSeen(queries, sessionId)
    await addEvent(queries, {
      merchantId,
      type: 'user.signed_in',
      subject: userId,
      actor: actorOf({ user: { id: userId } }),
      facts: { ...factsOf(caller), session_id: sessionId, by },
    })
    return { token, state: { state: 'signed_in' } }
  }
  return {
    async withPassword(queries, person) {
      const account = await lockIfPasswordUnchanged(queries, person.account)
      if (account === null) return null
      const methods = secondFactorsOf(account)
      const isComplete = methods.length === 0
      const session = await beginSession(queries, person, { isComplete, hasPassword: true })
      if (isComplete) return completeSignIn(queries, session, ['password'])
      return { token: session.token, state: { state: 'second_factor', methods } }
    },
    async withPasskey(queries, { hasPassword, ...person }) {
      if ((await lockIfPasswordUnchanged(queries, person.account)) === null) return null
      const session = await beginSession(queries, person, { isComplete: true, hasPassword })
      return completeSignIn(queries, session, hasPassword ? ['password', 'passkey'] : ['passkey'])
    },
    async withSecondFactor(queries, { session, caller, by }) {
      const completed = await sessions.complete(queries, session.sessionId)
      if (completed === null) throw notSignedIn()
      return completeSignIn(queries, { ...session, ...completed, caller }, ['password', by])
    },
  }
}
