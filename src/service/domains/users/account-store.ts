import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
  bigint,
  bool,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Account } from './account.ts'

interface NewUser {
  id: string
  email: string
  name: string
  timeZone: string
  passwordHash: string
}

/** A person in one team, or in none. */
export interface ListedUser {
  email: string
  name: string
  merchantId: string | null
  role: Role | null
  hasSecondFactor: boolean
  seenAt: Date | null
}

/** The account of an e-mail address. `knownPlace`: the first of `places` that this person has signed in from, or null. */
export async function findAccountByEmail(
  queries: Queries,
  email: string,
  places: readonly string[],
): Promise<(Account & { knownPlace: string | null }) | null> {
  const [row] = await queries.run(selectByEmail, { email, places: [...places] })
  return row === undefined ? null : { ...toAccount(row), knownPlace: row.known_place }
}

export async function findAccount(queries: Queries, userId: string): Promise<Account | null> {
  const [row] = await queries.run(selectAccount, { user_id: userId })
  return row === undefined ? null : toAccount(row)
}

/** The current account. Its password and second factors stay unchanged until the transaction ends. */
export async function lockAccount(queries: Queries, userId: string): Promise<Account | null> {
  await queries.run(selectForUpdate, { user_id: userId })
  // A second statement, because one that had to wait still sees the data from before the wait.
  return findAccount(queries, userId)
}

export async function listUsers(queries: Queries): Promise<ListedUser[]> {
  const rows = await queries.run(selectUsers, {})
  return rows.map(({ merchant_id: merchantId, has_second_factor: hasSecondFactor, ...row }) => {
    const { email, name, role, seen_at: seenAt } = row
    return { email, name, role, merchantId, hasSecondFactor, seenAt }
  })
}

export function merchantsOfUser(
  queries: Queries,
  userId: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  return queries.run(selectMerchants, { user_id: userId })
}

/** Rejects with a conflict in `users_by_email` if the e-mail address has an account. */
export async function addUser(
  queries: Queries,
  { id, email, name, timeZone, passwordHash }: NewUser,
): Promise<void> {
  const values = { email, name, time_zone: timeZone, password_hash: passwordHash }
  await queries.run(insertUser, { user_id: id, ...values })
}

export async function recordPlaces(
  queries: Queries,
  userId: string,
  places: readonly string[],
): Promise<void> {
  await queries.run(upsertPlaces, { user_id: userId, places: [...places] })
}

/** False if the password has changed in the meantime. */
export async function replacePassword(
  queries: Queries,
  userId: string,
  oldHash: string,
  newHash: string,
): Promise<boolean> {
  const values = { user_id: userId, old_hash: oldHash, new_hash: newHash }
  return (await queries.run(replaceHash, values)).length > 0
}

/** `newHash` null: nobody can sign in by password until a new one is set. */
export async function setPassword(queries: Queries, userId: string, newHash: string | null): Promise<void> {
  await queries.run(updateHash, { user_id: userId, new_hash: newHash })
}

export async function changeUser(
  queries: Queries,
  userId: string,
  { name, timeZone }: { name?: string; timeZone?: string },
): Promise<void> {
  await queries.run(updateUser, { user_id: userId, name: name ?? null, time_zone: timeZone ?? null })
}

export async function removeUser(queries: Queries, userId: string): Promise<void> {
  await queries.run(deleteUser, { user_id: userId })
}

export async function forgetOldPlaces(queries: Queries): Promise<void> {
  await queries.run(deleteOldPlaces, {})
}

