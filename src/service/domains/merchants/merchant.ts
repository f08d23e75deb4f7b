/** A merchant as a request acts for it. */
export interface Merchant {
  id: string
  name: string
  /** May hold funds and capture later (the Pre-Auth feature). */
  preAuth: boolean
  /** Origins whose pages may show the widget; none means every page may. */
  allowedOrigins: readonly string[]
}

/** One of a merchant's accounts at a payment gateway. */
export interface MerchantGateway {
  id: string
  name: string
  /** Which adapter speaks to it. */
  type: string
  isDefault: boolean
}
