import type { Queries } from '../../../platform/database/database.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import { createSecret, secretHashOf } from '../one-time-secret.ts'
import type { Caller } from '../user-events.ts'
import { SECOND_FACTOR_MINUTES, SESSION_HOURS } from './session.ts'
import {
  addSession,
  chooseMerchant,
  completeSession,
  confirmPassword,
  endSession,
  endSessionOfToken,
  endSessionsAtMerchant,
  endSessionsOfUser,
  isSessionThere,
  markSeen,
  renewSession,
} from './session-sql.ts'

interface NewSession {
  userId: string
  merchantId: string
  /** Every factor was given that the user has. */
  isComplete: boolean
  /** The password was among them. */
  hasPassword: boolean
  /** The invitation by which the user joins the team once the session is complete. */
  invitationId: string | null
  caller: Caller
}

/** A session that has just begun, or goes on under another id; the cookie gets the token, this once. */
export interface IssuedSession {
  sessionId: string
  token: string
}

/** What becomes of sessions, each within the transaction of its act. */
export interface SessionChanges {
  begin: (queries: Queries, session: NewSession) => Promise<IssuedSession>
  /** After the second factor; null when another request has completed or ended it. */
  complete: (queries: Queries, sessionId: string) => Promise<IssuedSession | null>
  /** Records that its user was seen just now at its merchant. */
  markSeen: (queries: Queries, sessionId: string) => Promise<void>
  /** After a change of password; null when it has ended. */
  renew: (queries: Queries, sessionId: string) => Promise<IssuedSession | null>
  /** Until when the password is fresh now; null when the session has ended. */
  confirm: (queries: Queries, sessionId: string) => Promise<Date | null>
  /** False when its user is no member there. */
  chooseMerchant: (queries: Queries, sessionId: string, merchantId: string) => Promise<boolean>
  /** False when it was ended, or goes on under another id. */
  isThere: (queries: Queries, sessionId: string) => Promise<boolean>
  /** False when the user has no such session. */
  end: (queries: Queries, userId: string, sessionId: string) => Promise<boolean>
  endOfToken: (queries: Queries, token: string) => Promise<void>
  /** Ends all of a user but one, where that is named; how many those were. */
  endAll: (queries: Queries, userId: string, keptId?: string) => Promise<number>
  endAtMerchant: (queries: Queries, userId: string, merchantId: string) => Promise<number>
}

export function createSessionChanges(createId: CreateId): SessionChanges {
  const issue = () => newToken(createId())
  const reissue = async (
    queries: Queries,
    change: typeof completeSession | typeof renewSession,
    sessionId: string,
  ) => {
    const { issued, token_hash } = issue()
    const values = { session_id: sessionId, new_id: issued.sessionId, token_hash }
    return (await queries.run(change, values)).length > 0 ? issued : null
  }
  return {
    async begin(queries, { userId, merchantId, isComplete, hasPassword, invitationId, caller }) {
      const { issued, token_hash } = issue()
      await queries.run(addSession, {
        session_id: issued.sessionId,
        token_hash,
        user_id: userId,
        merchant_id: merchantId,
        is_complete: isComplete,
        invitation_id: invitationId,
        has_password: hasPassword,
        address: caller.address,
        user_agent: caller.userAgent,
        lasts_minutes: isComplete ? SESSION_HOURS * 60 : SECOND_FACTOR_MINUTES,
      })
      return issued
    },
    complete: (queries, sessionId) => reissue(queries, completeSession, sessionId),
    async markSeen(queries, sessionId) {
      await queries.run(markSeen, { session_id: sessionId })
    },
    renew: (queries, sessionId) => reissue(queries, renewSession, sessionId),
    async confirm(queries, sessionId) {
      return (await queries.run(confirmPassword, { session_id: sessionId }))[0]?.fresh_until ?? null
    },
    async chooseMerchant(queries, sessionId, merchantId) {
      const values = { session_id: sessionId, merchant_id: merchantId }
      return (await queries.run(chooseMerchant, values)).length > 0
    },
    async isThere(queries, sessionId) {
      return (await queries.run(isSessionThere, { session_id: sessionId })).length > 0
    },
    async end(queries, userId, sessionId) {
      return (await queries.run(endSession, { session_id: sessionId, user_id: userId })).length > 0
    },
    async endOfToken(queries, token) {
      await queries.run(endSessionOfToken, { token_hash: secretHashOf(token) })
    },
    async endAll(queries, userId, keptId = '') {
      return (await queries.run(endSessionsOfUser, { user_id: userId, kept_id: keptId })).length
    },
    async endAtMerchant(queries, userId, merchantId) {
      const values = { user_id: userId, merchant_id: merchantId }
      return (await queries.run(endSessionsAtMerchant, values)).length
    },
  }
}

/** A token for a session's cookie, and the hash that is kept of it. */
function newToken(sessionId: string): { issued: IssuedSession; token_hash: Buffer } {
  const token = createSecret('session')
  return { issued: { sessionId, token }, token_hash: secretHashOf(token) }
}
