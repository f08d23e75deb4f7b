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
/** Other names of the same, then of 100 and 1000, what connects two (-1), and what says the next digit two or three times (-2, -3). */
const OTHER_NAMES =
  'oh 0 o 0 nought 0 naught 0 nil 0 ein 1 zwo 2 une 1 una 1 uma 1 duas 2 meia 6 veinti 20 vingts 20 dezesseis 16 dezessete 17 dezenove 19 hundred 100 hundert 100 honderd 100 cent 100 cien 100 cento 100 cem 100 thousand 1000 tausend 1000 duizend 1000 mille 1000 mil 1000 mila 1000 اثنين 2 पांच 5 छः 6 ゼロ 0 いち 1 に 2 さん 3 よん 4 ご 5 ろく 6 なな 7 はち 8 きゅう 9 and -1 und -1 en -1 et -1 y -1 e -1 و -1 double -2 doppel -2 dubbel -2 doble -2 doppio -2 duplo -2 triple -3 treble -3'
const slash = /(?<!\p{L})(?:slash|schr[aä]gstrich|barra|barre|streep)(?!\p{L})/giu

/** Numerals of Chinese, Japanese and Korean, each at the place of its digit; then those of ten and of a thousand. */
const NUMERALS = ['〇零영공', '一幺일', '二两이', '三삼', '四사', '五오', '六육륙', '七칠', '八팔', '九구']
const numeral = `[${NUMERALS.join('')}十십千천]`
/** By themselves, and more than one of them unless a part of a date follows: most are also syllables of other words. */
const numerals = new RegExp(
  `(?<!(?![年월월])\\p{L})(?:${numeral}(?:\\s?${numeral})+(?!(?![年月日년월일])\\p{L})|${numeral}(?=[年月日년월일]))`,
  'gu',
)
/** The letter O between digits: some programs read a zero so. */
const letterO = /(?<![\p{L}\d])(?:(?=o*\d)[o\d]{3,}|o{2,})(?![\p{L}\d])/giu
/** Words, digits and slashes with nothing but small gaps between them. */
const row = /(?:[\p{L}\p{M}]+|\d+|\/)(?:[\s-]{0,3}(?:[\p{L}\p{M}]+|\d+|\/))*/gu
const piece = /[\p{L}\p{M}]+|\d+|\//gu

/**
 * A text with the names of numbers as digits. A name of another language than English has to stand with more of them, be all of the
 * text, or be a zero beside digits: many are also words that mean something else, such as `due` and `once`.
 */
export function withSpokenDigits(text: string): string {
  // Most texts are digits alone, for which a key press does not wait for these searches.
  if (/^[\d\s]*$/.test(text) || !/\p{L}/u.test(text)) return text
  return text
    .replace(letterO, (found) => found.replace(/o/gi, '0'))
    .replace(numerals, digitsOfNumerals)
    .replace(slash, '/')
    .replace(row, (found, _at, whole: string) => rowInDigits(found, found === whole.trim()))
}

/** Words of a row that say a number, and its digits, as far as they stand together, are written as digits. */
function rowInDigits(words: string, isWholeText: boolean): string {
  let [written, from] = ['', 0]
  let said: string[] = []
  const end = (at: number) => {
    const raw = words.slice(from, at)
    const digits = isNumber(said, isWholeText && raw === words) ? numberOf(said) : ''
    written += digits === '' ? raw : raw.replace(/^.*\S/s, digits)
    ;[said, from] = [[], at]
  }
  for (const { 0: word, index } of words.matchAll(piece)) {
    const names = namesIn(word)
    if (names === null) {
      end(index)
      written += word
      from += word.length
    } else said.push(...names)
  }
  end(words.length)
  return written
}

