/**
 * What fields mean, by the end of their path: `amount` holds wherever no longer end does, `payment_terms.amount` only there. A path
 * begins with the name of the resource (`Charge`) or of the operation whose request it is in (`createCharge`).
 */
export type Words = Readonly<Record<string, string>>
