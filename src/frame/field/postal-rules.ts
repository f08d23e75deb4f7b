import { asciiDigits } from '../../card/digits.ts'
import type { WordName } from '../language/word-names.ts'

/** How addresses of a country are written. */
interface PostalRule {
  /** A postcode as its post writes it: the shape of all of them, but for gaps and dashes, unless there is a `pattern`. */
  example: string
  /** What a postcode is called. Ireland's has one name in every language. */
  postcode: WordName | 'Eircode'
  /** What a state is called. */
  state: WordName
  /** Of capitals and digits without gaps. */
  pattern: RegExp | undefined
}

const rule = (
  example: string,
  postcode: PostalRule['postcode'] = 'postal_code',
  state: WordName = 'address_state',
  pattern?: RegExp,
): PostalRule => ({ example, postcode, state, pattern })

/**
 * Countries whose postcodes are checked; all others are free. From the Universal Postal Union's addressing systems by country, and
 * for those with a pattern: Royal Mail's PAF guide, USPS Publication 28, Canada Post's guidelines, Eircode's product guide, CTT.
 */
export const POSTAL_RULES: Readonly<Record<string, PostalRule>> = {
  AU: rule('2000', 'postcode', 'state'),
  NZ: rule('6011', 'postcode'),
  GB: rule('SW1A 1AA', 'postcode', 'county', /^([A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|GIR0AA)$/),
  US: rule('10001', 'zip_code', 'state', /^\d{5}(\d{4})?$/),
  CA: rule('K1A 0B1', 'postal_code', 'province', /^[ABCEGHJ-NPR-TVXY]\d[A-Z]\d[A-Z]\d$/),
  AT: rule('1010'),
  BE: rule('1000', 'postal_code', 'province'),
  BG: rule('1000'),
  HR: rule('10000'),
  CY: rule('1010'),
  CZ: rule('110 00'),
  DK: rule('1050'),
  EE: rule('10111'),
  FI: rule('00100'),
  FR: rule('75001'),
  DE: rule('10115'),
  GR: rule('105 57'),
  HU: rule('1051'),
  IE: rule('D02 X285', 'Eircode', 'county', /^([A-Z]\d\d|D6W)[A-Z\d]{4}$/),
  IT: rule('00118', 'postcode', 'province'),
  LV: rule('1010'),
  LT: rule('01100'),
  LU: rule('1009'),
  MT: rule('VLT 1117'),
  NL: rule('1012 AB', 'postcode', 'province'),
  PL: rule('00-950'),
  PT: rule('1000-205', 'postal_code', 'address_state', /^\d{4}(\d{3})?$/),
  RO: rule('010011'),
  SK: rule('811 01'),
  SI: rule('1000'),
  ES: rule('28001', 'postal_code', 'province'),
  SE: rule('111 22'),
}

/**
 * Whether a text can be a postcode of a country; true for one without a rule. The country's letters before the digits (`LV-1010`) are
 * often added, or left out.
 */
export function isPostcode(text: string, country: string): boolean {
  const { example, pattern } = POSTAL_RULES[country] ?? { example: '', pattern: /^/ }
  const shape = example.replace(/[ -]/g, '').replace(/\d/g, '\\d').replace(/[A-Z]/g, '[A-Z]')
  const code = asciiDigits(text)
    .toUpperCase()
    .replace(/[\s\p{P}]/gu, '')
  return (pattern ?? new RegExp(`^[A-Z]{0,3}${shape}$`)).test(code)
}

/** Countries whose states have codes that everybody writes: an example, and all of them. */
const STATES: Readonly<Record<string, readonly [example: string, codes: RegExp]>> = {
  AU: ['NSW', /^(ACT|NSW|NT|QLD|SA|TAS|VIC|WA)$/],
  CA: ['ON', /^(AB|BC|MB|N[BLSTU]|ON|PE|QC|SK|YT)$/],
  // With the capital, the territories and what stands for armed forces.
  US: [
    'NY',
    /^(A[AEKLPRSZ]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEINOPST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY])$/,
  ],
}

/**
 * Whether a text can be a state of a country. Names are taken in any language and spelling, codes only if they are known; true for a
 * country without codes.
 */
export function canBeState(text: string, country: string): boolean {
  const code = text.replace(/[\s.]/g, '').toUpperCase()
  return !/^[A-Z]{1,3}$/.test(code) || (STATES[country]?.[1].test(code) ?? true)
}

/** The code of one of a country's states. */
export function stateExample(country: string): string | undefined {
  return STATES[country]?.[0]
}
