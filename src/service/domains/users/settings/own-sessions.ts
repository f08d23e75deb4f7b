import type { UserChange } from '../../../../contract/dashboard/people/user-settings.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { AccountStore } from '../account-store.ts'
import type { SessionChanges } from '../sessions/session-changes.ts'
import type { Act, AddActEvent } from '../user-events.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  accounts: Pick<AccountStore, 'change'>
  sessions: Pick<SessionChanges, 'end' | 'endAll' | 'chooseMerchant' | 'markSeen'>
  addActEvent: AddActEvent
}

/** What a person who is signed in does with their own sessions, name and time zone. */
export interface OwnSessions {
  signOut: (act: Act) => Promise<void>
  /** Ends every session of the person, at once at every process. */
  signOutEverywhere: (act: Act) => Promise<void>
  /** Throws `not_found` for a session that is not the person's. */
  end: (act: Act, sessionId: string) => Promise<void>
  /** Throws `not_found` for a merchant that the person does not work for. */
  chooseMerchant: (act: Act, merchantId: string) => Promise<void>
  change: (act: Act, change: UserChange) => Promise<void>
}

export function createOwnSessions({ database, accounts, sessions, addActEvent }: Parts): OwnSessions {
  return {
    signOut: (act) =>
      database.transaction(async (queries) => {
        const { sessionId, user } = act.session
        if (await sessions.end(queries, user.id, sessionId))
          await addActEvent(queries, act, 'user.signed_out')
      }),
    signOutEverywhere: (act) =>
      database.transaction(async (queries) => {
        const ended = await sessions.endAll(queries, act.session.user.id)
        await addActEvent(queries, act, 'user.signed_out_everywhere', { sessions_ended: ended })
      }),
    end: (act, sessionId) =>
      database.transaction(async (queries) => {
        if (!(await sessions.end(queries, act.session.user.id, sessionId)))
          throw new ServiceError('not_found', 'There is no such session of yours.')
        await addActEvent(queries, act, 'user.session_ended', { session_id: sessionId })
      }),
    chooseMerchant: (act, merchantId) =>
      database.transaction(async (queries) => {
        if (!(await sessions.chooseMerchant(queries, act.session.sessionId, merchantId)))
          throw new ServiceError('not_found', 'You work for no merchant with this id.')
        await sessions.markSeen(queries, act.session.sessionId)
        await addActEvent(queries, act, 'user.merchant_chosen', { merchant_id: merchantId })
      }),
    change: (act, { name, time_zone: timeZone }) =>
      database.transaction(async (queries) => {
        const change = { ...(name !== undefined && { name }), ...(timeZone !== undefined && { timeZone }) }
        await accounts.change(queries, act.session.user.id, change)
        await addActEvent(queries, act, 'user.changed', { changed: Object.keys(change).sort() })
      }),
  }
}
