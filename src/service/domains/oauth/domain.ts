import type { Actor } from '../../../contract/dashboard/audit.ts'
import { singleFlight } from '../../platform/concurrency/loading.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { VerifyAccessToken } from '../../platform/http/callers/access-token.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import type { OauthClient } from './client.ts'
import { createClients } from './clients.ts'
import type { Clients } from './clients.ts'
import { createHttpClient } from '../../platform/outbound/http-client.ts'
import { issuerHttpSettings, createKeySet, readIssuerKeys } from './issuer-keys.ts'
import { addIssuerRoutes } from './routes.ts'
import { createSigningKeys } from './signing-keys.ts'
import { verifyToken } from './tokens.ts'

export interface Oauth {
  verifyAccessToken: VerifyAccessToken
  clients: Clients
  /** The same, in somebody's name, which the audit log shows. */
  clientsInNameOf: (actor: Actor) => Clients
}

/** Access by OAuth: merchants' clients, their access tokens, and a built-in issuer of these if there is no other. */
export function oauthDomain(platform: Platform): Domain<Oauth> {
  const { config, database, createId } = platform
  const clientsInNameOf = (actor: Actor) =>
    createClients({ database, createId, environment: config.environment, actor })
  const clients = clientsInNameOf('service')
  const { oauthIssuer } = config
  const { api, ...domain } =
    oauthIssuer === undefined
      ? withOwnIssuer(platform, clients)
      : withExternalIssuer(platform, clients, oauthIssuer)
  return { ...domain, api: { ...api, clients, clientsInNameOf } }
}

/** The service's own keys: one statement reads them. */
const OWN_KEYS = { maxAgeMs: 30_000, coolDownMs: 1000, maxStaleAgeMs: 60_000 }

type Issuing = Domain<Pick<Oauth, 'verifyAccessToken'>>

function withOwnIssuer(platform: Platform, clients: Clients): Issuing {
  const { config, database, createId, clock, timeOfDay, textVault } = platform
  const keys = createSigningKeys({ database, vault: textVault, createId, timeOfDay })
  const issuer = config.baseUrl
  const { keyOf, check } = createKeySet({ read: () => keys.published(), clock, ...OWN_KEYS })
  const verifying = {
    keyOf,
    issuer,
    audience: config.baseUrl,
    isOurs: (client: OauthClient) => client.issuer === null,
    findClient: singleFlight(clients.find),
    timeOfDay,
  }
  const rotate = whenSteady(timeOfDay, PUT_RIGHT_MS, () => keys.rotate())
  return {
    api: { verifyAccessToken: (token) => verifyToken(verifying, token) },
    addRoutes: (app, { countWrongKey }) =>
      addIssuerRoutes(app, { clients, keys, issuer, createId, timeOfDay, countWrongKey }),
    jobs: [{ name: 'rotate signing keys', everyMs: 60_000, work: rotate }],
    checks: { issuer: check },
  }
}

/** Another issuer's keys. A withdrawn key is believed for 10 minutes at most, and all keys for an hour while it is out of reach. */
const EXTERNAL_KEYS = { maxAgeMs: 600_000, coolDownMs: 30_000, maxStaleAgeMs: 3_600_000 }

function withExternalIssuer(platform: Platform, clients: Clients, issuer: string): Issuing {
  const { config, clock, timeOfDay, log } = platform
  const isSandbox = config.environment === 'sandbox'
  const send = createHttpClient(issuerHttpSettings(isSandbox, config.proxies.issuer))
  const read = () => readIssuerKeys({ issuer, isSandbox, send, log })
  const { keyOf, check } = createKeySet({ read, clock, ...EXTERNAL_KEYS })
  const verifying = {
    keyOf,
    issuer,
    audience: config.baseUrl,
    isOurs: (client: OauthClient) => client.issuer === issuer,
    findClient: singleFlight(clients.find),
    timeOfDay,
  }
  return {
    api: { verifyAccessToken: (token) => verifyToken(verifying, token) },
    addRoutes: noRoutes,
    jobs: [],
    checks: { issuer: check },
  }
}
