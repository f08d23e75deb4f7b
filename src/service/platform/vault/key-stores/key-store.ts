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
