import type { Scope } from '../../../../contract/api/scope.ts'
import type { Database } from '../../../platform/database/database.ts'
import {
  arrayOf,
  bytea,
  float8,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { createAddClientEvent } from './client-events.ts'
import type { Acts } from './client-events.ts'
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

const findClient = statement({
  name: 'find_oauth_client',
  values: { client_id: text },
  columns: clientColumns,
  sql: `SELECT ${columns} FROM oauth_clients WHERE id = :client_id`,
})
/** By the database's clock, which is the same for every process. */
const findSecrets = statement({
  name: 'find_oauth_secrets',
  values: { client_id: text },
  columns: { hash: bytea },
  sql: `
    SELECT hash FROM oauth_secrets
    WHERE client_id = :client_id AND (revoked_at IS NULL OR revoked_at > now())`,
})
const addClient = statement({
  name: 'add_oauth_client',
  values: { client_id: text, merchant_id: text, issuer: nullable(text), scopes: arrayOf(textOf<Scope>()) },
  columns: { id: text },
  sql: `
    INSERT INTO oauth_clients (id, merchant_id, issuer, scopes)
    SELECT :client_id, id, :issuer, :scopes FROM merchants WHERE id = :merchant_id
    ON CONFLICT (id) DO NOTHING RETURNING id`,
})
const addSecret = statement({
  name: 'add_oauth_secret',
  values: { hash: bytea, client_id: text },
  columns: {},
  sql: 'INSERT INTO oauth_secrets (hash, client_id) VALUES (:hash, :client_id)',
})
const listClients = statement({
  name: 'list_oauth_clients',
  values: { merchant_id: text },
  columns: clientColumns,
  sql: `SELECT ${columns} FROM oauth_clients WHERE merchant_id = :merchant_id ORDER BY created_at, id`,
})
const revokeClient = statement({
  name: 'revoke_oauth_client',
  values: { client_id: text },
  columns: clientColumns,
  sql: `
    UPDATE oauth_clients SET revoked_at = date_trunc('milliseconds', now())
    WHERE id = :client_id AND revoked_at IS NULL RETURNING ${columns}`,
})
/** Two rolls of one client wait for each other. */
const lockClient = statement({
  name: 'lock_oauth_client',
  values: { client_id: text },
  columns: clientColumns,
  sql: `
    SELECT ${columns} FROM oauth_clients
    WHERE id = :client_id AND issuer IS NULL AND revoked_at IS NULL FOR NO KEY UPDATE`,
})
/** One that ends sooner keeps its end. */
const endSecrets = statement({
  name: 'end_oauth_secrets',
  values: { client_id: text, overlap_seconds: float8 },
  columns: { revoked_at: nullable(timestamptz) },
  sql: `
    UPDATE oauth_secrets SET revoked_at = date_trunc('milliseconds', now()) + :overlap_seconds * interval '1 second'
    WHERE client_id = :client_id
      AND (revoked_at IS NULL OR revoked_at > now() + :overlap_seconds * interval '1 second')
    RETURNING revoked_at`,
})

/** Clients and the hashes of their secrets in SQL; what changes them is an event in the same transaction. */
export interface ClientStore {
  find: (clientId: string) => Promise<OauthClient | null>
  /** Hashes of the secrets that work now. */
  secretsOf: (clientId: string) => Promise<Buffer[]>
  /** False when there is no such merchant, or a client of that id already. */
  add: (client: NewClient, secretHash: Buffer | null) => Promise<boolean>
  list: (merchantId: string) => Promise<OauthClient[]>
  /** Revokes a client at once; null when there is no active client with this id. */
  revoke: (clientId: string) => Promise<OauthClient | null>
  /**
   * Adds a secret, and ends earlier ones after `overlapSeconds`. Returns when the last of them ends; null without any.
   * Null in place of that when no such client has secrets here.
   */
  roll: (
    clientId: string,
    secretHash: Buffer,
    overlapSeconds: number,
  ) => Promise<{ oldEndsAt: Date | null } | null>
}

type NewClient = Pick<OauthClient, 'id' | 'merchantId' | 'issuer' | 'scopes'>

export function createClientStore(database: Database, acts: Acts): ClientStore {
  const addEvent = createAddClientEvent(acts)
  return {
    async find(clientId) {
      const [row] = await database.run(findClient, { client_id: clientId })
      return row === undefined ? null : toClient(row)
    },
    secretsOf: async (clientId) =>
      (await database.run(findSecrets, { client_id: clientId })).map(({ hash }) => hash),
    add: ({ id, merchantId, issuer, scopes }, hash) =>
      database.transaction(async (queries) => {
        const values = { client_id: id, merchant_id: merchantId, issuer, scopes }
        if ((await queries.run(addClient, values)).length === 0) return false
        if (hash !== null) await queries.run(addSecret, { hash, client_id: id })
        await addEvent(queries, id, 'oauth_client.added', { scopes, issuer })
        return true
      }),
    list: async (merchantId) => (await database.run(listClients, { merchant_id: merchantId })).map(toClient),
    revoke: (clientId) =>
      database.transaction(async (queries) => {
        const [row] = await queries.run(revokeClient, { client_id: clientId })
        if (row === undefined) return null
        const client = toClient(row)
        await addEvent(queries, clientId, 'oauth_client.revoked', {})
        return client
      }),
    roll: (clientId, hash, overlapSeconds) =>
      database.transaction(async (queries) => {
        const [row] = await queries.run(lockClient, { client_id: clientId })
        if (row === undefined) return null
        const ended = await queries.run(endSecrets, { client_id: clientId, overlap_seconds: overlapSeconds })
        await queries.run(addSecret, { hash, client_id: clientId })
        const oldEndsAt = ended[0]?.revoked_at ?? null
        await addEvent(queries, clientId, 'oauth_secret.rolled', {
          old_ends_at: oldEndsAt?.toISOString() ?? null,
        })
        return { oldEndsAt }
      }),
  }
}

function toClient(row: ValuesOf<typeof clientColumns>): OauthClient {
  const { id, merchant_id: merchantId, issuer, scopes, created_at: createdAt, revoked_at: revokedAt } = row
  return { id, merchantId, issuer, scopes, createdAt, revokedAt }
}
