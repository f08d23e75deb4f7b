import type { Queries } from '../../../platform/database/database.ts'
import { notSignedIn } from '../../../platform/http/callers/session.ts'
import type { Account } from '../account.ts'
import type { AccountStore } from '../account-store.ts'
import type { SessionChanges } from '../sessions/session-changes.ts'
import type { Act } from '../user-events.ts'

interface Parts {
  accounts: Pick<AccountStore, 'lock'>
  sessions: Pick<SessionChanges, 'isThere'>
}

/**
 * The account of the person who acts; its second factors stay as they are until the transaction ends. Throws `unauthorized` where the session
 * has ended since the request came: a change of password or a reset wins over a factor that is about to be added.
 */
export type LockOwnAccount = (queries: Queries, act: Act) => Promise<Account>

export const createLockOwnAccount =
  ({ accounts, sessions }: Parts): LockOwnAccount =>
  async (queries, { session }) => {
    const account = await accounts.lock(queries, session.user.id)
    if (account === null || !(await sessions.isThere(queries, session.sessionId))) throw notSignedIn()
    return account
  }
