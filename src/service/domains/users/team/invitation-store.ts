import type { Role } from '../../../../contract/dashboard/people/role.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { secretHashOf } from '../one-time-secret.ts'
import {
  addInvitation,
  countOthers,
  endResetsOfUser,
  findInvitation,
  forgetEnded,
  listInvitations,
  lockInvitation,
  revokeInvitation,
  revokeInvitationsBy,
  revokeInvitationsTo,
  takeInvitation,
} from './invitation-sql.ts'
import type { foundColumns, revokedColumns } from './invitation-sql.ts'

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

export interface RevokedInvitation {
  id: string
  merchantId: string
  email: string
  role: Role
}

/** Open invitations in SQL, by the hashes of their links' tokens. */
export interface InvitationStore {
  /** When it ends; null when there is no such merchant. */
  add: (queries: Queries, invitation: NewInvitation) => Promise<Date | null>
  find: (token: string) => Promise<Invitation | null>
  /** Whether it is open still; then it stays so until the transaction ends. */
  lock: (queries: Queries, invitationId: string) => Promise<boolean>
  /** Uses it up; null when another request did, or it was revoked or has ended. */
  take: (queries: Queries, invitationId: string) => Promise<{ merchantId: string; role: Role } | null>
  list: (merchantId: string) => Promise<ListedInvitation[]>
  /** How many are open to others than this person. */
  countOthers: (queries: Queries, merchantId: string, email: string) => Promise<number>
  /** Null when the merchant has no such open invitation. */
  revoke: (
    queries: Queries,
    merchantId: string,
    invitationId: string,
  ) => Promise<{ email: string; role: Role } | null>
  /** Those that a person has made, at one merchant or, without `merchantId`, at all. */
  revokeAllBy: (queries: Queries, userId: string, merchantId?: string) => Promise<RevokedInvitation[]>
  /** Those to an e-mail address, at every merchant. */
  revokeAllTo: (queries: Queries, email: string) => Promise<RevokedInvitation[]>
  /** Ends the links by which a person could set a new password. */
  endResets: (queries: Queries, userId: string) => Promise<void>
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
    async lock(queries, invitationId) {
      return (await queries.run(lockInvitation, { invitation_id: invitationId })).length > 0
    },
    async take(queries, invitationId) {
      const [taken] = await queries.run(takeInvitation, { invitation_id: invitationId })
      return taken === undefined ? null : { merchantId: taken.merchant_id, role: taken.role }
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
    async revokeAllBy(queries, userId, merchantId) {
      const values = { user_id: userId, merchant_id: merchantId ?? null }
      return (await queries.run(revokeInvitationsBy, values)).map(toRevoked)
    },
    async revokeAllTo(queries, email) {
      return (await queries.run(revokeInvitationsTo, { email })).map(toRevoked)
    },
    async endResets(queries, userId) {
      await queries.run(endResetsOfUser, { user_id: userId })
    },
    async forgetEnded() {
      await database.run(forgetEnded, {})
    },
  }
}

function toRevoked({ merchant_id: merchantId, ...row }: ValuesOf<typeof revokedColumns>): RevokedInvitation {
  return { ...row, merchantId }
}

function toInvitation(row: ValuesOf<typeof foundColumns>): Invitation {
  const { id, email, role, merchant_id: merchantId, merchant_name: merchantName } = row
  const { resets_user_id: resetsUserId, user_id: userId } = row
  return { id, merchantId, merchantName, email, role, resetsUserId, userId }
}
