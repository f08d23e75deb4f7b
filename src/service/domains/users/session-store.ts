import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { Queries } from '../../platform/database/database.ts'
import {
  bool,
  bytea,
  float8,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Session } from '../../platform/http/callers/session.ts'
import { createSecret, secretHashOf } from './one-time-secret.ts'
import type { Requester } from './user-context.ts'

/** A session ends at the latest this long after its sign-in: what NIST SP 800-63B §4.2.3 allows for two factors at most. */
const SESSION_HOURS = 24

/** An idle session ends after this: longer than a meeting, shorter than a lunch and an afternoon. */
const IDLE_MINUTES = 120

/** How long a given password stays fresh for acts that could do lasting harm: long enough to set one thing up. */
const FRESH_MINUTES = 10

/** The second factor must follow the password within this: time to fetch a telephone. */
const SECOND_FACTOR_MINUTES = 10

/** The last use of a session is written at most this often, so that most reads write nothing. */
const MARKED_EVERY_SECONDS = 60

/** A session that has only the password yet. It opens nothing but the second factor. */
export interface UnfinishedSession {
  sessionId: string
  userId: string
  merchantId: string
  /** The invitation that the person is accepting, or null. The second factor uses it up. */
  invitationId: string | null
}

interface NewSession {
  userId: string
  merchantId: string
  /** The user has given every factor. */
  isComplete: boolean
  /** One of those was the password. */
  hasPassword: boolean
  /** The invitation to accept once the session is complete. */
  invitationId: string | null
  requester: Requester
}

/** A new id and token of a session. The token is shown here once, for the cookie. */
export interface IssuedSession {
  sessionId: string
  token: string
}

export interface ListedSession {
  id: string
  createdAt: Date
  seenAt: Date
  address: string
  userAgent: string
}

/** The open session of a token's hash (hex). `isMarked`: its use was written a moment ago. */
export async function findSession(
  queries: Queries,
  tokenHash: string,
): Promise<{ session: Session; isMarked: boolean } | null> {
  const [row] = await queries.run(selectSession, { token_hash: Buffer.from(tokenHash, 'hex') })
  if (row === undefined) return null
  const session = {
    sessionId: row.id,
    user: { id: row.user_id, email: row.email, name: row.name },
    merchantId: row.merchant_id,
    role: row.role,
    freshUntil: row.fresh_until,
  }
  return { session, isMarked: row.is_marked }
}

export async function findUnfinishedSession(
  queries: Queries,
  token: string | null,
): Promise<UnfinishedSession | null> {
  if (token === null) return null
  const [row] = await queries.run(selectUnfinished, { token_hash: secretHashOf(token) })
  if (row === undefined) return null
  const { id: sessionId, user_id: userId, merchant_id: merchantId, invitation_id: invitationId } = row
  return { sessionId, userId, merchantId, invitationId }
}

/** Where a user is signed in, last used first. */
export async function listSessions(queries: Queries, userId: string): Promise<ListedSession[]> {
  const rows = await queries.run(selectSessions, { user_id: userId })
  return rows.map(({ created_at: createdAt, seen_at: seenAt, user_agent: userAgent, id, address }) => ({
    id,
    createdAt,
    seenAt,
    address,
    userAgent,
  }))
}

export async function beginSession(
  queries: Queries,
  sessionId: string,
  { userId, merchantId, isComplete, hasPassword, invitationId, requester }: NewSession,
): Promise<IssuedSession> {
  const token = createSecret('session')
  await queries.run(insertSession, {
    session_id: sessionId,
    token_hash: secretHashOf(token),
    user_id: userId,
    merchant_id: merchantId,
    is_complete: isComplete,
    invitation_id: invitationId,
    has_password: hasPassword,
    address: requester.address,
    user_agent: requester.userAgent,
    lasts_minutes: isComplete ? SESSION_HOURS * 60 : SECOND_FACTOR_MINUTES,
  })
  return { sessionId, token }
}

/** After the second factor, under `newId`. Null if another request has completed or ended the session. */
export function completeSession(
  queries: Queries,
  sessionId: string,
  newId: string,
): Promise<IssuedSession | null> {
  return reissue(queries, updateToComplete, sessionId, newId)
}

/** After a change of password, under `newId`. Null if the session has ended. */
export function renewSession(
  queries: Queries,
  sessionId: string,
  newId: string,
): Promise<IssuedSession | null> {
  return reissue(queries, updateToRenewed, sessionId, newId)
}

