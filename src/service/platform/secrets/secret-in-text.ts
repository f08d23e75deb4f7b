import { inPlainDigits, readingsOf } from '../../../card/digits-in-text.ts'
import { holdsCardNumber } from '../../../card/number-in-text.ts'
import { isOneTimeToken } from './one-time-token.ts'

/** What may stand in no text that is kept in plain, logged or answered. */
export type Sensitive = 'card number' | SecretKind

/** A number or secret that begins in what is shown ends here, also where each character is an escape of six and a gap. */
const SEARCHED_BEHIND = 480
/** The first half of a character that was cut in two. */
const halfCharacter = /[\uD800-\uDBFF]$/

/** What a text holds of a card or of a secret of this service; null where it holds neither. */
export function sensitiveIn(text: string): Sensitive | null {
  return secretIn(text) ?? (holdsCardNumber(text) ? 'card number' : null)
}

/** A text as it may be kept, logged or answered: `[card number]`, or the like, in the place of one that holds such a thing. */
export function withoutSensitive(text: string): string {
  const kind = sensitiveIn(text)
  return kind === null ? text : `[${kind}]`
}

/**
 * The beginning of a text from anybody, as it may be logged or answered: `longest` characters at most, and `…` where there were more.
 * Only what is shown and a little behind it is searched, so that a long text costs no more than a short one.
 */
export function withoutSensitiveInStartOf(text: string, longest: number): string {
  const shown = withoutSensitive(text.slice(0, longest + SEARCHED_BEHIND))
  return shown.length <= longest ? shown : `${shown.slice(0, longest).replace(halfCharacter, '')}…`
}

/** What this service gives out for its holder alone. Public keys are none: they stand in pages. */
export type SecretKind =
  | 'one-time token'
  | 'checkout token'
  | 'access token'
  | 'secret key'
  | 'client secret'
  | 'webhook secret'
  | 'session'
  | 'invitation'

/** What secrets of random letters begin with; `_` follows, and of keys and client secrets the environment. */
export const SECRET_PREFIX = {
  secretKey: 'sk',
  clientSecret: 'cs',
  webhookSecret: 'whsec',
  session: 'svc_session',
  invitation: 'svc_invitation',
} as const

/** A token's 16 bytes in base64: nothing that is shorter is a secret. */
const SHORTEST = 22

/**
 * The first secret of this service in a text; null where there is none. Found in any case, script and grouping: without hyphens, with
 * spaces, separators or invisible characters between, within a longer text, escaped up to three times (`%34`, `&#52;`, `\u0034`),
 * in hex or base64. Its time grows with the text's length alone. What is not found: docs/security.md, "Secrets in texts".
 */
export function secretIn(text: string): SecretKind | null {
  if (text.length < SHORTEST) return null
  const readings = /[%&\\]/.test(text) ? readingsOf(text) : [text]
  for (const reading of readings) {
    const kind = secretInPlain(/[^\0-\x7f]/.test(reading) ? inPlainDigits(reading) : reading)
    if (kind !== null) return kind
  }
  return null
}

function secretInPlain(plain: string): SecretKind | null {
  const traits = traitsOf(Buffer.from(plain))
  return (
    writtenIn(traits, () => plain) ??
    inBase64(traits, () => plain, MAX_DEPTH) ??
    (traits.letters.includes('eyj') ? jwtIn(plain.replace(/[^\w+/-]+/g, '')) : null) ??
    inHex(traits)
  )
}

/** What one look at each byte of a text tells. */
interface Traits {
  hasToken: boolean
  /** Its letters, as lower case, and digits alone. */
  letters: Buffer
  /** Rows of hex digits in `letters`, long enough to be a secret's bytes: where each begins and ends. */
  hexRows: readonly (readonly [from: number, to: number])[]
  /** It has a row of at least 22 characters of base64, lower and upper case among them. */
  mayBeBase64: boolean
}

/** By byte: the value of a hex digit, or that it is another letter, or no letter at all. */
const OTHER_LETTER = 16
const SEPARATOR = 17
/** The bit of ASCII that makes a letter small; digits have it, too. */
const LOWER_CASE = 32
/** By byte: 0 breaks a row of base64; else how it counts in one. */
const UPPER = 1
const LOWER = 2
const NEITHER = 4
const valueOf = new Uint8Array(256).fill(SEPARATOR)
const base64Of = new Uint8Array(256)
for (let code = 0; code < 128; code += 1) {
  const character = String.fromCharCode(code)
  const value = Number.parseInt(character, 36)
  if (value >= 0) valueOf[code] = Math.min(value, OTHER_LETTER)
  if (/[\w+/-]/.test(character))
    base64Of[code] = /[A-Z]/.test(character) ? UPPER : /[a-z]/.test(character) ? LOWER : NEITHER
}

