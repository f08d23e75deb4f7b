import { expect, it } from 'vitest'
import { holdsCardNumber } from './number-in-text.ts'
import { isCardByChance } from './testing/card-by-chance.ts'
import { LISTS } from './testing/random-lists.ts'
import { REFERENCES, seeded } from './testing/random-references.ts'
import type { MakeReference } from './testing/random-references.ts'

/** Of all common shapes together; `npm run references` tries a million, and 100,000 of each other shape. */
const COUNT = Number(process.env['REFERENCES'] ?? 12_000)
const SEED = Number(process.env['REFERENCES_SEED'] ?? 20_261_122)
const COMMON = Object.entries(REFERENCES)
const random = seeded(SEED)

interface Tried {
  refused: number
  byChance: number
  wronglyRefused: string[]
}

it(`of ${COUNT} references none is refused that is no card number by chance`, { timeout: 600_000 }, () => {
  const tried = COMMON.map(([name, make]) => tellOf(name, tryMany(make, Math.ceil(COUNT / COMMON.length))))
  expect(tried.flatMap(({ wronglyRefused }) => wronglyRefused)).toEqual([])
  // One in ten numbers passes the Luhn check, and fewer than half begin as a card's does.
  expect(tried.reduce((sum, { refused }) => sum + refused, 0) / COUNT).toBeLessThan(0.02)
})

it.each(Object.entries(LISTS))(
  'of texts such as %s, none is refused that is no card number by chance',
  { timeout: 600_000 },
  (name, make) => {
    const { wronglyRefused } = tellOf(name, tryMany(make, Math.ceil(COUNT / 10)))
    expect(wronglyRefused).toEqual([])
  },
)

function tryMany(make: MakeReference, count: number): Tried & { count: number } {
  const tried: Tried = { refused: 0, byChance: 0, wronglyRefused: [] }
  for (let turn = 0; turn < count; turn += 1) {
    const text = make(random)
    const [isRefused, byChance] = [holdsCardNumber(text), isCardByChance(text)]
    if (isRefused) tried.refused += 1
    if (byChance) tried.byChance += 1
    if (isRefused && !byChance) tried.wronglyRefused.push(text)
  }
  return { ...tried, count }
}

/** Writes a line of the table that `npm run references` shows: shape, refused, card numbers by chance. */
function tellOf(name: string, tried: Tried & { count: number }): Tried {
  const percent = (part: number) => `${((part / tried.count) * 100).toFixed(2).padStart(6)} %`
  if (process.env['REFERENCES'] !== undefined) {
    process.stdout.write(
      `${name.padEnd(40)} refused ${percent(tried.refused)}, by chance ${percent(tried.byChance)}\n`,
    )
  }
  return tried
}