const accountColumns = {
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

/** The counts use an index, and a person has a handful of each. */
const ACCOUNT = `
  u.id, u.email, u.name, u.time_zone, u.password_hash,
  (SELECT r.merchant_id FROM memberships r WHERE r.user_id = u.id
   ORDER BY r.seen_at DESC NULLS LAST, r.created_at, r.merchant_id LIMIT 1) AS merchant_id,
  EXISTS (SELECT FROM user_totp t WHERE t.user_id = u.id AND t.is_confirmed) AS has_totp,
  (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id) AS passkeys,
  (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id) AS recovery_codes_left`

const selectByEmail = statement({
  name: 'find_user_by_email',
  values: { email: text, places: arrayOf(text) },
  columns: { ...accountColumns, known_place: nullable(text) },
  sql: `
    SELECT ${ACCOUNT},
      (SELECT a.address FROM user_addresses a WHERE a.user_id = u.id AND a.address = ANY (:places::text[])
       ORDER BY array_position(:places::text[], a.address) LIMIT 1) AS known_place
    FROM users u WHERE u.email = :email`,
})
const selectAccount = statement({
  name: 'find_user',
  values: { user_id: text },
  columns: accountColumns,
  sql: `SELECT ${ACCOUNT} FROM users u WHERE u.id = :user_id`,
})
/** Sign-ins and changes of a password or second factor take turns here. An invitation does not wait: the check of its
 * foreign key passes this lock. */
const selectForUpdate = statement({
  name: 'lock_user',
  values: { user_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM users WHERE id = :user_id FOR NO KEY UPDATE',
})
const insertUser = statement({
  name: 'add_user',
  values: { user_id: text, email: text, name: text, password_hash: text, time_zone: text },
  columns: {},
  sql: `
    INSERT INTO users (id, email, name, password_hash, time_zone)
    VALUES (:user_id, :email, :name, :password_hash, :time_zone)`,
})
/** The networks and browsers that a user has signed in from, for the throttle. */
const upsertPlaces = statement({
  name: 'note_address_of_user',
  values: { user_id: text, places: arrayOf(text) },
  columns: {},
  sql: `
    INSERT INTO user_addresses (user_id, address) SELECT :user_id, unnest(:places::text[])
    ON CONFLICT (user_id, address) DO UPDATE SET seen_at = now()`,
})
const deleteOldPlaces = statement({
  name: 'forget_old_addresses_of_users',
  values: {},
  columns: {},
  sql: "DELETE FROM user_addresses WHERE seen_at < now() - interval '90 days'",
})
/** Only while the hash is still the old one: of two changes at once, one succeeds. */
const replaceHash = statement({
  name: 'change_password_of_user',
  values: { user_id: text, old_hash: text, new_hash: text },
  columns: { id: text },
  sql: `
    UPDATE users SET password_hash = :new_hash WHERE id = :user_id AND password_hash = :old_hash RETURNING id`,
})
const updateHash = statement({
  name: 'set_password_of_user',
  values: { user_id: text, new_hash: nullable(text) },
  columns: { id: text },
  sql: 'UPDATE users SET password_hash = :new_hash WHERE id = :user_id RETURNING id',
})
const updateUser = statement({
  name: 'change_user',
  values: { user_id: text, name: nullable(text), time_zone: nullable(text) },
  columns: { id: text },
  sql: `
    UPDATE users SET name = coalesce(:name, name), time_zone = coalesce(:time_zone, time_zone)
    WHERE id = :user_id RETURNING id`,
})
const deleteUser = statement({
  name: 'remove_user',
  values: { user_id: text },
  columns: { id: text },
  sql: 'DELETE FROM users WHERE id = :user_id RETURNING id',
})
const selectUsers = statement({
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
const selectMerchants = statement({
  name: 'list_merchants_of_user',
  values: { user_id: text },
  columns: { id: text, name: text, role: textOf<Role>() },
  sql: `
    SELECT m.id, m.name, r.role FROM memberships r JOIN merchants m ON m.id = r.merchant_id
    WHERE r.user_id = :user_id ORDER BY m.name, m.id`,
})

function toAccount(row: ValuesOf<typeof accountColumns>): Account {
  const { id, email, name, time_zone: timeZone, password_hash: passwordHash } = row
  const { merchant_id: merchantId, has_totp: hasTotp } = row
  const { passkeys, recovery_codes_left: recoveryCodesLeft } = row
  return { id, email, name, timeZone, passwordHash, merchantId, hasTotp, passkeys, recoveryCodesLeft }
}
