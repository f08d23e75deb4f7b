import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { Queries } from '../../platform/database/database.ts'
import { bool, nullable, text, textOf, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'

/** Somebody in a merchant's team. */
export interface Member {
  id: string
  email: string
  name: string
  role: Role
  hasSecondFactor: boolean
  seenAt: Date | null
}

/** Somebody who is or was in a merchant's team. */
export interface NamedPerson {
  id: string
  /** Of a former member, the name at the time of leaving. */
  name: string
  isFormer: boolean
}

export async function listMembers(queries: Queries, merchantId: string): Promise<Member[]> {
  const rows = await queries.run(selectMembers, { merchant_id: merchantId })
  return rows.map(({ has_second_factor: hasSecondFactor, seen_at: seenAt, ...row }) => ({
    ...row,
    hasSecondFactor,
    seenAt,
  }))
}

/** The members and former members of a merchant. */
export async function listPeople(queries: Queries, merchantId: string): Promise<NamedPerson[]> {
  const rows = await queries.run(selectPeople, { merchant_id: merchantId })
  return rows.map(({ is_former: isFormer, ...row }) => ({ ...row, isFormer }))
}

/** False if the user is a member already, whose role then stays. */
export async function addMember(
  queries: Queries,
  merchantId: string,
  userId: string,
  role: Role,
): Promise<boolean> {
  const values = { merchant_id: merchantId, user_id: userId, role }
  return (await queries.run(insertMember, values)).length > 0
}

export async function hasMember(queries: Queries, merchantId: string, email: string): Promise<boolean> {
  return (await queries.run(selectByEmail, { merchant_id: merchantId, email })).length > 0
}

/** The ids of a merchant's owners, who stay the same until the transaction ends. */
export async function lockOwners(queries: Queries, merchantId: string): Promise<string[]> {
  const rows = await queries.run(selectOwnersForUpdate, { merchant_id: merchantId })
  return rows.map(({ user_id: userId }) => userId)
}

/** False if the merchant has no such member. */
export async function setRole(
  queries: Queries,
  merchantId: string,
  userId: string,
  role: Role,
): Promise<boolean> {
  const values = { merchant_id: merchantId, user_id: userId, role }
  return (await queries.run(updateRole, values)).length > 0
}

/** False if the merchant has no such member. */
export async function removeMember(queries: Queries, merchantId: string, userId: string): Promise<boolean> {
  const values = { merchant_id: merchantId, user_id: userId }
  return (await queries.run(deleteMember, values)).length > 0
}

const selectMembers = statement({
  name: 'list_members',
  values: { merchant_id: text },
  columns: {
    id: text,
    email: text,
    name: text,
    role: textOf<Role>(),
    has_second_factor: bool,
    seen_at: nullable(timestamptz),
  },
  sql: `
    SELECT u.id, u.email, u.name, r.role, r.seen_at,
           EXISTS (SELECT FROM user_totp t WHERE t.user_id = u.id AND t.is_confirmed)
             OR EXISTS (SELECT FROM passkeys p WHERE p.user_id = u.id) AS has_second_factor
    FROM memberships r JOIN users u ON u.id = r.user_id
    WHERE r.merchant_id = :merchant_id ORDER BY r.created_at, u.id`,
})
const insertMember = statement({
  name: 'add_member',
  values: { merchant_id: text, user_id: text, role: textOf<Role>() },
  columns: { user_id: text },
  sql: `
    INSERT INTO memberships (merchant_id, user_id, role) VALUES (:merchant_id, :user_id, :role)
    ON CONFLICT (merchant_id, user_id) DO NOTHING RETURNING user_id`,
})
const selectByEmail = statement({
  name: 'find_member_by_email',
  values: { merchant_id: text, email: text },
  columns: { id: text },
  sql: `
    SELECT u.id FROM users u JOIN memberships r ON r.user_id = u.id
    WHERE u.email = :email AND r.merchant_id = :merchant_id`,
})
/** Changes of a merchant's owners take turns here, so that two who leave at once do not leave it without one. */
const selectOwnersForUpdate = statement({
  name: 'lock_owners',
  values: { merchant_id: text },
  columns: { user_id: text },
  sql: `
    SELECT user_id FROM memberships WHERE merchant_id = :merchant_id AND role = 'owner' ORDER BY user_id FOR UPDATE`,
})
const updateRole = statement({
  name: 'change_role_of_member',
  values: { merchant_id: text, user_id: text, role: textOf<Role>() },
  columns: { user_id: text },
  sql: `
    UPDATE memberships SET role = :role WHERE merchant_id = :merchant_id AND user_id = :user_id RETURNING user_id`,
})
/** Keeps the name, for the audit log and the history of payments. */
const deleteMember = statement({
  name: 'remove_member',
  values: { merchant_id: text, user_id: text },
  columns: { user_id: text },
  sql: `
    WITH removed AS (
      DELETE FROM memberships WHERE merchant_id = :merchant_id AND user_id = :user_id RETURNING user_id
    )
    INSERT INTO former_members (merchant_id, user_id, name)
    SELECT :merchant_id, u.id, u.name FROM removed JOIN users u ON u.id = removed.user_id
    ON CONFLICT (merchant_id, user_id) DO UPDATE SET name = excluded.name
    RETURNING user_id`,
})
const selectPeople = statement({
  name: 'list_people_of_merchant',
  values: { merchant_id: text },
  columns: { id: text, name: text, is_former: bool },
  sql: `
    SELECT u.id, u.name, false AS is_former
    FROM memberships r JOIN users u ON u.id = r.user_id WHERE r.merchant_id = :merchant_id
    UNION ALL
    SELECT f.user_id, f.name, true FROM former_members f
    WHERE f.merchant_id = :merchant_id AND NOT EXISTS (
      SELECT FROM memberships r WHERE r.merchant_id = f.merchant_id AND r.user_id = f.user_id)
    ORDER BY is_former, name, id`,
})
