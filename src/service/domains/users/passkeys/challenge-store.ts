import { randomBytes } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import { bytea, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { secretHashOf } from '../one-time-secret.ts'

const addChallenge = statement({
  name: 'add_passkey_challenge',
  values: { hash: bytea, purpose: text },
  columns: {},
  sql: `
    INSERT INTO passkey_challenges (hash, purpose, ends_at)
    VALUES (:hash, :purpose, now() + interval '5 minutes')`,
})
const takeChallenge = statement({
  name: 'take_passkey_challenge',
  values: { hash: bytea, purpose: text },
  columns: { purpose: text },
  sql: `
    DELETE FROM passkey_challenges WHERE hash = :hash AND purpose = :purpose AND ends_at > now() RETURNING purpose`,
})
const forgetEnded = statement({
  name: 'forget_ended_passkey_challenges',
  values: {},
  columns: {},
  sql: 'DELETE FROM passkey_challenges WHERE ends_at <= now()',
})

/** What passkeys are asked to sign: each is good once, for one purpose, for five minutes, at every process. */
export interface ChallengeStore {
  issue: (purpose: string) => Promise<Uint8Array<ArrayBuffer>>
  /** Uses one up, given in base64url; false when there is no such one for this purpose. */
  take: (challenge: string, purpose: string) => Promise<boolean>
  forgetEnded: () => Promise<void>
}

export function createChallengeStore(database: Database): ChallengeStore {
  return {
    async issue(purpose) {
      const challenge = randomBytes(32)
      await database.run(addChallenge, { hash: secretHashOf(challenge.toString('base64url')), purpose })
      return new Uint8Array(challenge)
    },
    async take(challenge, purpose) {
      return (await database.run(takeChallenge, { hash: secretHashOf(challenge), purpose })).length > 0
    },
    async forgetEnded() {
      await database.run(forgetEnded, {})
    },
  }
}
