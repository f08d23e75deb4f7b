import { randomBytes } from 'node:crypto'
import type { Scope } from '../../../../contract/api/scope.ts'
import type { ClientStore } from './client-store.ts'
import { CLIENT_ID, createSecret, isSameSecret, secretHashOf } from './client.ts'
import type { OauthClient } from './client.ts'

/** A client that was just made; its secret is shown here once and never again. */
export interface MadeClient {
  clientId: string
  clientSecret: string
  scopes: readonly Scope[]
}

/** The programs that may ask with access tokens, and what an operator can do with them. */
export interface Clients {
  /**
   * Makes a client of the built-in issuer; null when there is no such merchant. `announce` is called with it before it is stored:
   * a crash between the two must not lose its secret.
   */
  make: (
    merchantId: string,
    scopes: readonly Scope[],
    announce?: (made: MadeClient) => void,
  ) => Promise<MadeClient | null>
  /** Registers another issuer's client for a merchant; false when there is no such merchant, or it is registered already. */
  register: (
    client: Pick<OauthClient, 'id' | 'merchantId' | 'scopes'> & { issuer: string },
  ) => Promise<boolean>
  find: ClientStore['find']
  list: ClientStore['list']
  revoke: ClientStore['revoke']
  /** A new secret; those before it work for `overlapSeconds` more. Null when there is no such client that has secrets here. */
  roll: (
    clientId: string,
    overlapSeconds: number,
  ) => Promise<{ clientSecret: string; oldEndsAt: Date | null } | null>
  /** The client of the built-in issuer with this secret; null when one of the two is wrong, or has ended. */
  withSecret: (clientId: string, secret: string) => Promise<OauthClient | null>
}

/** `environment` stands in the secrets. */
export function createClients(store: ClientStore, environment: string): Clients {
  return {
    async make(merchantId, scopes, announce = () => undefined) {
      const clientId = `client_${randomBytes(12).toString('hex')}`
      const made = { clientId, clientSecret: createSecret(environment), scopes }
      announce(made)
      const client = { id: clientId, merchantId, issuer: null, scopes }
      return (await store.add(client, secretHashOf(made.clientSecret))) ? made : null
    },
    register: (client) => store.add(client, null),
    find: store.find,
    list: store.list,
    revoke: store.revoke,
    async roll(clientId, overlapSeconds) {
      const clientSecret = createSecret(environment)
      const rolled = await store.roll(clientId, secretHashOf(clientSecret), overlapSeconds)
      return rolled === null ? null : { clientSecret, ...rolled }
    },
    async withSecret(clientId, secret) {
      if (!CLIENT_ID.test(clientId)) return null
      const client = await store.find(clientId)
      const asked = secretHashOf(secret)
      const kept = await store.secretsOf(clientId)
      const isRight = kept.some((hash) => isSameSecret(asked, hash))
      return client?.revokedAt === null && client.issuer === null && isRight ? client : null
    },
  }
}
