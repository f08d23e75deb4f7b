import type { JWK } from 'jose'
import type { Queries } from '../../platform/database/database.ts'
import { bytea, jsonb, nullable, text, timestamptz } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'

const keyColumns = {
  id: text,
  public_jwk: jsonb<JWK>(),
  master_key_id: nullable(text),
  wrapped_data_key: nullable(bytea),
  private_jwk: nullable(bytea),
  signs_from: timestamptz,
}
const columns = Object.keys(keyColumns).join(', ')

const keysByAge = statement({
  name: 'list_oauth_signing_keys',
  values: {},
  columns: keyColumns,
  sql: `SELECT ${columns} FROM oauth_signing_keys ORDER BY generation`,
})
/** Of several processes at once, one makes the next generation and the others find it made. */
const keyToAdd = statement({
  name: 'add_oauth_signing_key',
  values: {
    id: text,
    after: nullable(text),
    public_jwk: jsonb<JWK>(),
    master_key_id: text,
    wrapped_data_key: bytea,
    private_jwk: bytea,
    signs_from: timestamptz,
  },
  columns: { id: text },
  sql: `
    INSERT INTO oauth_signing_keys
      (id, generation, public_jwk, master_key_id, wrapped_data_key, private_jwk, signs_from)
    SELECT :id, coalesce(max(generation), 0) + 1, :public_jwk,
           :master_key_id, :wrapped_data_key, :private_jwk, :signs_from
    FROM oauth_signing_keys
    HAVING (SELECT id FROM oauth_signing_keys ORDER BY generation DESC LIMIT 1) IS NOT DISTINCT FROM :after
    ON CONFLICT (generation) DO NOTHING RETURNING id`,
})
const keysToDelete = statement({
  name: 'delete_oauth_signing_keys',
  values: { before: text },
  columns: { id: text },
  sql: `
    DELETE FROM oauth_signing_keys
    WHERE generation < (SELECT generation FROM oauth_signing_keys WHERE id = :before) RETURNING id`,
})

/** A key that signs access tokens. `sealed` is null once it was given up with its master key. */
export interface SigningKey {
  id: string
  publicJwk: JWK
  sealed: SealedText | null
  signsFrom: Date
}

/** Oldest first. */
export async function listSigningKeys(queries: Queries): Promise<SigningKey[]> {
  return (await queries.run(keysByAge, {})).map(toSigningKey)
}

/** Adds the key after the one with id `after` (null: the first); false if another process has added one. */
export async function addSigningKey(
  queries: Queries,
  { id, publicJwk, sealed, signsFrom }: SigningKey & { sealed: SealedText },
  after: string | null,
): Promise<boolean> {
  const added = await queries.run(keyToAdd, {
    id,
    after,
    public_jwk: publicJwk,
    master_key_id: sealed.masterKeyId,
    wrapped_data_key: sealed.wrappedDataKey,
    private_jwk: sealed.text,
    signs_from: signsFrom,
  })
  return added.length > 0
}

/** Deletes the keys that were made before this one. */
export async function deleteKeysBefore(queries: Queries, id: string): Promise<void> {
  await queries.run(keysToDelete, { before: id })
}

function toSigningKey(row: ValuesOf<typeof keyColumns>): SigningKey {
  const { id, public_jwk: publicJwk, signs_from: signsFrom } = row
  const { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, private_jwk: text } = row
  const isSealed = masterKeyId !== null && wrappedDataKey !== null && text !== null
  return { id, publicJwk, signsFrom, sealed: isSealed ? { masterKeyId, wrappedDataKey, text } : null }
}

/** The place that a private key is sealed for. */
export function signingKeyPlaceOf(id: string): string {
  return `oauth-signing-keys/${id}`
}

/** The data keys of signing keys. A key that is lost no longer signs; another is made in its place. */
export const signingKeys: KeyTable = {
  of: 'signing keys of access tokens',
  table: 'oauth_signing_keys',
  id: 'id',
  idType: 'text',
  merchantId: "''",
  name: 'id',
  placeOf: ({ name }) => signingKeyPlaceOf(name),
  isNeeded: 'private_jwk IS NOT NULL',
  erase: 'private_jwk = NULL, wrapped_data_key = NULL',
}
