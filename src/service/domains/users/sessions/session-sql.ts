import type { Role } from '../../../../contract/dashboard/people/role.ts'
import {
  bool,
  bytea,
  float8,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { FRESH_MINUTES, IDLE_MINUTES, MARKED_EVERY_SECONDS, SESSION_HOURS } from './session.ts'

/** All times by the database's clock, which is the same for every process. */
const IS_OPEN = `s.ends_at > now() AND s.seen_at > now() - interval '${IDLE_MINUTES} minutes'`
const FRESH_FOR = `interval '${FRESH_MINUTES} minutes'`

/** Not the session of a user who has left the merchant's team. */
export const findSession = statement({
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
export const findUnfinishedSession = statement({
  name: 'find_unfinished_user_session',
  values: { token_hash: bytea },
  columns: { id: text, user_id: text, merchant_id: text, invitation_id: nullable(text) },
  sql: `
    SELECT s.id, s.user_id, s.merchant_id, s.invitation_id FROM user_sessions s
    WHERE s.token_hash = :token_hash AND NOT s.is_complete AND ${IS_OPEN}`,
})
export const markSeen = statement({
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
export const addSession = statement({
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
/** The session goes on under another id and token: nothing that was seen before the second factor is good for it. */
export const completeSession = statement({
  name: 'complete_user_session',
  values: { session_id: text, new_id: text, token_hash: bytea },
  columns: { id: text },
  sql: `
    UPDATE user_sessions SET id = :new_id, token_hash = :token_hash, is_complete = true, invitation_id = NULL,
      created_at = now(), seen_at = now(), ends_at = now() + interval '${SESSION_HOURS} hours'
    WHERE id = :session_id AND NOT is_complete RETURNING id`,
})
/** Under another id and token, with a fresh password; its latest end stays. */
export const renewSession = statement({
  name: 'renew_user_session',
  values: { session_id: text, new_id: text, token_hash: bytea },
  columns: { id: text },
  sql: `
    UPDATE user_sessions SET id = :new_id, token_hash = :token_hash, password_at = now()
    WHERE id = :session_id AND is_complete RETURNING id`,
})
export const confirmPassword = statement({
  name: 'confirm_password_of_user_session',
  values: { session_id: text },
  columns: { fresh_until: timestamptz },
  sql: `
    UPDATE user_sessions SET password_at = now() WHERE id = :session_id
    RETURNING password_at + ${FRESH_FOR} AS fresh_until`,
})
export const chooseMerchant = statement({
  name: 'choose_merchant_of_user_session',
  values: { session_id: text, merchant_id: text },
  columns: { id: text },
  sql: `
    UPDATE user_sessions s SET merchant_id = r.merchant_id FROM memberships r
    WHERE s.id = :session_id AND r.user_id = s.user_id AND r.merchant_id = :merchant_id RETURNING s.id`,
})
export const listSessions = statement({
  name: 'list_user_sessions',
  values: { user_id: text },
  columns: { id: text, created_at: timestamptz, seen_at: timestamptz, address: text, user_agent: text },
  sql: `
    SELECT s.id, s.created_at, s.seen_at, s.address, s.user_agent FROM user_sessions s
    WHERE s.user_id = :user_id AND s.is_complete AND ${IS_OPEN} ORDER BY s.seen_at DESC, s.id`,
})
export const isSessionThere = statement({
  name: 'is_user_session_there',
  values: { session_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM user_sessions WHERE id = :session_id',
})
export const endSession = statement({
  name: 'end_user_session',
  values: { session_id: text, user_id: text },
  columns: { id: text },
  sql: 'DELETE FROM user_sessions WHERE id = :session_id AND user_id = :user_id RETURNING id',
})
export const endSessionOfToken = statement({
  name: 'end_user_session_of_token',
  values: { token_hash: bytea },
  columns: {},
  sql: 'DELETE FROM user_sessions WHERE token_hash = :token_hash',
})
/** All but one; '' is no session's id. */
export const endSessionsOfUser = statement({
  name: 'end_sessions_of_user',
  values: { user_id: text, kept_id: text },
  columns: { id: text },
  sql: 'DELETE FROM user_sessions WHERE user_id = :user_id AND id <> :kept_id RETURNING id',
})
export const endSessionsAtMerchant = statement({
  name: 'end_sessions_of_user_at_merchant',
  values: { user_id: text, merchant_id: text },
  columns: { id: text },
  sql: 'DELETE FROM user_sessions WHERE user_id = :user_id AND merchant_id = :merchant_id RETURNING id',
})
export const forgetEndedSessions = statement({
  name: 'forget_ended_user_sessions',
  values: {},
  columns: {},
  sql: `DELETE FROM user_sessions s WHERE NOT (${IS_OPEN})`,
})