function traitsOf(bytes: Uint8Array): Traits {
  const { letters, values } = lettersOf(bytes)
  return { letters, ...hexOf(values), mayBeBase64: hasBase64Row(bytes) }
}

/** The letters and digits of a text, and the value of each: of a hex digit, or `OTHER_LETTER`. */
function lettersOf(bytes: Uint8Array): { letters: Buffer; values: Uint8Array } {
  const letters = Buffer.alloc(bytes.length)
  const values = new Uint8Array(bytes.length)
  let count = 0
  for (const byte of bytes) {
    const value = valueOf[byte] ?? SEPARATOR
    if (value === SEPARATOR) continue
    letters[count] = byte | LOWER_CASE
    values[count] = value
    count += 1
  }
  return { letters: letters.subarray(0, count), values: values.subarray(0, count) }
}

function hexOf(values: Uint8Array): Pick<Traits, 'hasToken' | 'hexRows'> {
  const hexRows: [number, number][] = []
  let hasToken = false
  let from = 0
  for (let at = 0; at <= values.length; at += 1) {
    if ((values[at] ?? OTHER_LETTER) === OTHER_LETTER) {
      if (at - from >= 2 * SHORTEST) hexRows.push([from, at])
      from = at + 1
    } else if (at - from >= 31) {
      hasToken ||= isOneTimeToken(values, at - 31)
    }
  }
  return { hasToken, hexRows }
}

function hasBase64Row(bytes: Uint8Array): boolean {
  let length = 0
  let cases = 0
  for (const byte of bytes) {
    const base64 = base64Of[byte] ?? 0
    length = base64 === 0 ? 0 : length + 1
    cases = base64 === 0 ? 0 : cases | base64
    if (length >= SHORTEST && (cases & (UPPER | LOWER)) === (UPPER | LOWER)) return true
  }
  return false
}

function writtenIn({ hasToken, letters }: Traits, textOf: () => string): SecretKind | null {
  if (hasToken) return 'one-time token'
  if (!PREFIXES.some(({ compact }) => letters.includes(compact))) return null
  const text = textOf().replace(/\s+/g, ' ')
  return PREFIXES.find(({ spelt }) => hasRandomBehind(text, spelt))?.kind ?? null
}

/** At most this many other characters (a run of white space counts as one) may stand between two letters of a secret. */
const MAX_BETWEEN = 7
const speltOut = (word: string) => new RegExp(word.split('').join(`[^a-z\\d]{0,${MAX_BETWEEN}}`), 'gi')
const ENVIRONMENTS = ['sandbox', 'staging', 'preproduction', 'production']
const PREFIXES = [
  ...ENVIRONMENTS.map((name) => [`${SECRET_PREFIX.secretKey}${name}`, 'secret key'] as const),
  ...ENVIRONMENTS.map((name) => [`${SECRET_PREFIX.clientSecret}${name}`, 'client secret'] as const),
  [SECRET_PREFIX.webhookSecret, 'webhook secret'] as const,
  [SECRET_PREFIX.session, 'session'] as const,
  [SECRET_PREFIX.invitation, 'invitation'] as const,
].map(([prefix, kind]) => {
  const compact = prefix.replace('_', '')
  return { kind, compact, spelt: speltOut(compact) }
})

/** A prefix as it is issued begins a word; `task_production_` and `docs_production_` end in one, too, and "CS production" is spelt like one. */
const asIssued = /^[a-z]+(?:_[a-z]+)?$/i
const letterOrDigit = /[a-z\d]/i
const letter = /[a-z]/i

function hasRandomBehind(text: string, prefix: RegExp): boolean {
  for (const { 0: found, index } of text.matchAll(prefix)) {
    const before = text.charAt(index - 1)
    const isIssued = asIssued.test(found)
    if (!isIssued && letterOrDigit.test(before)) continue
    const isPlain = isIssued && !letter.test(before)
    if (isRandomFrom(text, index + found.length, isPlain ? SECRET : UNSURE)) return true
  }
  return false
}

