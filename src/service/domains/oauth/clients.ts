import { randomBytes } from 'node:crypto'
import type { Scope } from '../../../contract/api/scope.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { addEvent } from '../../platform/events.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import {
  addClient,
  addSecret,
  endSecrets,
  findClient,
  listClients,
  lockClient,
  revokeClient,
  secretsOf,
} from './client-store.ts'
import type { NewClient } from './client-store.ts'
import { CLIENT_ID, createSecret, isSameSecret, secretHashOf } from './client.ts'
import type { OauthClient } from './client.ts'

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
  type: string,
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
