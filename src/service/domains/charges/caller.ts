import type { IdempotentRequest } from '../../platform/idempotency.ts'

/**
 * Who asks for a movement: the merchant, by a user of its dashboard or (null) by its server or page, the address of that, and the
 * request if it has an idempotency key.
 */
export interface Caller {
  merchant: { id: string; preAuth: boolean }
  userId: string | null
  sourceIp: string
  idempotentRequest: IdempotentRequest | null
}
