import type { Database } from '../../../platform/database/database.ts'
import { singleFlight } from '../../../platform/concurrency/loading.ts'
import type { Session } from '../../../platform/http/callers/session.ts'
import { secretHashOf } from '../one-time-secret.ts'
import type { UnfinishedSession } from './session.ts'
import {
  findSession,
  findUnfinishedSession,
  forgetEndedSessions,
  listSessions,
  markSeen,
} from './session-sql.ts'

export interface ListedSession {
  id: string
  createdAt: Date
  seenAt: Date
  address: string
  userAgent: string
}

/** Sessions as they are in the database, found by the hashes of their tokens. */
export interface SessionReads {
  /** The open session of a token; null for every other token. `isActive` extends its idle time. */
  find: (token: string, isActive: boolean) => Promise<Session | null>
  findUnfinished: (token: string) => Promise<UnfinishedSession | null>
  /** Where a user is signed in, last used first. */
  list: (userId: string) => Promise<ListedSession[]>
  forgetEnded: () => Promise<void>
}

export function createSessionReads(database: Database): SessionReads {
  const read = singleFlight(async (hash) => {
    const [row] = await database.run(findSession, { token_hash: Buffer.from(hash, 'hex') })
    return row ?? null
  })
  return {
    async find(token, isActive) {
      const row = await read(secretHashOf(token).toString('hex'))
      if (row === null) return null
      if (isActive && !row.is_marked) await database.run(markSeen, { session_id: row.id })
      return {
        sessionId: row.id,
        user: { id: row.user_id, email: row.email, name: row.name },
        merchantId: row.merchant_id,
        role: row.role,
        freshUntil: row.fresh_until,
      }
    },
    async findUnfinished(token) {
      const [row] = await database.run(findUnfinishedSession, { token_hash: secretHashOf(token) })
      if (row === undefined) return null
      const { id: sessionId, user_id: userId, merchant_id: merchantId, invitation_id: invitationId } = row
      return { sessionId, userId, merchantId, invitationId }
    },
    async list(userId) {
      const rows = await database.run(listSessions, { user_id: userId })
      return rows.map(({ created_at: createdAt, seen_at: seenAt, user_agent: userAgent, id, address }) => ({
        id,
        createdAt,
        seenAt,
        address,
        userAgent,
      }))
    },
    async forgetEnded() {
      await database.run(forgetEndedSessions, {})
    },
  }
}
