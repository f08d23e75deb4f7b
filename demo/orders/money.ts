const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'AUD' })

/** Cents → `A$1,290.00` as the checkout writes it, for people. */
export const inDollars = (cents: number): string => dollars.format(cents / 100)

/** Cents → `1290.00`, for the card service. */
export const asDecimal = (cents: number): string => (cents / 100).toFixed(2)
