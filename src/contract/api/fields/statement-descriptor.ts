import * as v from 'valibot'

const WORDS =
  'must be 5 to 22 Latin letters, digits, spaces and . , - _ + / ? alone, with a letter among them: no gateway takes others'

/**
 * The words that a card holder reads beside a charge on the card's statement: what Adyen (`shopperStatement`) and Stripe both take.
 */
export const StatementDescriptor = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(5, WORDS),
  v.maxLength(22, WORDS),
  v.regex(/^[A-Za-z0-9 .,\-_+/?]+$/, WORDS),
  v.regex(/[A-Za-z]/, WORDS),
)