/** Records that the user was seen at the session's merchant just now. */
export async function markSeen(queries: Queries, sessionId: string): Promise<void> {
  await queries.run(updateSeen, { session_id: sessionId })
}

/** Makes the session's password fresh, and returns until when. Null if the session has ended. */
export async function freshenPassword(queries: Queries, sessionId: string): Promise<Date | null> {
  return (await queries.run(updatePasswordTime, { session_id: sessionId }))[0]?.fresh_until ?? null
}

/** False if the session's user is not in this merchant's team. */
export async function switchMerchant(
  queries: Queries,
  sessionId: string,
  merchantId: string,
): Promise<boolean> {
  const values = { session_id: sessionId, merchant_id: merchantId }
  return (await queries.run(updateMerchant, values)).length > 0
}

/** False once the session has ended or has a new id. */
export async function hasSession(queries: Queries, sessionId: string): Promise<boolean> {
  return (await queries.run(selectId, { session_id: sessionId })).length > 0
}

/** False if the user has no such session. */
export async function endSession(queries: Queries, userId: string, sessionId: string): Promise<boolean> {
  return (await queries.run(deleteSession, { session_id: sessionId, user_id: userId })).length > 0
}

export async function endSessionOfToken(queries: Queries, token: string): Promise<void> {
  await queries.run(deleteByToken, { token_hash: secretHashOf(token) })
}

/** Ends all sessions of a user, but for `keptId`. Returns how many. */
export async function endSessionsOfUser(queries: Queries, userId: string, keptId = ''): Promise<number> {
  return (await queries.run(deleteSessionsOfUser, { user_id: userId, kept_id: keptId })).length
}

/** Ends a user's sessions at one merchant. Returns how many. */
export async function endSessionsAtMerchant(
  queries: Queries,
  userId: string,
  merchantId: string,
): Promise<number> {
  const values = { user_id: userId, merchant_id: merchantId }
  return (await queries.run(deleteSessionsAtMerchant, values)).length
}

export async function forgetEndedSessions(queries: Queries): Promise<void> {
  await queries.run(deleteEnded, {})
}

async function reissue(
  queries: Queries,
  change: typeof updateToComplete | typeof updateToRenewed,
  sessionId: string,
  newId: string,
): Promise<IssuedSession | null> {
  const token = createSecret('session')
  const values = { session_id: sessionId, new_id: newId, token_hash: secretHashOf(token) }
  return (await queries.run(change, values)).length > 0 ? { sessionId: newId, token } : null
}

/** All times are the database's: every process has the same clock. */
const IS_OPEN = `s.ends_at > now() AND s.seen_at > now() - interval '${IDLE_MINUTES} minutes'`
const FRESH_FOR = `interval '${FRESH_MINUTES} minutes'`

