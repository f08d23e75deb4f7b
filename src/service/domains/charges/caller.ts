/** A request that may come again under the same key and is then answered as before (contract §2). */
export interface IdempotentRequest {
  /** The caller's key, within its merchant and route. */
  key: string
  /** Tells the same request from another one under the same key. */
  hash: string
}

/** Whoever asks: the merchant, the address that the request came from, and whether it may come again. */
export interface Caller {
  merchant: { id: string; preAuth: boolean }
  sourceIp: string
  idempotentRequest: IdempotentRequest | null
}
