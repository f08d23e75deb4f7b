/** A request that may come again under the same key and is then answered as before (contract §2). */
export interface IdempotentRequest {
  /** The caller's key, within its merchant and route. */
  key: string
  /** Tells the same request from another one under the same key. */
  hash: string
}

/** Who asks for a movement: the merchant, the address of its server or page, and the request if it has an idempotency key. */
export interface Caller {
  merchant: { id: string; preAuth: boolean }
  sourceIp: string
  idempotentRequest: IdempotentRequest | null
}
