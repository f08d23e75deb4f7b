import { randomBytes } from 'node:crypto'
import type { Scope } from '../../../contract/api/scope.ts'
import type { EventType } from '../../../contract/dashboard/event-types.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { addEvent } from '../../platform/events.ts'
import type { CreateId } from '../../platform/identifiers.ts'
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
import { CLIENT_ID, createSecret, isSameSecret, secretHashOf } from './client.ts'

/** A client that was just made. Its secret is shown here once and never again. */
export interface MadeClient {
  clientId: string
  clientSecret: string
  scopes: readonly Scope[]
}

interface ClientsDeps {
  database: Database
  createId: CreateId
  /** It stands in the secrets. */
  environment: string
  /** Who acts, for the audit log. */
  actor: Actor
}

/** What an operator, or a merchant on the dashboard, can do with OAuth clients. */
export type Clients = ReturnType<typeof createClients>

export function createClients(deps: ClientsDeps) {
  const { database, environment } = deps
  return {
    /**
     * Makes a client of the built-in issuer; null if there is no such merchant. `announce` is called with it before it is stored: a
     * crash between the two must not lose its secret.
     */
    async make(
      merchantId: string,
      scopes: readonly Scope[],
      announce: (made: MadeClient) => void = () => undefined,
    ): Promise<MadeClient | null> {
      const clientId = `client_${randomBytes(12).toString('hex')}`
      const made = { clientId, clientSecret: createSecret(environment), scopes }
      announce(made)
      const client = { id: clientId, merchantId, issuer: null, scopes }
      return (await add(deps, client, secretHashOf(made.clientSecret))) ? made : null
    },
    /** Registers another issuer's client for a merchant; false if there is no such merchant, or it is registered already. */
    register: (client: Pick<OauthClient, 'id' | 'merchantId' | 'scopes'> & { issuer: string }) =>
      add(deps, client, null),
    find: (clientId: string) => findClient(database, clientId),
    list: (merchantId: string) => listClients(database, merchantId),
    /** Ends a client at once; null if there is no active client with this id. */
    revoke: (clientId: string) =>
      database.transaction(async (queries) => {
        const client = await revokeClient(queries, clientId)
        if (client !== null) await note(queries, deps, client, 'oauth_client.revoked', {})
        return client
      }),
    /** Makes a new secret; older ones work for `overlapSeconds` more. Null if there is no such client that has secrets here. */
    roll: (
      clientId: string,
      overlapSeconds: number,
    ): Promise<{ clientSecret: string; oldEndsAt: Date | null } | null> =>
      database.transaction(async (queries) => {
        const client = await lockClient(queries, clientId)
        if (client === null) return null
        const clientSecret = createSecret(environment)
        const oldEndsAt = await endSecrets(queries, clientId, overlapSeconds)
        await addSecret(queries, clientId, secretHashOf(clientSecret))
        await note(queries, deps, client, 'oauth_secret.rolled', {
          old_ends_at: oldEndsAt?.toISOString() ?? null,
        })
        return { clientSecret, oldEndsAt }
      }),
    /** The client of the built-in issuer with this secret; null if one of the two is wrong, or has ended. */
    withSecret: (clientId: string, secret: string) => clientWithSecret(database, clientId, secret),
  }
}

async function add(deps: ClientsDeps, client: NewClient, secretHash: Buffer | null): Promise<boolean> {
  return deps.database.transaction(async (queries) => {
    if (!(await addClient(queries, client))) return false
    if (secretHash !== null) await addSecret(queries, client.id, secretHash)
    const { scopes, issuer } = client
    await note(queries, deps, client, 'oauth_client.added', { scopes, issuer })
    return true
  })
}

/** Adds an event about a client; `facts` hold no secrets. */
async function note(
  queries: Queries,
  { createId, actor }: ClientsDeps,
  { id, merchantId }: NewClient,
  type: EventType,
  facts: object,
): Promise<void> {
  await addEvent(queries, {
    id: createId(),
    merchantId,
    type,
    subject: merchantId,
    actor,
    facts: { client_id: id, ...facts },
  })
}

async function clientWithSecret(
  database: Database,
  clientId: string,
  secret: string,
): Promise<OauthClient | null> {
  if (!CLIENT_ID.test(clientId)) return null
  const client = await findClient(database, clientId)
  const asked = secretHashOf(secret)
  const kept = await secretsOf(database, clientId)
  const isRight = kept.some((hash) => isSameSecret(asked, hash))
  return client?.revokedAt === null && client.issuer === null && isRight ? client : null
}

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

type NewClient = Pick<OauthClient, 'id' | 'merchantId' | 'issuer' | 'scopes'>

async function findClient(queries: Queries, clientId: string): Promise<OauthClient | null> {
  const [row] = await queries.run(clientById, { client_id: clientId })
  return row === undefined ? null : toClient(row)
}

/** Hashes of the secrets that work now. */
async function secretsOf(queries: Queries, clientId: string): Promise<Buffer[]> {
  return (await queries.run(secretsOfClient, { client_id: clientId })).map(({ hash }) => hash)
}

/** Oldest first. */
async function listClients(queries: Queries, merchantId: string): Promise<OauthClient[]> {
  return (await queries.run(clientsOfMerchant, { merchant_id: merchantId })).map(toClient)
}

/** False if there is no such merchant, or a client with that id already. */
async function addClient(queries: Queries, { id, merchantId, issuer, scopes }: NewClient): Promise<boolean> {
  const values = { client_id: id, merchant_id: merchantId, issuer, scopes }
  return (await queries.run(clientToAdd, values)).length > 0
}

async function addSecret(queries: Queries, clientId: string, hash: Buffer): Promise<void> {
  await queries.run(secretToAdd, { hash, client_id: clientId })
}

/** Ends a client at once; null if there is no active client with this id. */
async function revokeClient(queries: Queries, clientId: string): Promise<OauthClient | null> {
  const [row] = await queries.run(clientToRevoke, { client_id: clientId })
  return row === undefined ? null : toClient(row)
}

/** Finds and locks an active client that has its secrets here. */
async function lockClient(queries: Queries, clientId: string): Promise<OauthClient | null> {
  const [row] = await queries.run(clientToLock, { client_id: clientId })
  return row === undefined ? null : toClient(row)
}

/** Ends a client's secrets after `overlapSeconds`; returns when the last of them ends, null without any. */
async function endSecrets(queries: Queries, clientId: string, overlapSeconds: number): Promise<Date | null> {
  const ended = await queries.run(secretsToEnd, { client_id: clientId, overlap_seconds: overlapSeconds })
  return ended[0]?.revoked_at ?? null
}

function toClient(row: ValuesOf<typeof clientColumns>): OauthClient {
  const { id, merchant_id: merchantId, issuer, scopes, created_at: createdAt, revoked_at: revokedAt } = row
  return { id, merchantId, issuer, scopes, createdAt, revokedAt }
}
