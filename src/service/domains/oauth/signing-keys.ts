import { exportJWK, generateKeyPair, importJWK } from 'jose'
import type { CryptoKey, JSONWebKeySet, JWK } from 'jose'
import * as v from 'valibot'
import type { TimeOfDay } from '../../platform/clocks.ts'
import type { Database } from '../../platform/database/database.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import { addSigningKey, deleteKeysBefore, listSigningKeys, signingKeyPlaceOf } from './signing-key-store.ts'
import type { SigningKey } from './signing-key-store.ts'

export const SIGNING_ALGORITHM = 'ES256'

const DAY_MS = 86_400_000
const LIFE_MS = 30 * DAY_MS
/** A key is published this long before its first signature and after its last: nobody caches a key set for longer. */
const PUBLISHED_MS = 3_600_000

interface SigningKeysDeps {
  database: Database
  vault: TextVault
  createId: CreateId
  timeOfDay: TimeOfDay
}

/** The keys of the built-in issuer. They rotate: a new key is published, then signs, and stays until its tokens are over. */
export type SigningKeys = ReturnType<typeof createSigningKeys>

export function createSigningKeys(deps: SigningKeysDeps) {
  const { database, vault, timeOfDay } = deps
  const opened = createOpener(vault)
  return {
    /** The public keys as others fetch them (RFC 7517). */
    async published(): Promise<JSONWebKeySet> {
      return { keys: (await keysNow(deps)).map(({ publicJwk }) => publicJwk) }
    },
    /** The key that signs now; the first is made when it is first asked for. */
    async current() {
      const key = signingAt(await keysNow(deps), timeOfDay.epochMs())
      if (key === undefined) throw new Error('there is no key that signs access tokens')
      return { id: key.id, privateKey: await opened(key) }
    },
    /** Makes the next key an hour before it is due, and deletes those whose tokens are over. */
    async rotate() {
      const now = timeOfDay.epochMs()
      const keys = await keysNow(deps)
      const newest = keys.at(-1)
      if (newest !== undefined && newest.signsFrom.getTime() + LIFE_MS - PUBLISHED_MS <= now)
        await make(deps, newest, now + PUBLISHED_MS)
      const settled = signingAt(keys, now - PUBLISHED_MS)
      if (settled !== undefined) await deleteKeysBefore(database, settled.id)
    },
    /** Makes a key before its time; its id. At once: it signs now, and every older key is deleted with all that it has signed. */
    async replace(isAtOnce: boolean) {
      const now = timeOfDay.epochMs()
      const newest = (await listSigningKeys(database)).at(-1)
      const id = await make(deps, newest, isAtOnce ? now : now + PUBLISHED_MS)
      if (id === null) throw new Error('another key was made at the same moment: try again')
      if (isAtOnce) await deleteKeysBefore(database, id)
      return id
    },
  }
}

/** Makes the key after another one; its id, or null if another process has made one in its place. */
async function make(
  { database, vault, createId }: SigningKeysDeps,
  after: SigningKey | undefined,
  signsFrom: number,
): Promise<string | null> {
  const id = createId()
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
  const sealed = await vault.seal(JSON.stringify(await exportJWK(privateKey)), signingKeyPlaceOf(id))
  const publicJwk = { ...(await exportJWK(publicKey)), kid: id, use: 'sig', alg: SIGNING_ALGORITHM }
  const key = { id, publicJwk, sealed, signsFrom: new Date(signsFrom) }
  return (await addSigningKey(database, key, after?.id ?? null)) ? id : null
}

/** All keys, one of which signs now: it is made if there is none. */
async function keysNow(deps: SigningKeysDeps): Promise<SigningKey[]> {
  const { database, timeOfDay } = deps
  const keys = await listSigningKeys(database)
  if (signingAt(keys, timeOfDay.epochMs()) !== undefined) return keys
  await make(deps, keys.at(-1), timeOfDay.epochMs())
  return listSigningKeys(database)
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
