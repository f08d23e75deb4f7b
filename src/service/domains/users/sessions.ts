import { ServiceError } from '../../platform/errors.ts'
import type { UsersDeps } from './deps.ts'
import { endSession, endSessionsOfUser, markSeen, switchMerchant } from './session-store.ts'
import type { UserContext } from './user-context.ts'
import { addEventBy } from './user-events.ts'

/** Ends the session that the request carries. */
export async function signOut(deps: UsersDeps, context: UserContext): Promise<void> {
  const { sessionId, user } = context.session
  await deps.database.transaction(async (queries) => {
    if (await endSession(queries, user.id, sessionId))
      await addEventBy(deps, queries, context, 'user.signed_out')
  })
}

/** Ends every session of the person, at once at every process. */
export async function signOutEverywhere(deps: UsersDeps, context: UserContext): Promise<void> {
  await deps.database.transaction(async (queries) => {
    const ended = await endSessionsOfUser(queries, context.session.user.id)
    await addEventBy(deps, queries, context, 'user.signed_out_everywhere', { sessions_ended: ended })
  })
}

/** Throws `not_found` for a session that is not the person's. */
export async function endOwnSession(deps: UsersDeps, context: UserContext, sessionId: string): Promise<void> {
  await deps.database.transaction(async (queries) => {
    if (!(await endSession(queries, context.session.user.id, sessionId)))
      throw new ServiceError('not_found', 'There is no such session of yours.')
    await addEventBy(deps, queries, context, 'user.session_ended', { session_id: sessionId })
  })
}

/** Shows another merchant in this session. Throws `not_found` for one that the person does not work for. */
export async function chooseMerchant(
  deps: UsersDeps,
  context: UserContext,
  merchantId: string,
): Promise<void> {
  const { sessionId } = context.session
  await deps.database.transaction(async (queries) => {
    if (!(await switchMerchant(queries, sessionId, merchantId)))
      throw new ServiceError('not_found', 'You work for no merchant with this id.')
    await markSeen(queries, sessionId)
    await addEventBy(deps, queries, context, 'user.merchant_chosen', { merchant_id: merchantId })
  })
}
