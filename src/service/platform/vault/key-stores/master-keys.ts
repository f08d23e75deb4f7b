import { ServiceError } from '../../errors.ts'
import { inTime } from '../../in-time.ts'

/** A data key as it is kept: wrapped by a master key. */
export interface WrappedKey {
  masterKeyId: string
  wrappedDataKey: Buffer
}

/** A master key that this process lacks: an operator removed it, or processes on one database were given different keys. */
export class MissingKey extends Error {
  override readonly name = 'MissingKey'

  constructor(id: string) {
    super(`the vault lacks the key ${id}`)
  }
}

/**
 * The keys that wrap data keys, wherever they are kept; callers never see one. Each call ends within seconds, with
 * `service_unavailable` when a key store does not answer.
 */
export interface MasterKeys {
  /** Id of the key that wraps new data keys. */
  currentId: string
  ids: readonly string[]
  /** Wraps with the current key, or with another one of `ids`; it opens with the same `context` only. */
  wrap: (dataKey: Buffer, context: string, id?: string) => Promise<WrappedKey>
  /** Throws `MissingKey` when it is under a key that this process was not given. */
  unwrap: (wrapped: WrappedKey, context: string) => Promise<Buffer>
}

/** What one call to a key store is bound to. */
export interface KeyCall {
  /** What the wrapped key belongs to; it opens with the same text only (additional authenticated data). */
  context: string
  /** Aborted when nobody waits for the answer any longer. */
  signal: AbortSignal
}

/**
 * A place that keeps master keys and works with them: this process, a PKCS#11 token, a key management service. A call
 * rejects with `KeyStoreDown` when the place gives no answer, and with another error when what it was given does not open.
 */
export interface KeyStore {
  /** The ids of its keys, in the order of the settings. */
  ids: readonly string[]
  wrap: (id: string, dataKey: Buffer, call: KeyCall) => Promise<Buffer>
  unwrap: (id: string, wrapped: Buffer, call: KeyCall) => Promise<Buffer>
}

/** A key store can't be reached, or can't work, just now. */
export class KeyStoreDown extends Error {
  override readonly name = 'KeyStoreDown'
}

/** How long a key store may take, in ms. */
const TIMEOUT_MS = 3000

/** The keys of one or more key stores, whose ids all differ. `currentId`: one of them; by default the first. */
export function joinKeyStores(
  stores: readonly KeyStore[],
  currentId = stores[0]?.ids[0] ?? '',
  timeoutMs = TIMEOUT_MS,
): MasterKeys {
  const storeOf = (id: string): KeyStore => {
    const store = stores.find(({ ids }) => ids.includes(id))
    if (store === undefined) throw new MissingKey(id)
    return store
  }
  return {
    currentId,
    ids: [currentId, ...stores.flatMap(({ ids }) => ids).filter((id) => id !== currentId)],
    async wrap(dataKey, context, id = currentId) {
      const store = storeOf(id)
      const wrappedDataKey = await callInTime(context, timeoutMs, (call) => store.wrap(id, dataKey, call))
      return { masterKeyId: id, wrappedDataKey }
    },
    async unwrap({ masterKeyId, wrappedDataKey }, context) {
      const store = storeOf(masterKeyId)
      return callInTime(context, timeoutMs, (call) => store.unwrap(masterKeyId, wrappedDataKey, call))
    },
  }
}

async function callInTime(
  context: string,
  timeoutMs: number,
  work: (call: KeyCall) => Promise<Buffer>,
): Promise<Buffer> {
  const stop = new AbortController()
  try {
    return await inTime(work({ context, signal: stop.signal }), timeoutMs, () => {
      stop.abort()
      throw new KeyStoreDown(`no answer within ${String(timeoutMs)} ms`)
    })
  } catch (error) {
    throw error instanceof KeyStoreDown ? unavailable(error) : error
  }
}

function unavailable(cause: KeyStoreDown): ServiceError {
  const words = 'The keys of cards cannot be reached just now. Nothing was done; try again in a moment.'
  return new ServiceError('service_unavailable', words, { retryAfter: 2, cause })
}
