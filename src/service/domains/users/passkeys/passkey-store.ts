import type { Database, Queries } from '../../../platform/database/database.ts'
import { arrayOf, bigint, bytea, nullable, text, timestamptz } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'

const findPasskey = statement({
  name: 'find_passkey_by_credential',
  values: { credential_id: text },
  columns: { id: text, user_id: text, public_key: bytea, counter: bigint },
  sql: 'SELECT id, user_id, public_key, counter FROM passkeys WHERE credential_id = :credential_id',
})
const listPasskeys = statement({
  name: 'list_passkeys_of_user',
  values: { user_id: text },
  columns: {
    id: text,
    name: text,
    credential_id: text,
    transports: arrayOf(text),
    created_at: timestamptz,
    last_used_at: nullable(timestamptz),
  },
  sql: `
    SELECT id, name, credential_id, transports, created_at, last_used_at FROM passkeys
    WHERE user_id = :user_id ORDER BY created_at, id`,
})
const addPasskey = statement({
  name: 'add_passkey',
  values: {
    passkey_id: text,
    user_id: text,
    credential_id: text,
    public_key: bytea,
    counter: bigint,
    transports: arrayOf(text),
    name: text,
  },
  columns: { created_at: timestamptz },
  sql: `
    INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, name)
    VALUES (:passkey_id, :user_id, :credential_id, :public_key, :counter, :transports, :name)
    RETURNING created_at`,
})
/** A counter only goes up, where its authenticator counts at all: one that does not is a copy (WebAuthn §6.1.1). */
const recordUse = statement({
  name: 'record_use_of_passkey',
  values: { passkey_id: text, counter: bigint },
  columns: { id: text },
  sql: `
    UPDATE passkeys SET counter = :counter, last_used_at = now()
    WHERE id = :passkey_id AND (counter < :counter OR (counter = 0 AND :counter = 0)) RETURNING id`,
})
const removePasskey = statement({
  name: 'remove_passkey',
  values: { passkey_id: text, user_id: text },
  columns: { name: text },
  sql: 'DELETE FROM passkeys WHERE id = :passkey_id AND user_id = :user_id RETURNING name',
})
const removePasskeys = statement({
  name: 'remove_passkeys_of_user',
  values: { user_id: text },
  columns: {},
  sql: 'DELETE FROM passkeys WHERE user_id = :user_id',
})

/** A passkey as sign-in needs it. */
export interface Passkey {
  id: string
  userId: string
  publicKey: Buffer
  counter: number
}

export interface ListedPasskey {
  id: string
  name: string
  /** In base64url, as WebAuthn has it. */
  credentialId: string
  transports: readonly string[]
  createdAt: Date
  lastUsedAt: Date | null
}

interface NewPasskey extends Passkey {
  credentialId: string
  transports: readonly string[]
  name: string
}

/** Passkeys in SQL. */
export interface PasskeyStore {
  ofCredential: (credentialId: string) => Promise<Passkey | null>
  list: (userId: string) => Promise<ListedPasskey[]>
  /** When it was added. Rejects with a conflict in `passkeys_by_credential` when it is known already. */
  add: (queries: Queries, passkey: NewPasskey) => Promise<Date | undefined>
  /** False when its counter did not go up. */
  recordUse: (queries: Queries, passkeyId: string, counter: number) => Promise<boolean>
  /** Its name; null when the user has no such passkey. */
  remove: (queries: Queries, userId: string, passkeyId: string) => Promise<string | null>
  removeAll: (queries: Queries, userId: string) => Promise<void>
}

export function createPasskeyStore(database: Database): PasskeyStore {
  return {
    async ofCredential(credentialId) {
      const [row] = await database.run(findPasskey, { credential_id: credentialId })
      if (row === undefined) return null
      return { id: row.id, userId: row.user_id, publicKey: row.public_key, counter: row.counter }
    },
    async list(userId) {
      const rows = await database.run(listPasskeys, { user_id: userId })
      return rows.map(({ credential_id, created_at, last_used_at, ...row }) => ({
        ...row,
        credentialId: credential_id,
        createdAt: created_at,
        lastUsedAt: last_used_at,
      }))
    },
    async add(queries, { id, userId, credentialId, publicKey, ...passkey }) {
      const values = { passkey_id: id, user_id: userId, credential_id: credentialId, public_key: publicKey }
      return (await queries.run(addPasskey, { ...values, ...passkey }))[0]?.created_at
    },
    async recordUse(queries, passkeyId, counter) {
      return (await queries.run(recordUse, { passkey_id: passkeyId, counter })).length > 0
    },
    async remove(queries, userId, passkeyId) {
      const [removed] = await queries.run(removePasskey, { passkey_id: passkeyId, user_id: userId })
      return removed?.name ?? null
    },
    async removeAll(queries, userId) {
      await queries.run(removePasskeys, { user_id: userId })
    },
  }
}
