import type { Role } from '../../../../contract/dashboard/role.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { bigint, bytea, nullable, text, textOf, timestamptz } from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { secretHashOf } from '../one-time-secret.ts'

/** In the place of an open one to the same person: of two links the newer is good. */
const addInvitation = statement({
  name: 'add_invitation',
  values: {
    invitation_id: text,
    token_hash: bytea,
    merchant_id: text,
    email: text,
    role: textOf<Role>(),
    invited_by: nullable(text),
    resets_user_id: nullable(text),
  },
  columns: { ends_at: timestamptz },
  sql: `
    INSERT INTO invitations (id, token_hash, merchant_id, email, role, invited_by, resets_user_id, ends_at)
    SELECT :invitation_id, :token_hash, id, :email, :role, :invited_by, :resets_user_id, now() + interval '7 days'
    FROM merchants WHERE id = :merchant_id
    ON CONFLICT (merchant_id, email) DO UPDATE SET
      id = excluded.id, token_hash = excluded.token_hash, role = excluded.role, invited_by = excluded.invited_by,
      resets_user_id = excluded.resets_user_id, created_at = excluded.created_at, ends_at = excluded.ends_at
    RETURNING ends_at`,
})
const foundColumns = {
  id: text,
  merchant_id: text,
  merchant_name: text,
  email: text,
  role: textOf<Role>(),
  resets_user_id: nullable(text),
  user_id: nullable(text),
}
const findInvitation = statement({
  name: 'find_invitation',
  values: { token_hash: bytea },
  columns: foundColumns,
  sql: `
    SELECT i.id, i.merchant_id, m.name AS merchant_name, i.email, i.role, i.resets_user_id,
           (SELECT u.id FROM users u WHERE u.email = i.email) AS user_id
    FROM invitations i JOIN merchants m ON m.id = i.merchant_id
    WHERE i.token_hash = :token_hash AND i.ends_at > now()`,
})
const takeInvitation = statement({
  name: 'take_invitation',
  values: { invitation_id: text },
  columns: { id: text },
  sql: 'DELETE FROM invitations WHERE id = :invitation_id AND ends_at > now() RETURNING id',
})
const listInvitations = statement({
  name: 'list_invitations',
  values: { merchant_id: text },
  columns: {
    id: text,
    email: text,
    role: textOf<Role>(),
    created_at: timestamptz,
    ends_at: timestamptz,
    invited_by: nullable(text),
  },
  sql: `
    SELECT i.id, i.email, i.role, i.created_at, i.ends_at,
           (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS invited_by
    FROM invitations i
    WHERE i.merchant_id = :merchant_id AND i.resets_user_id IS NULL AND i.ends_at > now()
    ORDER BY i.created_at, i.id`,
})
const countOthers = statement({
  name: 'count_open_invitations',
  values: { merchant_id: text, email: text },
  columns: { count: bigint },
  sql: `
    SELECT count(*) AS count FROM invitations
    WHERE merchant_id = :merchant_id AND email <> :email AND resets_user_id IS NULL AND ends_at > now()`,
})
const revokeInvitation = statement({
  name: 'revoke_invitation',
  values: { invitation_id: text, merchant_id: text },
  columns: { email: text, role: textOf<Role>() },
  sql: `
    DELETE FROM invitations
    WHERE id = :invitation_id AND merchant_id = :merchant_id AND resets_user_id IS NULL AND ends_at > now()
    RETURNING email, role`,
})
const forgetEnded = statement({
  name: 'forget_ended_invitations',
  values: {},
  columns: {},
  sql: 'DELETE FROM invitations WHERE ends_at <= now()',
})

interface NewInvitation {
  id: string
  token: string
  merchantId: string
  email: string
  role: Role
  /** Null: the operator. */
  invitedBy: string | null
  /** Set where the link is for this user, who is a member already, to set a new password. */
  resetsUserId: string | null
}

/** An invitation as its link finds it. */
export interface Invitation {
  id: string
  merchantId: string
  merchantName: string
  email: string
  role: Role
  resetsUserId: string | null
  /** The person who has an account under this e-mail address. */
  userId: string | null
}

export interface ListedInvitation {
  id: string
  email: string
  role: Role
  createdAt: Date
  endsAt: Date
  invitedBy: string | null
}

/** Open invitations in SQL, by the hashes of their links' tokens. */
export interface InvitationStore {
  /** When it ends; null when there is no such merchant. */
  add: (queries: Queries, invitation: NewInvitation) => Promise<Date | null>
  find: (token: string) => Promise<Invitation | null>
  /** Uses it up; false when another request did, or it was revoked or has ended. */
  take: (queries: Queries, invitationId: string) => Promise<boolean>
  list: (merchantId: string) => Promise<ListedInvitation[]>
  /** How many are open to others than this person. */
  countOthers: (queries: Queries, merchantId: string, email: string) => Promise<number>
  /** Null when the merchant has no such open invitation. */
  revoke: (
    queries: Queries,
    merchantId: string,
    invitationId: string,
  ) => Promise<{ email: string; role: Role } | null>
  forgetEnded: () => Promise<void>
}

export function createInvitationStore(database: Database): InvitationStore {
  return {
    async add(queries, { id, token, merchantId, email, role, invitedBy, resetsUserId }) {
      const values = { email, role, invited_by: invitedBy, resets_user_id: resetsUserId }
      const place = { invitation_id: id, token_hash: secretHashOf(token), merchant_id: merchantId }
      return (await queries.run(addInvitation, { ...place, ...values }))[0]?.ends_at ?? null
    },
    async find(token) {
      const [row] = await database.run(findInvitation, { token_hash: secretHashOf(token) })
      return row === undefined ? null : toInvitation(row)
    },
    async take(queries, invitationId) {
      return (await queries.run(takeInvitation, { invitation_id: invitationId })).length > 0
    },
    async list(merchantId) {
      const rows = await database.run(listInvitations, { merchant_id: merchantId })
      return rows.map(({ created_at: createdAt, ends_at: endsAt, invited_by: invitedBy, ...row }) => ({
        ...row,
        createdAt,
        endsAt,
        invitedBy,
      }))
    },
    async countOthers(queries, merchantId, email) {
      return (await queries.run(countOthers, { merchant_id: merchantId, email }))[0]?.count ?? 0
    },
    async revoke(queries, merchantId, invitationId) {
      const values = { invitation_id: invitationId, merchant_id: merchantId }
      return (await queries.run(revokeInvitation, values))[0] ?? null
    },
    async forgetEnded() {
      await database.run(forgetEnded, {})
    },
  }
}

function toInvitation(row: ValuesOf<typeof foundColumns>): Invitation {
  const { id, email, role, merchant_id: merchantId, merchant_name: merchantName } = row
  const { resets_user_id: resetsUserId, user_id: userId } = row
  return { id, merchantId, merchantName, email, role, resetsUserId, userId }
}
