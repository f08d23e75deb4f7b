import type { SignInState } from '../../../../contract/dashboard/sign-in.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { actorOf, notSignedIn } from '../../../platform/http/callers/session.ts'
import { secondFactorsOf } from '../account.ts'
import type { Account } from '../account.ts'
import type { AccountStore } from '../account-store.ts'
import type { UnfinishedSession } from '../sessions/session.ts'
import type { SessionChanges } from '../sessions/session-changes.ts'
import { factsOf } from '../user-events.ts'
import type { Caller, TellOfUser } from '../user-events.ts'

/** What a log-in came to: the cookie's new token, and how far the person is. */
export interface SignedIn {
  token: string
  state: SignInState
}

/** By what a person proved who they are. */
export type Proof = 'password' | 'totp' | 'recovery_code' | 'passkey'

interface Person {
  account: Account
  merchantId: string
  caller: Caller
  /** What the browser's cookie held before; a session of it ends. */
  oldToken: string | null
}

/** The last step of every log-in, within its transaction. */
export interface LetIn {
  /** After the right password: a session, or one that waits for the second factor where the person has any. */
  withPassword: (queries: Queries, person: Person) => Promise<SignedIn>
  /** After a passkey, which holds a device and the person's finger, face or PIN: two factors. */
  withPasskey: (queries: Queries, person: Person & { hasPassword: boolean }) => Promise<SignedIn>
  /** After the second factor; throws `unauthorized` when another request was faster. */
  withSecondFactor: (
    queries: Queries,
    proof: { session: UnfinishedSession; caller: Caller; by: Proof },
  ) => Promise<SignedIn>
}

interface Parts {
  accounts: Pick<AccountStore, 'noteNetwork'>
  sessions: Pick<SessionChanges, 'begin' | 'complete' | 'endOfToken' | 'noteUse'>
  tell: TellOfUser
}

export function createLetIn({ accounts, sessions, tell }: Parts): LetIn {
  const finish = async (
    queries: Queries,
    { userId, merchantId, sessionId, caller, by }: UnfinishedSession & { caller: Caller; by: Proof[] },
  ) => {
    await accounts.noteNetwork(queries, userId, caller.network)
    await sessions.noteUse(queries, sessionId)
    await tell(queries, {
      merchantId,
      type: 'user.signed_in',
      subject: userId,
      actor: actorOf({ user: { id: userId } }),
      facts: { ...factsOf(caller), session_id: sessionId, by },
    })
  }
  const begin = async (
    queries: Queries,
    { account: { id: userId }, merchantId, caller, oldToken }: Person,
    { isComplete, hasPassword }: { isComplete: boolean; hasPassword: boolean },
  ) => {
    if (oldToken !== null) await sessions.endOfToken(queries, oldToken)
    const session = { userId, merchantId, isComplete, hasPassword, caller }
    const { sessionId, token } = await sessions.begin(queries, session)
    return { token, session: { sessionId, userId, merchantId, caller } }
  }
  return {
    async withPassword(queries, person) {
      const methods = secondFactorsOf(person.account)
      const isComplete = methods.length === 0
      const { token, session } = await begin(queries, person, { isComplete, hasPassword: true })
      if (!isComplete) return { token, state: { state: 'second_factor', methods } }
      await finish(queries, { ...session, by: ['password'] })
      return { token, state: { state: 'signed_in' } }
    },
    async withPasskey(queries, { hasPassword, ...person }) {
      const { token, session } = await begin(queries, person, { isComplete: true, hasPassword })
      await finish(queries, { ...session, by: hasPassword ? ['password', 'passkey'] : ['passkey'] })
      return { token, state: { state: 'signed_in' } }
    },
    async withSecondFactor(queries, { session, caller, by }) {
      const completed = await sessions.complete(queries, session.sessionId)
      if (completed === null) throw notSignedIn()
      const { sessionId, token } = completed
      await finish(queries, { ...session, sessionId, caller, by: ['password', by] })
      return { token, state: { state: 'signed_in' } }
    },
  }
}
