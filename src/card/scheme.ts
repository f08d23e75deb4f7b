import creditCardType from 'credit-card-type'

/** A card scheme by its name on the wire, with what its numbers and codes look like. */
export interface Scheme {
  /** Name on the wire, lower case (contract §1, `setSupportedCardIcons`). */
  name: string
  /** Name for people. */
  label: string
  /** Lengths a complete number can have. */
  lengths: readonly number[]
  /** The length that nearly all of its numbers have; the longest where several are common, so that shorter ones may go on. */
  usualLength: number
  /** A gap stands after these many digits. */
  gaps: readonly number[]
  /** Digits of the card's code. */
  codeLength: number
  /** Whether it issues cards that have no code. */
  isCodeOptional: boolean
  /** Names on the wire under which its cards are taken: its own, and of schemes whose cards it issues, too. */
  takenAs: readonly string[]
}

type CardType = ReturnType<typeof creditCardType>[number]
type Patterns = CardType['patterns']

/** Schemes whose type in credit-card-type is not their name on the wire. */
const TYPES: Readonly<Record<string, string>> = {
  amex: 'american-express',
  diners: 'diners-club',
  japcb: 'jcb',
}

/**
 * Networks that credit-card-type doesn't know and takes for another one: their ranges, and the schemes of the contract under
 * whose names their cards are taken, too. All print 16 digits.
 */
const LOCAL: readonly [type: string, label: string, patterns: Patterns, takenAs?: readonly string[]][] = [
  [
    'rupay',
    'RuPay',
    [
      [508200, 508299],
      [508500, 508999],
      [6069, 6089],
      [652150, 653149],
      [8172, 8299],
    ],
    ['discover'],
  ],
  ['dankort', 'Dankort', [5019]],
  ['meeza', 'Meeza', [[507800, 507859]]],
  [
    'mada',
    'mada',
    [[588845, 588851], [588982, 588983], 589005, 589206, 604906, 605141, 636120, [968201, 968211]],
    ['maestro'],
  ],
  ['cabal', 'Cabal', [589657, 600691, 603522, [604201, 604400], 636908]],
  [
    'carnet',
    'Carnet',
    [286900, 502275, [506199, 506299], 606333, 627535, 636318, 636379, 639388, 639484, 639559],
  ],
  ['lankapay', 'LankaPay', [357111], ['japcb']],
  ['ukrcard', 'UkrCard', [[604001, 604200]]],
  ['shopping', 'Tarjeta Shopping', [2799, 589407, 603488]],
  ['argencard', 'Argencard', [501105]],
  ['codensa', 'Codensa', [590712]],
]
for (const [type, niceType, patterns] of LOCAL) {
  creditCardType.addCard({
    type,
    niceType,
    patterns,
    lengths: [16],
    gaps: [4, 8, 12],
    code: { name: 'CVV', size: 3 },
  })
}

// What credit-card-type splits into ranges of other lengths would win over the networks whose ranges lie between: the longest wins.
creditCardType.updateCard('maestro', { patterns: [493698, 50, [56, 59], 6] })
creditCardType.updateCard('unionpay', { patterns: [62, [8100, 8171]] })
creditCardType.updateCard('verve', {
  patterns: [
    [506099, 506198],
    [507865, 507964],
    [650002, 650027],
  ],
})

/** Schemes of the contract that issue no more cards. What began like theirs is Maestro's today, and is taken under either name. */
const CLOSED: readonly [name: string, label: string, range: RegExp][] = [
  ['ausbc', 'Bankcard', /^(?:5610|56022[1-5])/],
  ['solo', 'Solo', /^(?:6334|6767)/],
  ['laser', 'Laser', /^(?:6304|670[69]|6771)/],
]