/** So many letters and digits behind a prefix are looked at, if there are as many. */
const BODY = 28
/** A webhook's secret, 32 characters of base64, has fewer than this once in a million; every other secret has more. */
const SHORTEST_BODY = 24

/** How letters and digits look that are random. `changes`: from digits to letters, or to the other case, at least so often. */
interface Random {
  changes: number
  hasBothCases: boolean
}

/** Random letters change some 17 times, and in one case ten times and more; a sentence once or twice. */
const SECRET: Random = { changes: 4, hasBothCases: false }
/** A hash or an id has one case, and a time few changes. Of 10,000 secrets two change less. */
const UNSURE: Random = { changes: 8, hasBothCases: true }

/** Whether letters and digits follow that are random. */
function isRandomFrom(text: string, from: number, random: Random): boolean {
  let seen = 0
  let changes = 0
  let cases = 0
  let last = 0
  for (let at = from, between = 0; seen < BODY && between <= MAX_BETWEEN && at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((valueOf[code] ?? SEPARATOR) === SEPARATOR) {
      between += 1
    } else {
      const kind = base64Of[code] ?? 0
      if (seen > 0 && kind !== last) changes += 1
      last = kind
      cases |= kind
      seen += 1
      between = 0
    }
  }
  const hasBothCases = (cases & (UPPER | LOWER)) === (UPPER | LOWER)
  return seen >= SHORTEST_BODY && changes >= random.changes && (hasBothCases || !random.hasBothCases)
}

/** Base64 of either alphabet, also broken into lines. */
const base64Row = /[\w+/-]{22,}(?:\s+[\w+/-]+)*/g
/** What is in base64 may be base64 itself, as a JWT is. */
const MAX_DEPTH = 2

function inBase64({ mayBeBase64 }: Traits, textOf: () => string, depth: number): SecretKind | null {
  if (!mayBeBase64 || depth === 0) return null
  for (const [found] of textOf().matchAll(base64Row)) {
    const row = found.replace(/\s+/g, '')
    // It may begin at any of four characters of a longer row.
    for (let from = 0; from < 4; from += 1) {
      const kind = inBytes(Buffer.from(row.slice(from), 'base64'), depth - 1)
      if (kind !== null) return kind
    }
  }
  return null
}

function inBytes(bytes: Buffer, depth: number): SecretKind | null {
  if (hasTokenInBytes(bytes)) return 'one-time token'
  const traits = traitsOf(bytes)
  const textOf = () => bytes.toString('latin1')
  return jwtTold(bytes) ?? writtenIn(traits, textOf) ?? inBase64(traits, textOf, depth)
}

/** A token's 16 bytes as they are. */
function hasTokenInBytes(bytes: Buffer): boolean {
  const digits = new Uint8Array(32)
  for (let from = 0; from + 16 <= bytes.length; from += 1) {
    if (((bytes[from + 6] ?? 0) & 0xf0) !== 0x40 || ((bytes[from + 8] ?? 0) & 0xc0) !== 0x80) continue
    for (let at = 0; at < 16; at += 1) {
      const byte = bytes[from + at] ?? 0
      digits[2 * at] = byte >> 4
      digits[2 * at + 1] = byte & 15
    }
    if (isOneTimeToken(digits, 0)) return true
  }
  return false
}

/** A JWT with other characters within its parts, which `row` is without; each part begins with `eyJ`, which is `{"`. */
function jwtIn(row: string): SecretKind | null {
  for (let from = 0; from < 4; from += 1) {
    const kind = jwtTold(Buffer.from(row.slice(from), 'base64'))
    if (kind !== null) return kind
  }
  return null
}

/** What a JWT says of itself in its header or its claims. `at+jwt` is an access token (RFC 9068), whoever gave it out. */
function jwtTold(bytes: Buffer): SecretKind | null {
  if (bytes.includes('"typ":"at+jwt"')) return 'access token'
  return bytes.includes('"aud":"checkout"') && bytes.includes('"shape":{') ? 'checkout token' : null
}

/** The text whose bytes a row of hex digits is; they may begin at every second digit. */
function inHex({ letters, hexRows }: Traits): SecretKind | null {
  for (const [start, end] of hexRows) {
    for (const from of [start, start + 1]) {
      const kind = inBytes(Buffer.from(letters.toString('latin1', from, end), 'hex'), MAX_DEPTH - 1)
      if (kind !== null) return kind
    }
  }
  return null
}
