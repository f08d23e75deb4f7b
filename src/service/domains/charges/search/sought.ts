import { asciiDigits } from '../../../../card/digits.ts'

/** What a search for charges may mean; a charge is found that fits any part. */
export interface Sought {
  /** The id of a charge, also within an address of the dashboard. */
  id: string | null
  /** The last four digits of a card. */
  last4: string | null
  /** In cents; typed with a currency or decimals: `A$120`, `1,200.50`, `120,00`. */
  amount: number | null
  /** A payer's e-mail address. */
  email: string | null
  /** The id of a transaction, ours or the gateway's, also within an address of the gateway's own pages. */
  transaction: string | null
  /** A whole name on a card. Upper and lower case are found alike. */
  cardName: string | null
  /** A reference or its beginning, in the spellings of Unicode in which it may be stored. Upper and lower case are found alike. */
  references: readonly string[]
}

const ID = /(?<![0-9a-z])[0-9a-f]{24}(?![0-9a-z])/i
/** Gateways' ids have 16 letters and digits or more. A word has no digits. */
const TRANSACTION = /(?<![0-9a-z])(?=[a-z]*\d)[0-9a-z]{16,64}(?![0-9a-z])/i
const CARD_NAME = /^[\p{L}\p{M} .,'’-]{2,}$/u
/** By themselves, or behind what stands for the other digits. */
const LAST4 =
  /^(\d{4})$|(?:[•*·●]+|\.{2,}|(?<![a-z])x{2,}|(?<!\S)x|\bend(?:ing|s)(?: in| with)?|\blast (?:4|four)(?: digits)?)[^\p{L}\d]{0,3}(\d{4})(?!\d)/iu
const EMAIL = /[^\s@<>"(),;:[\]]+@[^\s@<>"'(),;:[\]?/]*[^\s@<>"'(),;:[\]?/.]/
const CURRENCY = String.raw`(?:[a-z]{0,3}\p{Sc}|[a-z]{3})`
const AMOUNT = new RegExp(
  String.raw`^[-+]?(?<before>${CURRENCY})? ?(?<units>\d{1,3}(?:[ ,.']\d{3})+|\d{1,12})(?:[.,](?<cents>\d{2}))? ?(?<after>${CURRENCY})?$`,
  'iu',
)
/** What copying leaves around a text: quotes, brackets, and the end of a sentence. */
const AROUND = /^[\s"'“”„«»‘’`<([#]+|[\s"'“”„«»‘’`>)\],.;:!?]+$/g

/** What was typed or pasted into the search → what it may mean. */
export function soughtIn(typed: string): Sought {
  // Unseen characters come along when text is copied from messages and documents.
  const text = typed
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(AROUND, '')
  const plain = inPlainCharacters(text)
  const last4 = LAST4.exec(plain)
  return {
    id: ID.exec(plain)?.[0].toLowerCase() ?? null,
    last4: last4?.[1] ?? last4?.[2] ?? null,
    amount: amountIn(plain),
    email: EMAIL.exec(plain)?.[0] ?? null,
    transaction: TRANSACTION.exec(plain)?.[0] ?? null,
    cardName: CARD_NAME.test(text) ? text.normalize('NFC') : null,
    references: [...new Set([typed, text, text.normalize('NFC'), text.normalize('NFD'), plain])].filter(
      Boolean,
    ),
  }
}

/** Digits, dashes and apostrophes as a keyboard has them: programs for writing put others in their place. */
function inPlainCharacters(text: string): string {
  return asciiDigits(text.normalize('NFKC'))
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/[‘’]/g, "'")
}

function amountIn(text: string): number | null {
  const { before, units = '', cents, after } = AMOUNT.exec(text)?.groups ?? {}
  if (cents === undefined && before === undefined && after === undefined) return null
  const amount = Number(units.replaceAll(/\D/g, '')) * 100 + Number(cents ?? 0)
  return amount > 0 && Number.isSafeInteger(amount) ? amount : null
}
