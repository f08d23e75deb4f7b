import * as v from 'valibot'

/** Largest amount of one movement, in cents: 9,999,999.99. */
const MAX_CENTS = 999_999_999

const WORDS = 'amount must be 0.01 to 9999999.99, written like "10.00"'

const decimal = /^\d{1,9}(?:\.\d{1,2})?$/

/** Decimal text → cents, without floating-point arithmetic. */
function centsOf(text: string): number {
  const [units = '0', fraction = ''] = text.split('.')
  return Number(units) * 100 + Number(fraction.padEnd(2, '0'))
}

/**
 * An amount on the wire (contract §2): a decimal string or a JSON number, above zero, with at most two decimals. Parsed to
 * integer cents.
 */
export const Amount = v.pipe(
  v.union([v.string(), v.number()], WORDS),
  v.transform(String),
  v.regex(decimal, WORDS),
  v.transform(centsOf),
  v.minValue(1, WORDS),
  v.maxValue(MAX_CENTS, WORDS),
  v.brand('Cents'),
)

/** A remaining amount in cents: at least one cent. */
export const CentsLeft = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(MAX_CENTS),
  v.brand('Cents'),
)

/** Integer cents. Branded, so that only a parsed amount has this type. */
export type Cents = v.InferOutput<typeof Amount>

/** The one currency that the service takes (ISO 4217). */
export const Currency = v.literal('AUD', 'currency must be AUD')
