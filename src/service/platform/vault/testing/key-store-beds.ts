import { randomBytes } from 'node:crypto'
import type { KeyStore } from '../key-stores/master-keys.ts'
import { createLocalKeyStore } from '../key-stores/local-key-store.ts'
import { openPkcs11KeyStore } from '../key-stores/pkcs11-key-store.ts'
import { createTransitKeyStore } from '../key-stores/transit-key-store.ts'
import { makeSoftHsm, whyNoSoftHsm } from './soft-hsm.ts'
import { startTransitDouble } from './transit-double.ts'

/** One kind of key store with the keys `old` and `new`, for tests that every kind must pass. */
export interface KeyStoreBed {
  /** Opens it as a process does that is given these keys, in this order. */
  open: (...ids: ('old' | 'new')[]) => Promise<KeyStore>
  close: () => Promise<void> | void
}

interface KindOfBed {
  name: string
  /** Why it can't be tried on this machine. */
  isMissing: string | null
  make: () => Promise<KeyStoreBed> | KeyStoreBed
}

const KEYS = ['old', 'new'] as const

export const keyStoreBeds: readonly KindOfBed[] = [
  { name: 'keys of the settings', isMissing: null, make: makeLocal },
  { name: 'a PKCS#11 token (SoftHSM2)', isMissing: whyNoSoftHsm, make: makePkcs11 },
  { name: 'a transit engine (a double of it)', isMissing: null, make: makeTransit },
]

function makeLocal(): KeyStoreBed {
  const pairs = new Map(KEYS.map((id) => [id, `${id}:${randomBytes(32).toString('base64')}`]))
  return {
    open: async (...ids) =>
      Promise.resolve(createLocalKeyStore(ids.map((id) => pairs.get(id) ?? '').join('\n'))),
    close: () => undefined,
  }
}

function makePkcs11(): KeyStoreBed {
  const { remove, ...settings } = makeSoftHsm(KEYS)
  return { open: (...keys) => openPkcs11KeyStore({ ...settings, keys }), close: remove }
}

async function makeTransit(): Promise<KeyStoreBed> {
  const { url, token, close } = await startTransitDouble(KEYS)
  return {
    open: async (...keys) => Promise.resolve(createTransitKeyStore({ url, keys, token: { text: token } })),
    close,
  }
}
