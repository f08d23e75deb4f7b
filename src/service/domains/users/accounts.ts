import type { UserChange } from '../../../contract/dashboard/people/user-settings.ts'
import type { Queries } from '../../platform/database/database.ts'
import { notSignedIn } from '../../platform/http/callers/session.ts'
import { changeUser, lockAccount } from './account-store.ts'
import type { Account } from './account.ts'
import type { UsersDeps } from './deps.ts'
import { hasSession } from './session-store.ts'
import type { UserContext } from './user-context.ts'
import { addEventBy } from './user-events.ts'

/** Changes the signed-in person's own name or time zone. */
export async function changeOwnAccount(
  deps: UsersDeps,
  context: UserContext,
  { name, time_zone: timeZone }: UserChange,
): Promise<void> {
  const change = { ...(name !== undefined && { name }), ...(timeZone !== undefined && { timeZone }) }
  await deps.database.transaction(async (queries) => {
    await changeUser(queries, context.session.user.id, change)
    await addEventBy(deps, queries, context, 'user.changed', { changed: Object.keys(change).sort() })
  })
}

/**
 * The signed-in person's own account; its second factors stay unchanged until the transaction ends. Throws `unauthorized` if the
 * session has ended since the request came: a change of password or a reset prevents a new factor.
 */
export async function lockOwnAccount(queries: Queries, { session }: UserContext): Promise<Account> {
  const account = await lockAccount(queries, session.user.id)
  if (account === null || !(await hasSession(queries, session.sessionId))) throw notSignedIn()
  return account
}