/** A user who has left the merchant's team has no session there. */
const selectSession = statement({
  name: 'find_user_session',
  values: { token_hash: bytea },
  columns: {
    id: text,
    user_id: text,
    email: text,
    name: text,
    merchant_id: text,
    role: textOf<Role>(),
    fresh_until: nullable(timestamptz),
    is_marked: bool,
  },
  sql: `
    SELECT s.id, s.user_id, u.email, u.name, s.merchant_id, r.role,
           CASE WHEN s.password_at > now() - ${FRESH_FOR} THEN s.password_at + ${FRESH_FOR} END AS fresh_until,
           s.seen_at > now() - interval '${MARKED_EVERY_SECONDS} seconds' AS is_marked
    FROM user_sessions s
      JOIN users u ON u.id = s.user_id
      JOIN memberships r ON r.merchant_id = s.merchant_id AND r.user_id = s.user_id
    WHERE s.token_hash = :token_hash AND s.is_complete AND ${IS_OPEN}`,
})
const selectUnfinished = statement({
  name: 'find_unfinished_user_session',
  values: { token_hash: bytea },
  columns: { id: text, user_id: text, merchant_id: text, invitation_id: nullable(text) },
  sql: `
    SELECT s.id, s.user_id, s.merchant_id, s.invitation_id FROM user_sessions s
    WHERE s.token_hash = :token_hash AND NOT s.is_complete AND ${IS_OPEN}`,
})
const updateSeen = statement({
  name: 'mark_user_session_seen',
  values: { session_id: text },
  columns: {},
  sql: `
    WITH used AS (
      UPDATE user_sessions SET seen_at = now() WHERE id = :session_id RETURNING user_id, merchant_id
    )
    UPDATE memberships r SET seen_at = now() FROM used
    WHERE r.user_id = used.user_id AND r.merchant_id = used.merchant_id`,
})
const insertSession = statement({
  name: 'add_user_session',
  values: {
    session_id: text,
    token_hash: bytea,
    user_id: text,
    merchant_id: text,
    is_complete: bool,
    invitation_id: nullable(text),
    has_password: bool,
    address: text,
    user_agent: text,
    lasts_minutes: float8,
  },
  columns: {},
  sql: `
    INSERT INTO user_sessions
      (id, token_hash, user_id, merchant_id, is_complete, invitation_id, address, user_agent, password_at, ends_at)
    VALUES (:session_id, :token_hash, :user_id, :merchant_id, :is_complete, :invitation_id, :address, :user_agent,
            CASE WHEN :has_password THEN now() END, now() + :lasts_minutes * interval '1 minute')`,
})
/** With a new id and token, so that those from before the second factor are useless. */
const updateToComplete = statement({
  name: 'complete_user_session',
  values: { session_id: text, new_id: text, token_hash: bytea },
  columns: { id: text },
  sql: `
    UPDATE user_sessions SET id = :new_id, token_hash = :token_hash, is_complete = true, invitation_id = NULL,
      created_at = now(), seen_at = now(), ends_at = now() + interval '${SESSION_HOURS} hours'
    WHERE id = :session_id AND NOT is_complete RETURNING id`,
})
/** With a new id and token, and a fresh password. Its latest end stays. */
const updateToRenewed = statement({
  name: 'renew_user_session',
  values: { session_id: text, new_id: text, token_hash: bytea },
  columns: { id: text },
  sql: `
    UPDATE user_sessions SET id = :new_id, token_hash = :token_hash, password_at = now()
    WHERE id = :session_id AND is_complete RETURNING id`,
})
const updatePasswordTime = statement({
  name: 'confirm_password_of_user_session',
  values: { session_id: text },
  columns: { fresh_until: timestamptz },
  sql: `
    UPDATE user_sessions SET password_at = now() WHERE id = :session_id
    RETURNING password_at + ${FRESH_FOR} AS fresh_until`,
})
const updateMerchant = statement({
  name: 'choose_merchant_of_user_session',
  values: { session_id: text, merchant_id: text },
  columns: { id: text },
  sql: `
    UPDATE user_sessions s SET merchant_id = r.merchant_id FROM memberships r
    WHERE s.id = :session_id AND r.user_id = s.user_id AND r.merchant_id = :merchant_id RETURNING s.id`,
})
const selectSessions = statement({
  name: 'list_user_sessions',
  values: { user_id: text },
  columns: { id: text, created_at: timestamptz, seen_at: timestamptz, address: text, user_agent: text },
  sql: `
    SELECT s.id, s.created_at, s.seen_at, s.address, s.user_agent FROM user_sessions s
    WHERE s.user_id = :user_id AND s.is_complete AND ${IS_OPEN} ORDER BY s.seen_at DESC, s.id`,
})
const selectId = statement({
  name: 'is_user_session_there',
  values: { session_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM user_sessions WHERE id = :session_id',
})
const deleteSession = statement({
  name: 'end_user_session',
  values: { session_id: text, user_id: text },
  columns: { id: text },
  sql: 'DELETE FROM user_sessions WHERE id = :session_id AND user_id = :user_id RETURNING id',
})
const deleteByToken = statement({
  name: 'end_user_session_of_token',
  values: { token_hash: bytea },
  columns: {},
  sql: 'DELETE FROM user_sessions WHERE token_hash = :token_hash',
})
/** All but `kept_id`, which '' leaves empty. */
const deleteSessionsOfUser = statement({
  name: 'end_sessions_of_user',
  values: { user_id: text, kept_id: text },
  columns: { id: text },
  sql: 'DELETE FROM user_sessions WHERE user_id = :user_id AND id <> :kept_id RETURNING id',
})
const deleteSessionsAtMerchant = statement({
  name: 'end_sessions_of_user_at_merchant',
  values: { user_id: text, merchant_id: text },
  columns: { id: text },
  sql: 'DELETE FROM user_sessions WHERE user_id = :user_id AND merchant_id = :merchant_id RETURNING id',
})
const deleteEnded = statement({
  name: 'forget_ended_user_sessions',
  values: {},
  columns: {},
  sql: `DELETE FROM user_sessions s WHERE NOT (${IS_OPEN})`,
})
