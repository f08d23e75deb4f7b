/** References as merchants, banks, parcel services and programs write them; `random`: from 0 up to 1. */
export type MakeReference = (random: () => number) => string

/** A generator of numbers from 0 up to 1 that begins anew with its seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export type Random = () => number

export const upTo = (random: Random, below: number): number => Math.floor(random() * below)
export const oneOf = (random: Random, texts: readonly string[]): string =>
  texts[upTo(random, texts.length)] ?? ''
export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => String(upTo(random, 10))).join('')
const fromAlphabet = (random: Random, alphabet: string, count: number): string =>
  Array.from({ length: count }, () => alphabet[upTo(random, alphabet.length)]).join('')
const hex = (random: Random, count: number): string => fromAlphabet(random, '0123456789abcdef', count)

/** `#` is any digit, `?` any capital letter, `@` a digit or a capital letter. */
export const filled = (random: Random, form: string): string =>
  form.replace(/[#?@]/g, (mark) => {
    if (mark === '#') return digits(random, 1)
    return fromAlphabet(random, mark === '?' ? LETTERS : `0123456789${LETTERS}`, 1)
  })
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const form =
  (...forms: string[]): MakeReference =>
  (random) =>
    filled(random, oneOf(random, forms))

/** Country, and the form of the account behind the check digits (SWIFT IBAN registry). */
const IBANS = [
  ['AT', '################'],
  ['BE', '############'],
  ['CH', '#####@@@@@@@@@@@@'],
  ['DE', '##################'],
  ['ES', '####################'],
  ['FR', '##########@@@@@@@@@@@##'],
  ['GB', '????##############'],
  ['IT', '?##########@@@@@@@@@@@@'],
  ['NL', '????##########'],
  ['NO', '###########'],
  ['PL', '########################'],
  ['SE', '####################'],
] as const

const iban: MakeReference = (random) => {
  const [country, bban] = IBANS[upTo(random, IBANS.length)] ?? IBANS[0]
  const account = filled(random, bban)
  const inDigits = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  const check = String(98n - (BigInt(inDigits) % 97n)).padStart(2, '0')
  const compact = country + check + account
  return random() < 0.5 ? compact : (compact.match(/.{1,4}/g) ?? []).join(oneOf(random, [' ', ' ', '-']))
}

const time: MakeReference = (random) => {
  const iso = new Date(Date.UTC(2020, 0, 1) + upTo(random, 15 * 365 * 86_400_000)).toISOString()
  const [year, month, day] = [iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10)]
  const counter = digits(random, 1 + upTo(random, 6))
  return oneOf(random, [
    iso,
    String(Date.parse(iso)),
    `${iso.slice(0, 19).replace(/\D/g, '')}${digits(random, 3)}`,
    `${year}${month}${day}-${counter}`,
    `${year}-${month}-${day} ${counter}`,
    `${day}.${month}.${year} / ${counter}`,
    `${day}/${month}/${year} ${iso.slice(11, 16)} ${counter}`,
  ])
}

const place: MakeReference = (random) =>
  `${(random() * 180 - 90).toFixed(6)}, ${(random() * 360 - 180).toFixed(6)}`

/** Every shape by its name. */
export const REFERENCES: Readonly<Record<string, MakeReference>> = {
  'order number': (random) =>
    oneOf(random, ['', '', '#', 'SO-', 'INV']) + digits(random, 6 + upTo(random, 15)),
  'order number in groups': form(
    '###-#######-#######',
    '####-####',
    '##-#####-#####',
    '########-##',
    '###-######',
  ),
  phone: form(
    '+61 4## ### ###',
    '(02) 9### ####',
    '+1 (###) ###-####',
    '+44 20 #### ####',
    '+49 30 ########',
    '+33 6 ## ## ## ##',
    '+62 8## #### ####',
    '+62 8## #### #####',
    '+55 11 9####-####',
    '+63 9## ### ####',
    '+6591234###',
    '+4915#########',
  ),
  iban,
  uuid: (random) => {
    const text = `${hex(random, 12)}4${hex(random, 3)}${oneOf(random, ['8', '9', 'a', 'b'])}${hex(random, 15)}`
    const dashed = text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    return oneOf(random, [text, dashed, dashed.toUpperCase(), `urn:uuid:${dashed}`])
  },
  'hash or id in hex': (random) =>
    oneOf(random, ['', 'ch_']) + hex(random, [24, 40, 64][upTo(random, 3)] ?? 24),
  ulid: (random) => `01${fromAlphabet(random, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
  'random text': (random) =>
    fromAlphabet(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 21),
  time,
  place,
  article: form('#############', '##############', '978-#-##-######-#', '978##########', '############'),
  parcel: form(
    '9400 #### #### #### #### ##',
    '94##################',
    '1Z@@@@@@##########',
    'RR#########AU',
    '############',
  ),
  account: form(
    '###-### ########',
    '###-###  ####-####',
    '## ### ### ###',
    '##-##-## ########',
    '## ##### ##### ##### ##### #####',
  ),
  invoice: form('INV-####-#####', 'RE ####/##/###', '##/####-##', '§ ### ######'),
}
