import { digits, filled, oneOf, upTo } from './random-references.ts'
import type { MakeReference, Random } from './random-references.ts'

/** Several of a kind in one text, with one of the given texts between them. */
const listOf =
  (count: number, between: string, one: MakeReference): MakeReference =>
  (random) =>
    Array.from({ length: count }, () => one(random)).join(between)

const numberOf =
  (length: number): MakeReference =>
  (random) =>
    digits(random, length)

const form =
  (text: string): MakeReference =>
  (random) =>
    filled(random, text)

const amount: MakeReference = (random) => (upTo(random, 1_000_000) / 100).toFixed(2)
const timeOf = (random: Random): string =>
  new Date(Date.UTC(2020, 0, 1) + upTo(random, 15 * 365 * 86_400_000)).toISOString()

/** Texts of many numbers and of odd forms, each by its name. */
export const LISTS: Readonly<Record<string, MakeReference>> = {
  'three 4-digit numbers, spaces': listOf(3, ' ', numberOf(4)),
  'four 4-digit numbers, comma and space': listOf(4, ', ', numberOf(4)),
  'four 4-digit numbers, commas': listOf(4, ',', numberOf(4)),
  'eight 4-digit numbers, spaces': listOf(8, ' ', numberOf(4)),
  'five 5-digit numbers, commas': listOf(5, ',', numberOf(5)),
  'three 5-digit numbers, spaces': listOf(3, ' ', numberOf(5)),
  'three 6-digit numbers, spaces': listOf(3, ' ', numberOf(6)),
  'five 6-digit numbers, spaces': listOf(5, ' ', numberOf(6)),
  'two 8-digit numbers, comma and space': listOf(2, ', ', numberOf(8)),
  'two 8-digit numbers, lines': listOf(2, '\n', numberOf(8)),
  'four 8-digit numbers, commas': listOf(4, ',', numberOf(8)),
  'four 8-digit numbers, comma and space': listOf(4, ', ', numberOf(8)),
  'four 8-digit numbers, lines': listOf(4, '\n', numberOf(8)),
  'four 8-digit numbers, slashes': listOf(4, ' / ', numberOf(8)),
  'three 10-digit numbers, commas': listOf(3, ',', numberOf(10)),
  'three 12-digit numbers, commas': listOf(3, ',', numberOf(12)),
  'three 16-digit numbers, commas': listOf(3, ',', numberOf(16)),
  'numbers of 1 to 8 digits, spaces': (random) =>
    listOf(8, ' ', () => digits(random, 1 + upTo(random, 8)))(random),
  'numbers of 1 to 8 digits, commas': (random) =>
    listOf(8, ',', () => digits(random, 1 + upTo(random, 8)))(random),
  'twenty single digits, spaces': listOf(20, ' ', numberOf(1)),
  'ten pairs, spaces': listOf(10, ' ', numberOf(2)),
  'eight amounts, comma and space': listOf(8, ', ', amount),
  'four amounts, spaces': listOf(4, ' ', amount),
  'eight amounts, plus signs': listOf(8, ' + ', amount),
  'four coordinates': listOf(
    4,
    '; ',
    (random) => `${(random() * 180 - 90).toFixed(6)},${(random() * 360 - 180).toFixed(6)}`,
  ),
  'two coordinates of 4 decimals': listOf(
    2,
    ' ',
    (random) => `${(random() * 180 - 90).toFixed(4)},${(random() * 360 - 180).toFixed(4)}`,
  ),
  'four times, commas': listOf(4, ',', timeOf),
  'four times in digits, commas': listOf(4, ',', (random) => timeOf(random).slice(0, 19).replace(/\D/g, '')),
  'four times in ms, commas': listOf(4, ',', (random) => String(Date.parse(timeOf(random)))),
  'four times in s, commas': listOf(4, ',', (random) => String((Date.parse(timeOf(random)) / 1000) | 0)),
  'day and four times of day': (random) =>
    `${timeOf(random).slice(0, 10)} ${listOf(4, ' ', (r) => timeOf(r).slice(11, 16))(random)}`,
  'four parcels': listOf(4, ', ', form('9400 #### #### #### #### ##')),
  'three parcels of 12, spaces': listOf(3, ' ', form('#### #### ####')),
  'three parcels of 12, commas': listOf(3, ', ', form('#### #### ####')),
  'three mobile numbers': listOf(3, ' / ', form('04## ### ###')),
  'two phone numbers of 8, slash': listOf(2, ' / ', form('6### ####')),
  'two phone numbers of 8, comma': listOf(2, ', ', form('6### ####')),
  'three phone numbers of 10, commas': listOf(3, ', ', form('+1 ### ### ####')),
  'stock numbers': listOf(4, ' ', form('???-####-####')),
  'stock numbers in digits': listOf(4, ' ', form('##-####-###')),
  'line of a log': (random) =>
    `${timeOf(random)} [${digits(random, 4)}] INFO 192.168.${upTo(random, 256)}.${upTo(random, 256)} "GET /orders/${digits(random, 8)}" 200 ${digits(random, 4)} ${digits(random, 3)}`,
  'line of a web server': (random) =>
    `10.0.${upTo(random, 256)}.${upTo(random, 256)} - - [${timeOf(random).slice(8, 10)}/Nov/2026:${timeOf(random).slice(11, 19)} +0000] ${digits(random, 3)} ${digits(random, 5)} ${digits(random, 6)}`,
  JSON: (random) =>
    JSON.stringify({
      id: upTo(random, 1e8),
      at: Date.parse(timeOf(random)),
      items: [1, 2, 3].map(() => upTo(random, 1e8)),
      total: Number(amount(random)),
    }),
  'JSON with fractions': (random) => JSON.stringify({ score: random(), rate: random() }),
  'table line': (random) =>
    [
      digits(random, 8),
      amount(random),
      timeOf(random).slice(0, 10),
      digits(random, 8),
      digits(random, 6),
    ].join(oneOf(random, ['\t', ';', '|', ','])),
}
