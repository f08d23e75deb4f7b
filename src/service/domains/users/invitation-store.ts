import type { Role } from '../../../contract/dashboard/people/role.ts'
import type { Queries } from '../../platform/database/database.ts'
import { bigint, bytea, nullable, text, textOf, timestamptz } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { secretHashOf } from './one-time-secret.ts'

interface NewInvitation {
  id: string
  /** Only its hash is kept. */
  token: string
  merchantId: string
  email: string
  role: Role
  /** Null: an operator. */
  invitedBy: string | null
  /** The member who sets a new password by this link; null for a real invitation. */
  resetsUserId: string | null
}

/** An open invitation, as its link shows it. */
export interface Invitation {
  id: string
  merchantId: string
  merchantName: string
  email: string
  role: Role
  resetsUserId: string | null
  /** The account of this e-mail address, or null. */
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

export interface RevokedInvitation {
  id: string
  merchantId: string
  email: string
  role: Role
}

/** Returns when it ends, or null if there is no such merchant. */
export async function addInvitation(
  queries: Queries,
  { id, token, merchantId, email, role, invitedBy, resetsUserId }: NewInvitation,
): Promise<Date | null> {
  const values = { email, role, invited_by: invitedBy, resets_user_id: resetsUserId }
  const place = { invitation_id: id, token_hash: secretHashOf(token), merchant_id: merchantId }
  return (await queries.run(upsertInvitation, { ...place, ...values }))[0]?.ends_at ?? null
}

export async function findInvitation(queries: Queries, token: string): Promise<Invitation | null> {
  const [row] = await queries.run(selectInvitation, { token_hash: secretHashOf(token) })
  if (row === undefined) return null
  const { id, email, role, merchant_id: merchantId, merchant_name: merchantName } = row
  const { resets_user_id: resetsUserId, user_id: userId } = row
  return { id, merchantId, merchantName, email, role, resetsUserId, userId }
}

/** Whether it is still open; if so, it stays open until the transaction ends. */
export async function lockInvitation(queries: Queries, invitationId: string): Promise<boolean> {
  return (await queries.run(selectForUpdate, { invitation_id: invitationId })).length > 0
}

/** Uses an invitation up. Null if it is not open any more. */
export async function takeInvitation(
  queries: Queries,
  invitationId: string,
): Promise<{ merchantId: string; role: Role } | null> {
  const [taken] = await queries.run(deleteOpen, { invitation_id: invitationId })
  return taken === undefined ? null : { merchantId: taken.merchant_id, role: taken.role }
}

export async function listInvitations(queries: Queries, merchantId: string): Promise<ListedInvitation[]> {
  const rows = await queries.run(selectInvitations, { merchant_id: merchantId })
  return rows.map(({ created_at: createdAt, ends_at: endsAt, invited_by: invitedBy, ...row }) => ({
    ...row,
    createdAt,
    endsAt,
    invitedBy,
  }))
}

/** How many invitations of a merchant are open to people other than this one. */
export async function countOtherInvitations(
  queries: Queries,
  merchantId: string,
  email: string,
): Promise<number> {
  return (await queries.run(selectCount, { merchant_id: merchantId, email }))[0]?.count ?? 0
}

/** Null if the merchant has no such open invitation. */
export async function revokeInvitation(
  queries: Queries,
  merchantId: string,
  invitationId: string,
): Promise<{ email: string; role: Role } | null> {
  const values = { invitation_id: invitationId, merchant_id: merchantId }
  return (await queries.run(deleteOfMerchant, values))[0] ?? null
}

/** Revokes the invitations that a user sent, at one merchant or, without `merchantId`, at all of them. */
export async function revokeInvitationsFrom(
  queries: Queries,
  userId: string,
  merchantId?: string,
): Promise<RevokedInvitation[]> {
  const values = { user_id: userId, merchant_id: merchantId ?? null }
  return (await queries.run(deleteByInviter, values)).map(toRevoked)
}

/** Revokes the invitations to an e-mail address, at every merchant. */
export async function revokeInvitationsTo(queries: Queries, email: string): Promise<RevokedInvitation[]> {
  return (await queries.run(deleteByEmail, { email })).map(toRevoked)
}

/** Ends the links by which a user could set a new password. */
export async function endResetLinks(queries: Queries, userId: string): Promise<void> {
  await queries.run(deleteResets, { user_id: userId })
}

export async function forgetEndedInvitations(queries: Queries): Promise<void> {
  await queries.run(deleteEnded, {})
}

function toRevoked({ merchant_id: merchantId, ...row }: ValuesOf<typeof revokedColumns>): RevokedInvitation {
  return { ...row, merchantId }
}

/** Replaces an open invitation to the same person: of two links, only the newer works. */
const upsertInvitation = statement({
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
const selectInvitation = statement({
  name: 'find_invitation',
  values: { token_hash: bytea },
  columns: {
    id: text,
    merchant_id: text,
    merchant_name: text,
    email: text,
    role: textOf<Role>(),
    resets_user_id: nullable(text),
    user_id: nullable(text),
  },
  sql: `
    SELECT i.id, i.merchant_id, m.name AS merchant_name, i.email, i.role, i.resets_user_id,
           (SELECT u.id FROM users u WHERE u.email = i.email) AS user_id
    FROM invitations i JOIN merchants m ON m.id = i.merchant_id
    WHERE i.token_hash = :token_hash AND i.ends_at > now()`,
})
const deleteOpen = statement({
  name: 'take_invitation',
  values: { invitation_id: text },
  columns: { merchant_id: text, role: textOf<Role>() },
  sql: 'DELETE FROM invitations WHERE id = :invitation_id AND ends_at > now() RETURNING merchant_id, role',
})
/** Two requests that accept one link at once take turns here. */
const selectForUpdate = statement({
  name: 'lock_invitation',
  values: { invitation_id: text },
  columns: { id: text },
  sql: 'SELECT id FROM invitations WHERE id = :invitation_id AND ends_at > now() FOR UPDATE',
})
const selectInvitations = statement({
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
const selectCount = statement({
  name: 'count_open_invitations',
  values: { merchant_id: text, email: text },
  columns: { count: bigint },
  sql: `
    SELECT count(*) AS count FROM invitations
    WHERE merchant_id = :merchant_id AND email <> :email AND resets_user_id IS NULL AND ends_at > now()`,
})
const deleteOfMerchant = statement({
  name: 'revoke_invitation',
  values: { invitation_id: text, merchant_id: text },
  columns: { email: text, role: textOf<Role>() },
  sql: `
    DELETE FROM invitations
    WHERE id = :invitation_id AND merchant_id = :merchant_id AND resets_user_id IS NULL AND ends_at > now()
    RETURNING email, role`,
})
const revokedColumns = { id: text, merchant_id: text, email: text, role: textOf<Role>() }
/** At every merchant if `merchant_id` is null. */
const deleteByInviter = statement({
  name: 'revoke_invitations_by_user',
  values: { merchant_id: nullable(text), user_id: text },
  columns: revokedColumns,
  sql: `
    DELETE FROM invitations
    WHERE merchant_id = coalesce(:merchant_id, merchant_id) AND invited_by = :user_id AND resets_user_id IS NULL
      AND ends_at > now()
    RETURNING id, merchant_id, email, role`,
})
/** At every merchant. Links that reset a password stay. */
const deleteByEmail = statement({
  name: 'revoke_invitations_to_email',
  values: { email: text },
  columns: revokedColumns,
  sql: `
    DELETE FROM invitations WHERE email = :email AND resets_user_id IS NULL AND ends_at > now()
    RETURNING id, merchant_id, email, role`,
})
const deleteResets = statement({
  name: 'end_reset_links_of_user',
  values: { user_id: text },
  columns: {},
  sql: 'DELETE FROM invitations WHERE resets_user_id = :user_id',
})
const deleteEnded = statement({
  name: 'forget_ended_invitations',
  values: {},
  columns: {},
  sql: 'DELETE FROM invitations WHERE ends_at <= now()',
})
