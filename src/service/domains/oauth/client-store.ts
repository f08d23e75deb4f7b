import type { Scope } from '../../../contract/api/scope.ts'
import type { Queries } from '../../platform/database/database.ts'
import {
  arrayOf,
  bytea,
  float8,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { OauthClient } from './client.ts'

const clientColumns = {
  id: text,
  merchant_id: text,
  issuer: nullable(text),
  scopes: arrayOf(textOf<Scope>()),
  created_at: timestamptz,
  revoked_at: nullable(timestamptz),
}
const columns = Object.keys(clientColumns).join(', ')

const clientById = statement({
  name: 'find_oauth_client',
  values: { client_id: text },
  columns: clientColumns,
  sql: `SELECT ${columns} FROM oauth_clients WHERE id = :client_id`,
})
/** By the database's clock, which is the same for every process. */
const secretsOfClient = statement({
  name: 'find_oauth_secrets',
  values: { client_id: text },
  columns: { hash: bytea },
  sql: `
    SELECT hash FROM oauth_secrets
    WHERE client_id = :client_id AND (revoked_at IS NULL OR revoked_at > now())`,
})
const clientToAdd = statement({
  name: 'add_oauth_client',
  values: { client_id: text, merchant_id: text, issuer: nullable(text), scopes: arrayOf(textOf<Scope>()) },
  columns: { id: text },
  sql: `
    INSERT INTO oauth_clients (id, merchant_id, issuer, scopes)
    SELECT :client_id, id, :issuer, :scopes FROM merchants WHERE id = :merchant_id
    ON CONFLICT (id) DO NOTHING RETURNING id`,
})
const secretToAdd = statement({
  name: 'add_oauth_secret',
  values: { hash: bytea, client_id: text },
  columns: {},
  sql: 'INSERT INTO oauth_secrets (hash, client_id) VALUES (:hash, :client_id)',
})
const clientsOfMerchant = statement({
  name: 'list_oauth_clients',
  values: { merchant_id: text },
  columns: clientColumns,
  sql: `SELECT ${columns} FROM oauth_clients WHERE merchant_id = :merchant_id ORDER BY created_at, id`,
})
const clientToRevoke = statement({
  name: 'revoke_oauth_client',
  values: { client_id: text },
  columns: clientColumns,
  sql: `
    UPDATE oauth_clients SET revoked_at = date_trunc('milliseconds', now())
    WHERE id = :client_id AND revoked_at IS NULL RETURNING ${columns}`,
})
/** Two rolls of one client wait for each other. */
const clientToLock = statement({
  name: 'lock_oauth_client',
  values: { client_id: text },
  columns: clientColumns,
  sql: `
    SELECT ${columns} FROM oauth_clients
    WHERE id = :client_id AND issuer IS NULL AND revoked_at IS NULL FOR NO KEY UPDATE`,
})
/** A secret that ends sooner keeps its end. */
const secretsToEnd = statement({
  name: 'end_oauth_secrets',
  values: { client_id: text, overlap_seconds: float8 },
  columns: { revoked_at: nullable(timestamptz) },
  sql: `
    UPDATE oauth_secrets SET revoked_at = date_trunc('milliseconds', now()) + :overlap_seconds * interval '1 second'
    WHERE client_id = :client_id
      AND (revoked_at IS NULL OR revoked_at > now() + :overlap_seconds * interval '1 second')
    RETURNING revoked_at`,
})

export type NewClient = Pick<OauthClient, 'id' | 'merchantId' | 'issuer' | 'scopes'>

export async function findClient(queries: Queries, clientId: string): Promise<OauthClient | null> {
  const [row] = await queries.run(clientById, { client_id: clientId })
  return row === undefined ? null : toClient(row)
}

/** Hashes of the secrets that work now. */
export async function secretsOf(queries: Queries, clientId: string): Promise<Buffer[]> {
  return (await queries.run(secretsOfClient, { client_id: clientId })).map(({ hash }) => hash)
}

/** Oldest first. */
export async function listClients(queries: Queries, merchantId: string): Promise<OauthClient[]> {
  return (await queries.run(clientsOfMerchant, { merchant_id: merchantId })).map(toClient)
}

/** False if there is no such merchant, or a client with that id already. */
export async function addClient(
  queries: Queries,
  { id, merchantId, issuer, scopes }: NewClient,
): Promise<boolean> {
  const values = { client_id: id, merchant_id: merchantId, issuer, scopes }
  return (await queries.run(clientToAdd, values)).length > 0
}

export async function addSecret(queries: Queries, clientId: string, hash: Buffer): Promise<void> {
  await queries.run(secretToAdd, { hash, client_id: clientId })
}

/** Ends a client at once; null if there is no active client with this id. */
export async function revokeClient(queries: Queries, clientId: string): Promise<OauthClient | null> {
  const [row] = await queries.run(clientToRevoke, { client_id: clientId })
  return row === undefined ? null : toClient(row)
}

/** Finds and locks an active client that has its secrets here. */
export async function lockClient(queries: Queries, clientId: string): Promise<OauthClient | null> {
  const [row] = await queries.run(clientToLock, { client_id: clientId })
  return row === undefined ? null : toClient(row)
}

/** Ends a client's secrets after `overlapSeconds`; returns when the last of them ends, null without any. */
export async function endSecrets(
  queries: Queries,
  clientId: string,
  overlapSeconds: number,
): Promise<Date | null> {
  const ended = await queries.run(secretsToEnd, { client_id: clientId, overlap_seconds: overlapSeconds })
  return ended[0]?.revoked_at ?? null
}

function toClient(row: ValuesOf<typeof clientColumns>): OauthClient {
  const { id, merchant_id: merchantId, issuer, scopes, created_at: createdAt, revoked_at: revokedAt } = row
  return { id, merchantId, issuer, scopes, createdAt, revokedAt }
}
