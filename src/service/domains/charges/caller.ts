import type { IdempotentRequest } from '../../platform/idempotency/idempotent-request.ts'

/** Who asks for a movement: the merchant, the address of its server or page, and the request if it has an idempotency key. */
export interface Caller {
  merchant: { id: string; preAuth: boolean }
  sourceIp: string
  idempotentRequest: IdempotentRequest | null
}
