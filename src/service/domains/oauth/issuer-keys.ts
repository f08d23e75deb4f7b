import { createLocalJWKSet, errors, importJWK } from 'jose'
import type { JSONWebKeySet, JWK, JWTVerifyGetKey } from 'jose'
import * as v from 'valibot'
import type { MonotonicClock } from '../../platform/clocks.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { HttpClientSettings, SendRequest } from '../../platform/outbound/http-client.ts'
import { createNameLookup, isPublicAddress } from '../../platform/outbound/public-address.ts'
import type { Proxy } from '../../platform/outbound/proxy.ts'

interface KeySetOptions {
  /** Fetches the issuer's public keys; rejects when they can't be had. */
  read: () => Promise<JSONWebKeySet>
  clock: MonotonicClock
  /** After this, keys are read again, so that a withdrawn key is no longer accepted. */
  maxAgeMs: number
  /** Keys are read again for an unknown key only after this, however many tokens name one. */
  coolDownMs: number
  /** While keys can't be read, older ones are believed up to this age. */
  maxStaleAgeMs: number
}

interface Known {
  find: JWTVerifyGetKey
  readAt: number
}

/** Keeps an issuer's public keys: reads them again when they are old, or when a token names one that is unknown. */
export function createKeySet({ read, clock, maxAgeMs, coolDownMs, maxStaleAgeMs }: KeySetOptions) {
  let known: Known | undefined
  let reading: Promise<Known> | undefined
  let triedAt = -Infinity

  const readAgain = (): Promise<Known> => {
    triedAt = clock.elapsedMs()
    reading ??= read()
      .then((keys) => (known = { find: createLocalJWKSet(keys), readAt: clock.elapsedMs() }))
      .finally(() => (reading = undefined))
    return reading
  }
  const ageOf = ({ readAt }: Known) => clock.elapsedMs() - readAt
  const isCool = () => clock.elapsedMs() - triedAt >= coolDownMs

  /** Right after an issuer has not answered, callers do not wait for it. */
  const outOfReach = (): never => {
    throw new ServiceError('service_unavailable', 'The keys of the issuer cannot be had just now.', {
      retryAfter: Math.ceil(coolDownMs / 1000),
    })
  }

  async function keys(): Promise<Known> {
    const kept = known
    if (kept === undefined || ageOf(kept) > maxStaleAgeMs)
      return isCool() || reading !== undefined ? readAgain() : outOfReach()
    if (ageOf(kept) <= maxAgeMs || !isCool()) return kept
    return readAgain().catch(() => kept)
  }

  /** The key that a token names; rejects as `read` does if there are none. */
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const kept = await keys()
    try {
      return await kept.find(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !isCool()) throw error
      const fresh = await readAgain().catch(() => kept)
      return fresh.find(header, token)
    }
  }
  /** `check` rejects while there is no key by which a token could be checked. */
  return { keyOf, check: keys }
}

const TIMEOUT_MS = 5000
const MAX_BYTES = 64 * 1024
const MAX_KEYS = 100
const TRY_AGAIN_SECONDS = 10

const Metadata = v.object({ issuer: v.string(), jwks_uri: v.pipe(v.string(), v.url()) })
const Keys = v.object({ keys: v.pipe(v.array(v.looseObject({ kty: v.string() })), v.maxLength(MAX_KEYS)) })

interface ExternalIssuer {
  issuer: string
  isSandbox: boolean
  /** A client with `issuerHttpSettings`. */
  send: SendRequest
  log: { warn: (facts: object, words: string) => void }
}

/** How another issuer is asked. Outside sandbox only public addresses are reached. */
export function issuerHttpSettings(isSandbox: boolean, proxy: Proxy | null): HttpClientSettings {
  const mayReach = isSandbox ? () => true : isPublicAddress
  return {
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    wants: 'whole answer',
    idleMs: 0,
    mayReach,
    lookup: createNameLookup(mayReach),
    proxy,
  }
}

/**
 * Reads the public keys of another issuer. Its metadata (RFC 8414, else OpenID Connect Discovery) names their address, outside sandbox
 * by https only. Rejects with `service_unavailable`.
 */
export async function readIssuerKeys({
  issuer,
  isSandbox,
  send,
  log,
}: ExternalIssuer): Promise<JSONWebKeySet> {
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

async function metadataOf(issuer: string, send: SendRequest) {
  const [ours, oidc] = metadataUrls(issuer)
  const found = await jsonAt(ours, send).catch(() => jsonAt(oidc, send))
  const metadata = v.parse(Metadata, found)
  // Otherwise a server could sign in another issuer's name (RFC 8414, section 3.3).
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

/** The public keys that sign. Leaves out what can't be read: it may be of a kind newer than this service. */
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
