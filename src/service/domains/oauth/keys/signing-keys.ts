import { exportJWK, generateKeyPair, importJWK } from 'jose'
import type { CryptoKey, JSONWebKeySet, JWK } from 'jose'
import * as v from 'valibot'
import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { TextVault } from '../../../platform/vault/sealed-text.ts'
import { signingKeyPlaceOf } from './signing-key-store.ts'
import type { SigningKey, SigningKeyStore } from './signing-key-store.ts'

export const SIGNING_ALGORITHM = 'ES256'

const DAY_MS = 86_400_000
const LIFE_MS = 30 * DAY_MS
/** How long a key is published before its first and after its last signature: nobody caches a key set for longer. */
const PUBLISHED_MS = 3_600_000

/** The keys of the built-in issuer. They rotate: a new one is published, then signs, and stays until its tokens are over. */
export interface SigningKeys {
  /** The public keys as others fetch them (RFC 7517). */
  published: () => Promise<JSONWebKeySet>
  /** The key that signs now; the first is made when it is first asked for. */
  current: () => Promise<{ id: string; privateKey: CryptoKey }>
  /** Makes the next key an hour before it is due, and deletes those whose tokens are over. */
  rotate: () => Promise<void>
  /** Makes a key before its time; its id. At once: it signs now, and every older one is deleted with all that it has signed. */
  replace: (isAtOnce: boolean) => Promise<string>
}

interface Parts {
  store: SigningKeyStore
  vault: TextVault
  createId: CreateId
  timeOfDay: TimeOfDay
}

export function createSigningKeys({ store, vault, createId, timeOfDay }: Parts): SigningKeys {
  const opened = createOpener(vault)
  /** Its id; null when another process has made one in its place. */
  const make = async (after: SigningKey | undefined, signsFrom: number): Promise<string | null> => {
    const id = createId()
    const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
    const sealed = await vault.seal(JSON.stringify(await exportJWK(privateKey)), signingKeyPlaceOf(id))
    const publicJwk = { ...(await exportJWK(publicKey)), kid: id, use: 'sig', alg: SIGNING_ALGORITHM }
    const key = { id, publicJwk, sealed, signsFrom: new Date(signsFrom) }
    return (await store.add(key, after?.id ?? null)) ? id : null
  }
  /** All of them, among which one signs now. */
  const keysNow = async () => {
    const keys = await store.list()
    if (signingAt(keys, timeOfDay.epochMs()) !== undefined) return keys
    await make(keys.at(-1), timeOfDay.epochMs())
    return store.list()
  }
  return {
    published: async () => ({ keys: (await keysNow()).map(({ publicJwk }) => publicJwk) }),
    async current() {
      const key = signingAt(await keysNow(), timeOfDay.epochMs())
      if (key === undefined) throw new Error('there is no key that signs access tokens')
      return { id: key.id, privateKey: await opened(key) }
    },
    async rotate() {
      const now = timeOfDay.epochMs()
      const keys = await keysNow()
      const newest = keys.at(-1)
      if (newest !== undefined && newest.signsFrom.getTime() + LIFE_MS - PUBLISHED_MS <= now)
        await make(newest, now + PUBLISHED_MS)
      const settled = signingAt(keys, now - PUBLISHED_MS)
      if (settled !== undefined) await store.deleteBefore(settled.id)
    },
    async replace(isAtOnce) {
      const now = timeOfDay.epochMs()
      const id = await make((await store.list()).at(-1), isAtOnce ? now : now + PUBLISHED_MS)
      if (id === null) throw new Error('another key was made at the same moment: try again')
      if (isAtOnce) await store.deleteBefore(id)
      return id
    },
  }
}

type UsableKey = SigningKey & { sealed: NonNullable<SigningKey['sealed']> }

/** The newest key that may sign at this time. */
function signingAt(keys: readonly SigningKey[], epochMs: number): UsableKey | undefined {
  const usable = keys.filter(isUsable).filter(({ signsFrom }) => signsFrom.getTime() <= epochMs)
  return usable.at(-1)
}

function isUsable(key: SigningKey): key is UsableKey {
  return key.sealed !== null
}

const PrivateJwk = v.looseObject({ kty: v.literal('EC') })

/** Opens each key once. */
function createOpener(vault: TextVault): (key: UsableKey) => Promise<CryptoKey> {
  let known: { id: string; key: CryptoKey } | undefined
  return async ({ id, sealed }) => {
    if (known?.id === id) return known.key
    const jwk: JWK = v.parse(PrivateJwk, JSON.parse(await vault.open(sealed, signingKeyPlaceOf(id))))
    const key = await importJWK(jwk, SIGNING_ALGORITHM)
    if (key instanceof Uint8Array) throw new Error(`the signing key ${id} is no private key`)
    known = { id, key }
    return key
  }
}
