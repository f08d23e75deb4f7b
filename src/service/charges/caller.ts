/** Whoever asks: the merchant, and the address that the request came from. */
export interface Caller {
  merchant: { id: string; preAuth: boolean }
  sourceIp: string
}
