/** A country to choose. */
export interface Country {
  /** Of two letters. */
  code: string
  /** In the form's language: what is shown, and stands in the field once it is chosen. */
  name: string
  /** All that it is found by, folded: its codes, and its names here and in other languages. */
  keys: readonly string[]
}

/**
 * ISO 3166-1, and Kosovo: for each first letter the second ones, each with the letter that makes the code of three: `Us` behind `A` is AU
 * and AUS, `Tu-` is AT and AUT; `QATA` is AQ and ATA.
 */
const CODES =
  'ADn-Er-FgGt-IaLbMr-Og-QATARgSmTu-UsWb-XALAZe BABIHBr-Dg-ElFaGrHrId-JBENLmMuNr-OlQBESRaSh-TnVtWaYBLRZl- CAnCkDo-Fa-Go-HeIvKo-Lh-MrNh-OlRiUbVp-Wu-XrYpZe DEuJiKn-MaOmZa ECuEESTGyHs-RiSpTh FInJiKl-Ms-Or-Ra GAbBrDr-EoFu-GyHaIbLr-MbNi-Pl-Qn-RcSSGSTmUmWGNBYu- HKgMdNdRvTiUn IDnEIRLLISRMnNdOtQr-RnSlTa JEyMa-OrPn KEnGzHmIrMCOMNaPPRKRo-WtYCYMZa- LAoBnCaIeKaRb-SoTuUxVaYb- MArCoDaEn-Fa-Gd-HlKdLiMrNgOMACPn-Qt-RtSrTl-UsVd-WiXe-YsZo- NAmClErFkGaIcLdOrPlRuUi-Zl OMn PAnErFy-Gn-HlKa-Lo-MSPMNc-RiSeTr-Wl-Yr- QAt REuOuSSRBUsWa SAuBl-Cy-DnEw-GpHnISVNJmKv-LeMrNe-OmRu-SdTpVl-XmYrZw- TCaDc-FATFGoHaJkKlLsMk-Nu-OnRu-ToVu-WnZa UAUKRGaMiSaYr-Zb VAtCtEnGbIrNmUt WFl-Sm XKk YEmTMYT ZAfMbWe'

/** What people, and lists of other systems, call some countries beside the names that browsers know. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  CZ: 'Czech Republic',
  GB: 'Great Britain/England/Scotland/Wales/Northern Ireland',
  NL: 'Holland',
  RU: 'Russian Federation',
  US: 'United States of America',
}

/** The codes of two and three letters of countries with the same first one. */
function codesOf(group: string): [string, string][] {
  const codes = group.slice(1).matchAll(/([A-Z])(?:([A-Z]{3})|([a-z])(-?))/g)
  return [...codes].map(([, second = '', whole, letter = '', isBetween]) => {
    const more = letter.toUpperCase()
    return [group.charAt(0) + second, whole ?? group.charAt(0) + (isBetween ? more + second : second + more)]
  })
}

/** A text as it is compared: small letters and digits, without accents, gaps and signs. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/\bst\.? /, 'saint ')
    .replace('&', 'and')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]|[^\p{L}\p{M}\p{N}]/gu, '')
}

const lists = new Map<string, readonly Country[]>()

/**
 * All countries in the order of a language. They are found by their English names, too, and by those in the browser's own language, which
 * it fills in. The first call in a language takes a slow phone some 50 ms.
 */
export function countriesIn(language: string): readonly Country[] {
  const list = lists.get(language) ?? listIn(language)
  lists.set(language, list)
  return list
}

function listIn(language: string): readonly Country[] {
  const { compare } = new Intl.Collator(language)
  return allCodes()
    .map(makerIn(language))
    .sort((one, other) => compare(one.name, other.name))
}

const allCodes = () => CODES.split(' ').flatMap(codesOf)

/** Makes the country of two codes, of two and three letters. */
function makerIn(language: string): (codes: [string, string]) => Country {
  const styles = ['short', 'long'] as const
  const known = [language, 'en', undefined].flatMap((one) =>
    styles.map((style) => new Intl.DisplayNames(one, { type: 'region', style })),
  )
  return ([code, ofThree]) => {
    const names = new Set(known.map((one) => one.of(code) ?? code))
    const keys = [code, ofThree, ...names, ...(OTHER_NAMES[code]?.split('/') ?? [])].map(folded)
    // As people write it: "Hong Kong" and not "Hong Kong SAR China", but "United States" and not "US", "É.-U.", "EE. UU.".
    return { code, name: [...names].find((name) => !/^[-A-ZÉ.\s]+$|॰/.test(name)) ?? code, keys }
  }
}

/** The one that was last asked for by its code in each language, as pages preset it: for it alone no list is made. */
const presets = new Map<string, Country>()

/** The country whose code or whole name a text is, in a language. */
export function countryNamed(text: string, language: string): Country | undefined {
  const key = folded(text)
  if (key === '') return undefined
  const isIt = ({ keys }: Country) => keys.includes(key)
  const codes = key.length > 3 ? [] : allCodes()
  const found = codes.find((both) => both.includes(key.toUpperCase()))
  if (found) presets.set(language, makerIn(language)(found))
  const preset = presets.get(language)
  return preset && isIt(preset) ? preset : countriesIn(language).find(isIt)
}

/** What a text finds, best first: what it names, then what begins with it, then names that have it inside. */
export function countriesFor(text: string, language: string): readonly Country[] {
  const key = folded(text)
  const isFound = [
    (name: string) => name === key,
    (name: string) => name.startsWith(key),
    (name: string) => name.length > 3 && name.includes(key),
  ]
  const found = isFound.flatMap((test) => countriesIn(language).filter(({ keys }) => keys.some(test)))
  return [...new Set(found)]
}
