import type { Actor } from '../../../contract/dashboard/audit.ts'
import { singleFlight } from '../../platform/concurrency/loading.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { VerifyAccessToken } from '../../platform/http/callers/access-token.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import { createClientStore } from './clients/client-store.ts'
import { createClients } from './clients/clients.ts'
import type { Clients } from './clients/clients.ts'
import { addIssuerRoutes } from './issuer-routes.ts'
import { externalKeys } from './keys/external-keys.ts'
import { createKeySet } from './keys/key-set.ts'
import { createSigningKeyStore } from './keys/signing-key-store.ts'
import { createSigningKeys } from './keys/signing-keys.ts'
import { createIssueToken } from './tokens/issue-token.ts'
import { createTokenVerifier } from './tokens/verify-token.ts'

interface Needs {
  writeEvent: WriteEvent
}

export interface Oauth {
  verifyAccessToken: VerifyAccessToken
  clients: Clients
  /** The same, acting in somebody's name: what is changed by it says so in the audit log. */
  clientsInNameOf: (actor: Actor) => Clients
}

/** Access by OAuth: clients of merchants, the tokens that they ask with, and an issuer of those where there is no other. */
export function oauthDomain(platform: Platform, { writeEvent }: Needs): Domain<Oauth> {
  const { config, database, createId } = platform
  const clientsInNameOf = (actor: Actor) =>
    createClients(createClientStore(database, { writeEvent, createId, actor }), config.environment)
  const clients = clientsInNameOf('service')
  const { oauthIssuer } = config
  const { api, ...domain } =
    oauthIssuer === undefined
      ? withOwnIssuer(platform, clients)
      : withExternalIssuer(platform, clients, oauthIssuer)
  return { ...domain, api: { ...api, clients, clientsInNameOf } }
}

/** Our own keys are a statement away. */
const OWN_KEYS = { maxAgeMs: 30_000, coolDownMs: 1000, maxStaleAgeMs: 60_000 }

type Issuing = Domain<Pick<Oauth, 'verifyAccessToken'>>

function withOwnIssuer(platform: Platform, clients: Clients): Issuing {
  const { config, database, createId, clock, timeOfDay, textVault } = platform
  const store = createSigningKeyStore(database)
  const keys = createSigningKeys({ store, vault: textVault, createId, timeOfDay })
  const issuer = config.baseUrl
  const { keyOf, check } = createKeySet({ read: keys.published, clock, ...OWN_KEYS })
  const verifyAccessToken = createTokenVerifier({
    keyOf,
    issuer,
    audience: config.baseUrl,
    isOurs: (client) => client.issuer === null,
    findClient: singleFlight(clients.find),
    timeOfDay,
  })
  const issueToken = createIssueToken({ keys, issuer, createId, timeOfDay })
  const rotate = whenSteady(timeOfDay, PUT_RIGHT_MS, keys.rotate)
  return {
    api: { verifyAccessToken },
    addRoutes: (app, { countWrongKey }) =>
      addIssuerRoutes(app, { clients, keys, issueToken, issuer, countWrongKey }),
    jobs: [{ name: 'rotate signing keys', everyMs: 60_000, work: rotate }],
    checks: { issuer: check },
  }
}

/** A key that the issuer withdraws is believed for 10 minutes at most; while it is out of reach, its keys are for an hour. */
const ITS_KEYS = { maxAgeMs: 600_000, coolDownMs: 30_000, maxStaleAgeMs: 3_600_000 }

function withExternalIssuer(platform: Platform, clients: Clients, issuer: string): Issuing {
  const { config, clock, timeOfDay, log } = platform
  const isSandbox = config.environment === 'sandbox'
  const read = externalKeys({ issuer, isSandbox, proxy: config.proxies.issuer, log })
  const { keyOf, check } = createKeySet({ read, clock, ...ITS_KEYS })
  const verifyAccessToken = createTokenVerifier({
    keyOf,
    issuer,
    audience: config.baseUrl,
    isOurs: (client) => client.issuer === issuer,
    findClient: singleFlight(clients.find),
    timeOfDay,
  })
  return { api: { verifyAccessToken }, addRoutes: noRoutes, jobs: [], checks: { issuer: check } }
}
