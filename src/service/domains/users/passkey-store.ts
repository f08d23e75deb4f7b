import { randomBytes } from 'node:crypto'
import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, bigint, bytea, nullable, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { secretHashOf } from './one-time-secret.ts'

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

export interface NewPasskey extends Passkey {
  credentialId: string
  transports: readonly string[]
  name: string
}

export async function findPasskeyByCredential(
  queries: Queries,
  credentialId: string,
): Promise<Passkey | null> {
  const [row] = await queries.run(selectPasskey, { credential_id: credentialId })
  if (row === undefined) return null
  return { id: row.id, userId: row.user_id, publicKey: row.public_key, counter: row.counter }
}

export async function listPasskeys(queries: Queries, userId: string): Promise<ListedPasskey[]> {
  const rows = await queries.run(selectPasskeys, { user_id: userId })
  return rows.map(({ credential_id, created_at, last_used_at, ...row }) => ({
    ...row,
    credentialId: credential_id,
    createdAt: created_at,
    lastUsedAt: last_used_at,
  }))
}

/** Returns when it was added. Rejects with a conflict in `passkeys_by_credential` if the passkey is known already. */
export async function addPasskey(
  queries: Queries,
  { id, userId, credentialId, publicKey, ...passkey }: NewPasskey,
): Promise<Date | undefined> {
  const values = { passkey_id: id, user_id: userId, credential_id: credentialId, public_key: publicKey }
  return (await queries.run(insertPasskey, { ...values, ...passkey }))[0]?.created_at
}

/** False if the counter did not go up. */
export async function recordPasskeyUse(
  queries: Queries,
  passkeyId: string,
  counter: number,
): Promise<boolean> {
  return (await queries.run(updateCounter, { passkey_id: passkeyId, counter })).length > 0
}

/** Returns its name, or null if the user has no such passkey. */
export async function removePasskey(
  queries: Queries,
  userId: string,
  passkeyId: string,
): Promise<string | null> {
  const [removed] = await queries.run(deletePasskey, { passkey_id: passkeyId, user_id: userId })
  return removed?.name ?? null
}

export async function removePasskeysOfUser(queries: Queries, userId: string): Promise<void> {
  await queries.run(deletePasskeys, { user_id: userId })
}

/** A new challenge for a passkey to sign. It works once, for one purpose, for five minutes, at every process. */
export async function issueChallenge(queries: Queries, purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomBytes(32)
  await queries.run(insertChallenge, { hash: secretHashOf(challenge.toString('base64url')), purpose })
  return new Uint8Array(challenge)
}

/** Uses up a challenge, in base64url. False if there is none for this purpose. */
export async function useChallenge(queries: Queries, challenge: string, purpose: string): Promise<boolean> {
  return (await queries.run(deleteChallenge, { hash: secretHashOf(challenge), purpose })).length > 0
}

export async function forgetEndedChallenges(queries: Queries): Promise<void> {
  await queries.run(deleteEndedChallenges, {})
}

const selectPasskey = statement({
  name: 'find_passkey_by_credential',
  values: { credential_id: text },
  columns: { id: text, user_id: text, public_key: bytea, counter: bigint },
  sql: 'SELECT id, user_id, public_key, counter FROM passkeys WHERE credential_id = :credential_id',
})
const selectPasskeys = statement({
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
const insertPasskey = statement({
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
/** A counter that does not go up means a copied authenticator, unless it stays at 0: that one never counts (WebAuthn §6.1.1). */
const updateCounter = statement({
  name: 'record_use_of_passkey',
  values: { passkey_id: text, counter: bigint },
  columns: { id: text },
  sql: `
    UPDATE passkeys SET counter = :counter, last_used_at = now()
    WHERE id = :passkey_id AND (counter < :counter OR (counter = 0 AND :counter = 0)) RETURNING id`,
})
const deletePasskey = statement({
  name: 'remove_passkey',
  values: { passkey_id: text, user_id: text },
  columns: { name: text },
  sql: 'DELETE FROM passkeys WHERE id = :passkey_id AND user_id = :user_id RETURNING name',
})
const deletePasskeys = statement({
  name: 'remove_passkeys_of_user',
  values: { user_id: text },
  columns: {},
  sql: 'DELETE FROM passkeys WHERE user_id = :user_id',
})
const insertChallenge = statement({
  name: 'add_passkey_challenge',
  values: { hash: bytea, purpose: text },
  columns: {},
  sql: `
    INSERT INTO passkey_challenges (hash, purpose, ends_at)
    VALUES (:hash, :purpose, now() + interval '5 minutes')`,
})
const deleteChallenge = statement({
  name: 'take_passkey_challenge',
  values: { hash: bytea, purpose: text },
  columns: { purpose: text },
  sql: `
    DELETE FROM passkey_challenges WHERE hash = :hash AND purpose = :purpose AND ends_at > now() RETURNING purpose`,
})
const deleteEndedChallenges = statement({
  name: 'forget_ended_passkey_challenges',
  values: {},
  columns: {},
  sql: 'DELETE FROM passkey_challenges WHERE ends_at <= now()',
})
