import { importJWK } from 'jose'
import type { JSONWebKeySet, JWK } from 'jose'
import * as v from 'valibot'
import { ServiceError } from '../../../platform/errors.ts'
import { createHttpClient } from '../../../platform/outbound/http-client.ts'
import type { SendRequest } from '../../../platform/outbound/http-client.ts'
import { createNameLookup, isPublicAddress } from '../../../platform/outbound/public-address.ts'
import type { Proxy } from '../../../platform/outbound/proxy.ts'

const TIMEOUT_MS = 5000
const MAX_BYTES = 64 * 1024
const MAX_KEYS = 100
const TRY_AGAIN_SECONDS = 10

const Metadata = v.object({ issuer: v.string(), jwks_uri: v.pipe(v.string(), v.url()) })
const Keys = v.object({ keys: v.pipe(v.array(v.looseObject({ kty: v.string() })), v.maxLength(MAX_KEYS)) })

interface Parts {
  issuer: string
  isSandbox: boolean
  proxy: Proxy | null
  log: { warn: (facts: object, words: string) => void }
}

/**
 * Reads the public keys of an issuer that is not ours: its metadata (RFC 8414, else OpenID Connect Discovery) names their
 * address. Outside sandbox both are asked for by https, at public addresses only. Rejects with `service_unavailable`.
 */
export function externalKeys({ issuer, isSandbox, proxy, log }: Parts): () => Promise<JSONWebKeySet> {
  const mayReach = isSandbox ? () => true : isPublicAddress
  const send = createHttpClient({
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    wants: 'whole answer',
    idleMs: 0,
    mayReach,
    lookup: createNameLookup(mayReach),
    proxy,
  })
  return async () => {
    try {
      const { jwks_uri: url } = await metadataOf(issuer, send)
      if (!isSandbox && !url.startsWith('https:')) throw new Error('jwks_uri is no https URL')
      const { keys } = v.parse(Keys, await jsonAt(url, send))
      return { keys: await usableOf(keys) }
    } catch (error) {
      log.warn({ err: error, issuer }, 'the keys of the issuer of access tokens cannot be read')
      throw new ServiceError('service_unavailable', 'The keys of the issuer cannot be had just now.', {
        retryAfter: TRY_AGAIN_SECONDS,
      })
    }
  }
}

async function metadataOf(issuer: string, send: SendRequest) {
  const [ours, oidc] = metadataUrls(issuer)
  const found = await jsonAt(ours, send).catch(() => jsonAt(oidc, send))
  const metadata = v.parse(Metadata, found)
  // Whoever serves another's metadata here would sign in its name (RFC 8414, section 3.3).
  if (metadata.issuer !== issuer) throw new Error('the metadata is of another issuer')
  return metadata
}

/** RFC 8414, section 3.1, puts the name before the issuer's path; OpenID Connect Discovery, section 4, behind it. */
function metadataUrls(issuer: string): readonly [string, string] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
}

async function jsonAt(url: string, send: SendRequest): Promise<unknown> {
  const { status, body } = await send({
    method: 'GET',
    url,
    headers: { accept: 'application/json' },
    body: '',
  })
  if (status !== 200) throw new Error(`${url} answered ${status}`)
  return JSON.parse(body)
}

/** Public keys that sign. One that can't be read is left out: it may be of a kind that is newer than this service. */
async function usableOf(keys: readonly JWK[]): Promise<JWK[]> {
  const found: JWK[] = []
  for (const key of keys) {
    if (key.kty !== 'oct' && key.d === undefined && (await canBeRead(key))) found.push(key)
  }
  return found
}

const ALGORITHM_OF: Readonly<Record<string, string>> = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' }

async function canBeRead(key: JWK): Promise<boolean> {
  try {
    await importJWK(key, key.alg ?? ALGORITHM_OF[key.kty ?? ''])
    return true
  } catch {
    return false
  }
}
