/**
 * What some keyboards write when a number is dictated: the names of 0 to 19, then of 20, 30 to 90, in English, German, Dutch, French,
 * Spanish, Italian, Portuguese, Arabic and Hindi. In small letters without accents; `-`: made of others, or not known here.
 */
const NAMES = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety',
  'null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig',
  'nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig',
  'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - - vingt trente quarante cinquante soixante septante huitante nonante',
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  'zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta',
  'zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa',
  'صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة - - - - - - - - - عشرون ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون',
  'शून्य एक दो तीन चार पाँच छह सात आठ नौ दस',
]
const OTHER_NAMES =
  'oh 0 o 0 nought 0 naught 0 nil 0 ein 1 zwo 2 une 1 una 1 uma 1 duas 2 meia 6 veinti 20 vent 20 trent 30 vingts 20 dezesseis 16 dezessete 17 dezenove 19 hundred 100 hundert 100 honderd 100 cent 100 cien 100 ciento 100 cento 100 cem 100 thousand 1000 tausend 1000 duizend 1000 mille 1000 mil 1000 mila 1000 اثنين 2 पांच 5 छः 6 ゼロ 0 まる 0 いち 1 に 2 さん 3 よん 4 ご 5 ろく 6 なな 7 はち 8 きゅう 9'
const AND = ['and', 'und', 'en', 'et', 'y', 'e', 'و']
const TIMES: Readonly<Record<string, number>> = {
  ...{ double: 2, doppel: 2, dubbel: 2, doble: 2, doppio: 2, duplo: 2 },
  ...{ triple: 3, treble: 3, dreifach: 3, triplo: 3 },
}
const slash = /(?<!\p{L})(?:slash|schr[aä]gstrich|barra|barre|streep)(?!\p{L})/giu

/** Numerals of Chinese, Japanese and Korean, each at the place of its digit; then those of ten and of a thousand. */
const NUMERALS = [
  '〇零영공',
  '一幺壱壹일',
  '二两兩弐이',
  '三参삼',
  '四사',
  '五오',
  '六육륙',
  '七칠',
  '八팔',
  '九구',
]
const numeral = `[${NUMERALS.join('')}十십千천]`
/** By themselves, and more than one of them unless a part of a date follows: most are also syllables of other words. */
const numerals = new RegExp(
  `(?<!(?![年月년월])\\p{L})(?:${numeral}(?:\\s?${numeral})+(?!(?![年月日년월일])\\p{L})|${numeral}(?=[年月日년월일]))`,
  'gu',
)
/** The letter O between digits: some programs read a zero so. */
const letterO = /(?<![\p{L}\d])(?:(?=o*\d)[o\d]{3,}|o{2,})(?![\p{L}\d])/giu
const token = /[\p{L}\p{M}]+|\d+|[^\p{L}\p{M}\d]+/gu

/**
 * A text with the names of numbers as digits. A name of another language than English has to stand with more of them, be all of the
 * text, or be a zero beside digits: many are also words that mean something else, such as `due` and `once`.
 */
export function withSpokenDigits(text: string): string {
  // Most texts are digits alone, for which a key press does not wait for these searches.
  if (!/\p{L}/u.test(text)) return text
  const inDigits = text
    .replace(letterO, (found) => found.replace(/o/gi, '0'))
    .replace(numerals, digitsOfNumerals)
    .replace(slash, '/')
  const written: string[] = []
  let row: Said[] = []
  const endRow = () => {
    written.push(inDigitsOf(row, inDigits.trim()))
    row = []
  }
  for (const [found] of inDigits.matchAll(token)) {
    const said = saidBy(found)
    const isGap = /^[\s-]{1,3}$/.test(found) && row.length > 0
    if (said === null && !isGap) endRow()
    if (said === null && !isGap) written.push(found)
    else row.push(said ?? { raw: found, parts: [] })
  }
  endRow()
  return written.join('')
}

/** A part of a number as it is said: a number, what connects two, or how many times the next digit comes. */
type Part = { value: number; name: string } | { digits: string } | 'and' | { times: number }

/** A word, digits or a gap, with what is said by it. */
interface Said {
  raw: string
  parts: readonly Part[]
}

function saidBy(found: string): Said | null {
  if (/^\d/.test(found) || found.trim() === '/') return { raw: found, parts: [{ digits: found.trim() }] }
  const parts = /^\p{L}/u.test(found) ? partsOf(inPlainLetters(found)) : null
  return parts === null ? null : { raw: found, parts }
}

let known: Map<string, Part> | null = null

