import type { Role } from '../../../contract/dashboard/people/role.ts'
import {
  arrayOf,
  bigint,
  bool,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'

export const accountColumns = {
  id: text,
  email: text,
  name: text,
  time_zone: text,
  password_hash: nullable(text),
  merchant_id: nullable(text),
  has_totp: bool,
  passkeys: bigint,
  recovery_codes_left: bigint,
}

/** Counts by index; a person has a handful of each. */
const ACCOUNT = `
  u.id, u.email, u.name, u.time_zone, u.password_hash,
  (SELECT r.merchant_id FROM memberships r WHERE r.user_id = u.id
   ORDER BY r.seen_at DESC NULLS LAST, r.created_at, r.merchant_id LIMIT 1) AS merchant_id,
  EXISTS (SELECT FROM user_totp t WHERE t.user_id = u.id AND t.is_confirmed) AS has_totp,
  (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id) AS passkeys,
  (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id) AS recovery_codes_left`

export const findByEmail = statement({
  name: 'find_user_by_email',
  values: { email: text, places: arrayOf(text) },
  columns: { ...accountColumns, known_place: nullable(text) },
  sql: `
    SELECT ${ACCOUNT},
      (SELECT a.address FROM user_addresses a WHERE a.user_id = u.id AND a.address = ANY (:places::text[])
       ORDER BY array_position(:places::text[], a.address) LIMIT 1) AS known_place
    FROM users u WHERE u.email = :email`,
})
export const findAccount = statement({
  name: 'find_user',
  values: { user_id: text },
  columns: accountColumns,
  sql: `SELECT ${ACCOUNT} FROM users u WHERE u.id = :user_id`,
})
/**
 * Whoever changes a person's password or second factors, or logs that person in, waits here for whoever does so already; what only refers to
 * the person, such as a new invitation, does not.
 */
export const lockUser = statement({
  name: 'lock_user',
  values: { user_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM users WHERE id = :user_id FOR NO KEY UPDATE',
})
export const addUser = statement({
  name: 'add_user',
  values: { user_id: text, email: text, name: text, password_hash: text, time_zone: text },
  columns: {},
  sql: `
    INSERT INTO users (id, email, name, password_hash, time_zone)
    VALUES (:user_id, :email, :name, :password_hash, :time_zone)`,
})
/** Networks and browsers in which a user has signed in, for the throttle. */
export const recordPlaces = statement({
  name: 'note_address_of_user',
  values: { user_id: text, places: arrayOf(text) },
  columns: {},
  sql: `
    INSERT INTO user_addresses (user_id, address) SELECT :user_id, unnest(:places::text[])
    ON CONFLICT (user_id, address) DO UPDATE SET seen_at = now()`,
})
export const forgetOldPlaces = statement({
  name: 'forget_old_addresses_of_users',
  values: {},
  columns: {},
  sql: "DELETE FROM user_addresses WHERE seen_at < now() - interval '90 days'",
})
/** Only while the password is the one that was looked at: of two changes at once one counts. */
export const changePassword = statement({
  name: 'change_password_of_user',
  values: { user_id: text, old_hash: text, new_hash: text },
  columns: { id: text },
  sql: `
    UPDATE users SET password_hash = :new_hash WHERE id = :user_id AND password_hash = :old_hash RETURNING id`,
})
/** Null until its new owner sets one. */
export const setPassword = statement({
  name: 'set_password_of_user',
  values: { user_id: text, new_hash: nullable(text) },
  columns: { id: text },
  sql: 'UPDATE users SET password_hash = :new_hash WHERE id = :user_id RETURNING id',
})
export const changeUser = statement({
  name: 'change_user',
  values: { user_id: text, name: nullable(text), time_zone: nullable(text) },
  columns: { id: text },
  sql: `
    UPDATE users SET name = coalesce(:name, name), time_zone = coalesce(:time_zone, time_zone)
    WHERE id = :user_id RETURNING id`,
})
export const removeUser = statement({
  name: 'remove_user',
  values: { user_id: text },
  columns: { id: text },
  sql: 'DELETE FROM users WHERE id = :user_id RETURNING id',
})
export const listUsers = statement({
  name: 'list_users',
  values: {},
  columns: {
    email: text,
    name: text,
    merchant_id: nullable(text),
    role: nullable(textOf<Role>()),
    has_second_factor: bool,
    seen_at: nullable(timestamptz),
  },
  sql: `
    SELECT u.email, u.name, r.merchant_id, r.role, r.seen_at,
           EXISTS (SELECT FROM user_totp t WHERE t.user_id = u.id AND t.is_confirmed)
             OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id) AS has_second_factor
    FROM users u LEFT JOIN memberships r ON r.user_id = u.id ORDER BY u.email, r.merchant_id`,
})
export const listMerchants = statement({
  name: 'list_merchants_of_user',
  values: { user_id: text },
  columns: { id: text, name: text, role: textOf<Role>() },
  sql: `
    SELECT m.id, m.name, r.role FROM memberships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.user_id = :user_id ORDER BY m.name, m.id`,
})
