import creditCardType from 'credit-card-type'

/** A card scheme by its name on the wire, with what its numbers and codes look like. */
export interface Scheme {
  /** Name on the wire, lower case (contract §1, `setSupportedCardIcons`). */
  name: string
  /** Name for people. */
  label: string
  /** Lengths a complete number can have. */
  lengths: readonly number[]
  /** A gap stands after these many digits. */
  gaps: readonly number[]
  /** Digits of the card's code. */
  codeLength: number
}

type CardType = ReturnType<typeof creditCardType>[number]

/** Schemes whose type in credit-card-type is not their name on the wire. */
const TYPES: Readonly<Record<string, string>> = {
  amex: 'american-express',
  diners: 'diners-club',
  japcb: 'jcb',
}

/** Schemes of the contract that issue no more cards and that credit-card-type doesn't know. */
const CLOSED: [type: string, niceType: string, patterns: CardType['patterns'], lengths: number[]][] = [
  ['ausbc', 'Bankcard', [5610, [560221, 560225]], [16]],
  ['solo', 'Solo', [6334, 6767], [16, 18, 19]],
  ['laser', 'Laser', [6304, 6706, 6709, 6771], [16, 17, 18, 19]],
]
for (const [type, niceType, patterns, lengths] of CLOSED) {
  creditCardType.addCard({
    type,
    niceType,
    patterns,
    lengths,
    gaps: [4, 8, 12],
    code: { name: 'CVV', size: 3 },
  })
}

/** The longest number that any scheme issues (ISO/IEC 7812-1). */
export const LONGEST_NUMBER = 19

/** No range is told by more leading digits than an issuer's number has (ISO/IEC 7812-1). */
const LONGEST_RANGE = 8
let lastAsked: { leading: string; scheme: Scheme | null } = { leading: '', scheme: null }

/**
 * The scheme whose ranges the leading digits fall in, or null while none does. The last answer is kept, as the ranges take long
 * to search and a form asks several times for each key; it holds no more digits than may be shown.
 */
export function schemeOf(digits: string): Scheme | null {
  const leading = digits.slice(0, LONGEST_RANGE)
  if (leading !== lastAsked.leading) lastAsked = { leading, scheme: schemeFrom(leading) }
  return lastAsked.scheme
}

function schemeFrom(leading: string): Scheme | null {
  const card = bestMatchOf(creditCardType(leading))
  if (card === undefined) return null
  return {
    name: Object.keys(TYPES).find((name) => TYPES[name] === card.type) ?? card.type,
    label: card.niceType,
    lengths: card.lengths,
    gaps: gapsOf(card.gaps, Math.max(...card.lengths)),
    codeLength: card.code.size,
  }
}

/** Lengths that the numbers of any scheme can have whose ranges agree with the leading digits. */
export function lengthsFrom(digits: string): number[] {
  return creditCardType(digits).flatMap(({ lengths }) => lengths)
}

/** A scheme's name for people, by its name on the wire. */
export function schemeLabelOf(name: string): string {
  return creditCardType.getTypeInfo(TYPES[name] ?? name).niceType
}

/**
 * Of all schemes that could still be meant, the one whose range is matched furthest: a 4 is Visa although a few
 * longer ranges below it are another's. Maestro's range `6` holds what no one else claims, so it waits for the rest.
 */
function bestMatchOf(candidates: readonly CardType[]): CardType | undefined {
  if (candidates.length <= 1) return candidates[0]
  const matched = candidates.filter((card) => card.matchStrength !== undefined && card.type !== 'maestro')
  return matched.sort((a, b) => (b.matchStrength ?? 0) - (a.matchStrength ?? 0))[0]
}

/** Numbers above 16 digits get a fifth group: 4-4-4-4-3, as the schemes print them. */
function gapsOf(gaps: readonly number[], longest: number): readonly number[] {
  return gaps.includes(12) && longest > 16 ? [...gaps, 16] : gaps
}