/**
 * Networks whose cards are real and that nobody charges from here: UATP (1, of 15 digits), GPN (1946), Diners Club enRoute (2014,
 * 2149), PayPak and Borica (2205), T-Union (31), Korti Milli (505827), Uzcard (5614, 8600), ArCa (9051), Belkart (9112), BC Card
 * (9410), Elcart (9417), Napas (9704), Thai Payment Network (9764), Prostir (9804), Humo (9860).
 */
const ELSEWHERE =
  /^(?:1(?:[0-79]|8[1-9])\d{0,13}$|1946|2014|2149|2205|31|505827|5614|8600|9051|9112|941[07]|97[06]4|9804|9860)/

/** Schemes with debit cards on which no code is printed (PayPal's guide to UnionPay; Adyen's to Maestro). */
const WITHOUT_CODE = ['maestro', 'unionpay']

/** Schemes that could issue numbers of 17 to 19 digits but hardly ever did. */
const OF_SIXTEEN = ['visa', 'discover', 'japcb', 'mir']

/** The longest number that any scheme issues (ISO/IEC 7812-1). */
export const LONGEST_NUMBER = 19

/** No range needs more leading digits than an issuer's number has (ISO/IEC 7812-1). */
const LONGEST_RANGE = 8
let lastAsked: Range = { leading: '', scheme: null, possible: [] }

/** What leading digits tell. */
interface Range {
  leading: string
  scheme: Scheme | null
  /** Every scheme that is possible still. */
  possible: readonly CardType[]
}

/** The scheme whose ranges the leading digits fall in, or null while none does. */
export function schemeOf(digits: string): Scheme | null {
  return rangeOf(digits).scheme
}

/** Names on the wire under which a card could be taken whose number begins so; fewer with each digit, none for a network elsewhere. */
export function possiblyTakenAs(digits: string): readonly string[] {
  const { leading, possible } = rangeOf(digits)
  return possible.flatMap((card) => takenAs(nameOf(card), leading))
}

/** The last answer is kept, as ranges take long to search and a form asks several times for each key; it holds no more digits than may be shown. */
function rangeOf(digits: string): Range {
  const leading = digits.slice(0, LONGEST_RANGE)
  if (leading !== lastAsked.leading) lastAsked = findRange(leading)
  return lastAsked
}

function findRange(leading: string): Range {
  const possible = isIssuedElsewhere(leading) ? [] : creditCardType(leading)
  const best = bestMatchOf(possible)
  return { leading, scheme: best === undefined ? null : schemeFrom(best, leading), possible }
}

function schemeFrom(card: CardType, leading: string): Scheme {
  const name = nameOf(card)
  return {
    name,
    label: card.niceType,
    takenAs: takenAs(name, leading),
    lengths: card.lengths,
    usualLength: OF_SIXTEEN.includes(name) ? 16 : Math.max(...card.lengths),
    gaps: gapsOf(card.gaps, Math.max(...card.lengths)),
    codeLength: card.code.size,
    isCodeOptional: WITHOUT_CODE.includes(name),
  }
}

function nameOf({ type }: CardType): string {
  return Object.keys(TYPES).find((one) => TYPES[one] === type) ?? type
}

function takenAs(name: string, leading: string): string[] {
  const closed = CLOSED.filter(([, , range]) => range.test(leading)).map(([one]) => one)
  return [name, ...closed, ...(LOCAL.find(([type]) => type === name)?.[3] ?? [])]
}

/** Whether digits begin as those of a network whose cards are real but are taken nowhere here. */
export function isIssuedElsewhere(digits: string): boolean {
  return ELSEWHERE.test(digits)
}

/** Lengths that the numbers of any scheme can have whose ranges agree with the leading digits. */
export function lengthsFrom(digits: string): number[] {
  return creditCardType(digits).flatMap(({ lengths }) => lengths)
}

/** A scheme's name for people, by its name on the wire. */
export function schemeLabelOf(name: string): string {
  const closed = CLOSED.find(([one]) => one === name)
  return closed?.[1] ?? creditCardType.getTypeInfo(TYPES[name] ?? name).niceType
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
