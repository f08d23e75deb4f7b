import type { Role } from '../../../../contract/dashboard/people/role.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { bool, nullable, text, textOf, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'

const listMembers = statement({
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
const addMember = statement({
  name: 'add_member',
  values: { merchant_id: text, user_id: text, role: textOf<Role>() },
  columns: { user_id: text },
  sql: `
    INSERT INTO memberships (merchant_id, user_id, role) VALUES (:merchant_id, :user_id, :role)
    ON CONFLICT (merchant_id, user_id) DO NOTHING RETURNING user_id`,
})
const isMember = statement({
  name: 'find_member_by_email',
  values: { merchant_id: text, email: text },
  columns: { id: text },
  sql: `
    SELECT u.id FROM users u JOIN memberships r ON r.user_id = u.id
    WHERE u.email = :email AND r.merchant_id = :merchant_id`,
})
/** Whoever changes a merchant's owners waits here, so that of two who go at once one stays. */
const lockOwners = statement({
  name: 'lock_owners',
  values: { merchant_id: text },
  columns: { user_id: text },
  sql: `
    SELECT user_id FROM memberships WHERE merchant_id = :merchant_id AND role = 'owner' ORDER BY user_id FOR UPDATE`,
})
const changeRole = statement({
  name: 'change_role_of_member',
  values: { merchant_id: text, user_id: text, role: textOf<Role>() },
  columns: { user_id: text },
  sql: `
    UPDATE memberships SET role = :role WHERE merchant_id = :merchant_id AND user_id = :user_id RETURNING user_id`,
})
/** The name stays, for what the person did. */
const removeMember = statement({
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
const listPeople = statement({
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

export interface Member {
  id: string
  email: string
  name: string
  role: Role
  hasSecondFactor: boolean
  seenAt: Date | null
}

/** Somebody who is in a merchant's team, or was. */
export interface NamedPerson {
  id: string
  /** Of a former member the name at the time of leaving. */
  name: string
  isFormer: boolean
}

/** Who works for a merchant, in SQL. */
export interface MemberStore {
  list: (merchantId: string) => Promise<Member[]>
  /** The members, and those that were. */
  people: (merchantId: string) => Promise<NamedPerson[]>
  /** False for one who is a member already: the role stays. */
  add: (queries: Queries, merchantId: string, userId: string, role: Role) => Promise<boolean>
  hasEmail: (queries: Queries, merchantId: string, email: string) => Promise<boolean>
  /** The merchant's owners, who stay as they are until the transaction ends. */
  lockOwners: (queries: Queries, merchantId: string) => Promise<string[]>
  /** False when the merchant has no such member; `remove` too. */
  changeRole: (queries: Queries, merchantId: string, userId: string, role: Role) => Promise<boolean>
  remove: (queries: Queries, merchantId: string, userId: string) => Promise<boolean>
}

export function createMemberStore(database: Database): MemberStore {
  return {
    async list(merchantId) {
      const rows = await database.run(listMembers, { merchant_id: merchantId })
      return rows.map(({ has_second_factor: hasSecondFactor, seen_at: seenAt, ...row }) => ({
        ...row,
        hasSecondFactor,
        seenAt,
      }))
    },
    async people(merchantId) {
      const rows = await database.run(listPeople, { merchant_id: merchantId })
      return rows.map(({ is_former: isFormer, ...row }) => ({ ...row, isFormer }))
    },
    async add(queries, merchantId, userId, role) {
      const values = { merchant_id: merchantId, user_id: userId, role }
      return (await queries.run(addMember, values)).length > 0
    },
    async hasEmail(queries, merchantId, email) {
      return (await queries.run(isMember, { merchant_id: merchantId, email })).length > 0
    },
    async lockOwners(queries, merchantId) {
      const rows = await queries.run(lockOwners, { merchant_id: merchantId })
      return rows.map(({ user_id: userId }) => userId)
    },
    async changeRole(queries, merchantId, userId, role) {
      const values = { merchant_id: merchantId, user_id: userId, role }
      return (await queries.run(changeRole, values)).length > 0
    },
    async remove(queries, merchantId, userId) {
      const values = { merchant_id: merchantId, user_id: userId }
      return (await queries.run(removeMember, values)).length > 0
    },
  }
}