function isNumber(said: readonly string[], isWholeText: boolean): boolean {
  const names = said.filter((name) => valueOf(name) >= 0)
  const digits = said.filter((name) => /^\d/.test(name))
  return (
    names.length > 1 ||
    (names.length === 1 && isWholeText && digits.length === 0) ||
    names.some((name) => ENGLISH.test(name) || (valueOf(name) === 0 && name !== 'o' && digits.length > 0)) ||
    (digits.length > 0 && said.some((name) => valueOf(name) < -1))
  )
}

const ENGLISH = new RegExp(`^(?:${(NAMES[0] ?? '').replace(/ /g, '|')}|oh|na?ought)$`)

let values: Map<string, number> | null = null

/** What a name stands for; NaN for any other word. */
function valueOf(name: string): number {
  values ??= new Map([
    ...NAMES.flatMap((names) =>
      names.split(' ').flatMap((one, at): [string, number][] => {
        const value = at < 20 ? at : 10 * at - 180
        // Italian leaves out the vowel in front of another: trentuno.
        return [one, at < 20 ? one : one.replace(/[ai]$/, '')].map((each) => [inPlainLetters(each), value])
      }),
    ),
    ...Array.from(OTHER_NAMES.matchAll(/(\S+) (\S+)/g), ([, one = '', value]): [string, number] => [
      inPlainLetters(one),
      Number(value),
    ]),
  ])
  return values.get(name) ?? NaN
}

/** The names that a word consists of, more than one if it is put together, such as `neununddreissig`; digits as they are. */
function namesIn(word: string): string[] | null {
  const plain = inPlainLetters(word)
  if (/^[\d/]/.test(plain) || valueOf(plain) > -4) return [plain]
  for (let length = Math.min(plain.length - 1, 14); length > 0; length -= 1) {
    const first = valueOf(plain.slice(0, length))
    const rest =
      first > (length > 1 ? -4 : -2) && (length > 1 || first < 0) ? namesIn(plain.slice(length)) : null
    if (rest?.some((name) => valueOf(name) >= 0)) return [plain.slice(0, length), ...rest]
  }
  return null
}

interface Written {
  text: string
  /** What the text stands for; -1 if it was said in digits. */
  value: number
  name: string
}

/** A number that was said, in digits: single ones together, others with gaps between. */
function numberOf(said: readonly string[]): string {
  const written: Written[] = []
  let before = 0
  for (const name of said) {
    const value = valueOf(name)
    if (value >= 0 || Number.isNaN(value)) {
      const next = value >= 0 ? { text: String(value), value, name } : { text: name, value: -1, name }
      const last = written.at(-1)
      const sum =
        last !== undefined && before > -2 && isOneNumber(last, next, before < 0) ? sumOf(last, next) : 0
      if (sum > 0) written.splice(-1, 1, { text: String(sum), value: sum, name })
      else
        written.push({
          ...next,
          text: next.text.length === 1 && before < -1 ? next.text.repeat(-before) : next.text,
        })
    }
    before = Math.min(value, 0) || 0
  }
  const shown = written.map(({ text, value }) => (value >= 0 && value < 10 ? text : ` ${text} `)).join('')
  return shown.trim().replace(/ +/g, ' ')
}

/** Whether two numbers that are said one after the other are one. */
function isOneNumber(last: Written, { value, name }: Written, isConnected: boolean): boolean {
  if (last.value <= 0 || value <= 0) return false
  if (value >= 100) return last.value < 10
  const below = last.value % 100
  if (value < 10 && below >= 20 && below % 10 === 0) return true
  if (below === 0 || (isConnected && below < 10 && value >= 20)) return true
  return inFrench.test(`${below} ${last.name} ${name}`)
}

const sumOf = (last: Written, { value, name }: Written) =>
  value >= 100 ? last.value * value : name.startsWith('vingt') && last.value === 4 ? 80 : last.value + value

/** Quatre-vingts, soixante-dix, quatre-vingt-onze, dix-sept. */
const inFrench =
  /4 quatre vingts?$|(?:60 soixante|80 vingts?) (?:dix|onze|douze|treize|quatorze|quinze|seize)$|dix (?:sept|huit|neuf)$/

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