function partCalled(name: string): Part | undefined {
  if (known !== null) return known.get(name)
  const parts = new Map<string, Part>()
  const add = (word: string, value: number) =>
    parts.set(inPlainLetters(word), { value, name: inPlainLetters(word) })
  for (const names of NAMES) {
    for (const [at, word] of names.split(' ').entries()) {
      if (word === '-') continue
      add(word, at < 20 ? at : 10 * at - 180)
      if (at >= 20) add(word.replace(/[ai]$/, ''), 10 * at - 180)
    }
  }
  for (const [, word = '', value] of OTHER_NAMES.matchAll(/(\S+) (\d+)/g)) add(word, Number(value))
  for (const word of AND) parts.set(inPlainLetters(word), 'and')
  for (const [word, times] of Object.entries(TIMES)) parts.set(word, { times })
  known = parts
  return parts.get(name)
}

/** What a word says, also one that is put together, such as `neununddreissig`; null for any other word. */
function partsOf(word: string): Part[] | null {
  const part = partCalled(word)
  if (part !== undefined) return [part]
  for (let length = Math.min(word.length - 1, LONGEST_NAME); length > 0; length -= 1) {
    const first = partCalled(word.slice(0, length))
    const rest = first === undefined || (length === 1 && first !== 'and') ? null : partsOf(word.slice(length))
    if (first !== undefined && rest?.some(isNumber)) return [first, ...rest]
  }
  return null
}

const LONGEST_NAME = 14

const isNumber = (part: Part): part is { value: number; name: string } =>
  typeof part === 'object' && 'value' in part

function inDigitsOf(row: readonly Said[], text: string): string {
  const raw = row.map((one) => one.raw).join('')
  const parts = row.flatMap((one) => one.parts)
  const names = parts.filter(isNumber).map(({ name }) => name)
  const isSaid =
    names.length > 1 ||
    (raw.trim() === text && names.length === parts.length) ||
    names.some((name) => ENGLISH.has(name)) ||
    parts.some((part) => typeof part === 'object' && 'times' in part) ||
    (names.length < parts.length &&
      parts.some((part) => isNumber(part) && part.value === 0 && part.name !== 'o'))
  if (names.length === 0 && !parts.some((part) => typeof part === 'object' && 'times' in part)) return raw
  return isSaid ? raw.replace(/^.*\S/s, numberOf(parts)) : raw
}

const ENGLISH = new Set([...(NAMES[0] ?? '').split(' '), 'oh', 'nought', 'naught'])

interface Written {
  text: string
  /** What the text stands for, if it was said in words. */
  value: number | null
  name: string
}

/** A number that was said, in digits: single ones together, others with gaps between. */
function numberOf(parts: readonly Part[]): string {
  const written: Written[] = []
  let [times, isConnected] = [1, false]
  for (const part of parts) {
    if (part === 'and') isConnected = true
    else if ('times' in part) times = part.times
    else {
      const next =
        'digits' in part
          ? { text: part.digits, value: null, name: '' }
          : { text: String(part.value), ...part }
      const last = written.at(-1)
      const sum = last === undefined || times > 1 ? null : sumOf(last, next, isConnected)
      if (sum !== null) written.splice(-1, 1, { ...next, text: String(sum), value: sum })
      else written.push(next.text.length === 1 ? { ...next, text: next.text.repeat(times) } : next)
      ;[times, isConnected] = [1, false]
    }
  }
  return written
    .map(({ text, value }, at) => ((value !== null && text.length === 1) || at === 0 ? text : ` ${text}`))
    .join('')
}

/** What two numbers that are said one after the other are together, null if they are two. */
function sumOf(last: Written, { value, name }: Written, isConnected: boolean): number | null {
  if (last.value === null || value === null) return null
  const pair = `${last.name} ${name}`
  if (/^quatre vingts?$/.test(pair)) return 80
  if (value >= 100) return isUnit(last.value) ? last.value * value : null
  const below = last.value % 100
  const isMore =
    (last.value >= 100 && below === 0) ||
    (below >= 20 && below % 10 === 0 && isUnit(value)) ||
    (isConnected && isUnit(below) && value >= 20) ||
    frenchTeens.test(`${below} ${pair}`)
  return isMore && value > 0 ? last.value + value : null
}

const isUnit = (value: number) => value > 0 && value < 10

/** Soixante-dix, quatre-vingt-onze, dix-sept. */
const frenchTeens =
  /^(?:60 soixante|80 vingts?) (?:dix|onze|douze|treize|quatorze|quinze|seize)$|dix (?:sept|huit|neuf)$/

function digitsOfNumerals(found: string): string {
  const digits = found
    .replace(/\s/g, '')
    .replace(/[^十십千천]/g, (one) => String(NUMERALS.findIndex((all) => all.includes(one))))
  return digits
    .replace(/(\d?)[十십](\d?)/g, (_, tens: string, ones: string) =>
      String(10 * Number(tens || 1) + Number(ones || 0)),
    )
    .replace(/2[千천](\d\d)/, '20$1')
}

/** A word in small letters without accents and points. */
export function inPlainLetters(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036f.॰]/g, '')
    .replace(/ß/g, 'ss')
    .toLowerCase()
}
