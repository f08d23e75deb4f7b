import type { FastifyRequest, FastifyInstance } from 'fastify'
import { ServiceError } from '../../errors.ts'
import type { RateLimit } from '../../rate-limits.ts'
import type { Authorize } from './access-token.ts'
import { take } from './admission.ts'
import type { CountWrongKey } from './admission.ts'

export type KeyKind = 'public' | 'secret'

/** `authenticate` with its deps, as routes get it. */
export type Authenticate<Merchant> = (request: FastifyRequest, kind: KeyKind) => Promise<Merchant>

/** Whose a key is. */
export interface KeyHolders<Merchant> {
  holderOf: (key: string, kind: KeyKind) => Promise<Merchant | null>
  /** Whether it was a valid key before. */
  isRevoked: (key: string, kind: KeyKind) => Promise<boolean>
}

interface AuthenticateDeps<Merchant> {
  keys: KeyHolders<Merchant>
  /** Of each merchant, for each kind of key. */
  requests: RateLimit
  countWrongKey: CountWrongKey
}

const headerOf = (kind: KeyKind) => `x-user-${kind}-key`

/** The key that a request bears, valid or not; null where it bears none. */
export function keyIn({ headers }: FastifyRequest, kind: KeyKind): string | null {
  const key = headers[headerOf(kind)]
  return typeof key === 'string' && key !== '' ? key : null
}

/** Finds the merchant whose key a request carries, and counts the request; throws `unauthorized` or `rate_limited` (contract §2). */
export async function authenticate<Merchant extends { id: string }>(
  { keys, requests, countWrongKey }: AuthenticateDeps<Merchant>,
  request: FastifyRequest,
  kind: KeyKind,
): Promise<Merchant> {
  const key = keyIn(request, kind)
  if (key === null)
    throw new ServiceError('unauthorized', `Send your ${kind} key in the header ${headerOf(kind)}.`)
  const merchant = await keys.holderOf(key, kind)
  if (merchant === null) {
    await countWrongKey(request)
    throw new ServiceError('unauthorized', await wrongKeyWords(keys, key, kind))
  }
  request.isIdentified ||= kind === 'secret'
  take(requests, `${kind} ${merchant.id}`)
  return merchant
}

async function wrongKeyWords(keys: KeyHolders<unknown>, key: string, kind: KeyKind): Promise<string> {
  if (kind === 'secret' && key.startsWith('pk_')) return 'That is a public key; send the sk_… key.'
  if (kind === 'public' && key.startsWith('sk_'))
    return 'That is a secret key; send the pk_… key. If a page holds the secret key, have it replaced.'
  return (await keys.isRevoked(key, kind))
    ? `The key in x-user-${kind}-key was revoked. Use the ${kind} key that took its place; the operator of this service makes new ones.`
    : `The key in x-user-${kind}-key is not a valid ${kind} key.`
}

/** How long an answer to "who asks?" holds, in ms: a body may take longer to come, and a key may be revoked meanwhile. */
const HOLDS_MS = 1000

type Identify<Asked extends unknown[], Identity> = (
  request: FastifyRequest,
  ...asked: Asked
) => Promise<Identity>

/** The same, asked once for each request that is asked for again within a moment, and counted once by the limits behind it. */
export function rememberedForRequest<Asked extends unknown[], Identity>(
  identify: Identify<Asked, Identity>,
): Identify<Asked, Identity> {
  const known = new WeakMap<FastifyRequest, { what: string; at: number; identity: Identity }>()
  return async (request, ...asked) => {
    const what = asked.join(' ')
    const last = known.get(request)
    if (last?.what === what && performance.now() - last.at < HOLDS_MS) return last.identity
    const identity = await identify(request, ...asked)
    known.set(request, { what, at: performance.now(), identity })
    return identity
  }
}

/**
 * Asks whose key or access token a request carries before its body is read: who has none costs nothing more. Routes ask
 * once more, by what `rememberedForRequest` made of the same functions.
 */
export function identifyBeforeBody(
  app: FastifyInstance,
  { authenticate, authorize }: { authenticate: Authenticate<unknown>; authorize: Authorize },
): void {
  app.addHook('preParsing', async (request) => {
    const { operation } = request.routeOptions.config
    if (operation?.key === 'secret') await authenticate(request, 'secret')
    if (operation?.key === 'oauth' && operation.scope !== undefined) await authorize(request, operation.scope)
  })
}
