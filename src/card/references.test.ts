import { expect, it } from 'vitest'
import { holdsCardNumber } from './number-in-text.ts'
import { numberVerdict } from './number.ts'
import { REFERENCES, seeded } from './testing/random-references.ts'

/** Of all shapes together; `npm run references` tries a million. */
const COUNT = Number(process.env['REFERENCES'] ?? 42_000)
const SEED = Number(process.env['REFERENCES_SEED'] ?? 20_261_122)

const isCardNumber = (digits: string): boolean => digits.length >= 13 && numberVerdict(digits) === 'valid'

/** What no rule could tell from a card number: all its digits together are one, or some that stand by themselves. */
const isCardByChance = (reference: string): boolean =>
  isCardNumber(reference.replace(/\D/g, '')) || (reference.match(/\d+/g) ?? []).some(isCardNumber)

it(`of ${COUNT} references none is refused that is no card number by chance`, { timeout: 600_000 }, () => {
  const shapes = Object.entries(REFERENCES)
  const random = seeded(SEED)
  let byChance = 0
  const wronglyRefused = Array.from({ length: COUNT }, (_, turn) => {
    const [, make] = shapes[turn % shapes.length] ?? []
    return make?.(random) ?? ''
  }).filter((reference) => {
    if (!holdsCardNumber(reference)) return false
    if (isCardByChance(reference)) byChance += 1
    return !isCardByChance(reference)
  })
  expect(wronglyRefused).toEqual([])
  // One in ten numbers passes the Luhn check, and fewer than half begin as a card's does.
  expect(byChance / COUNT).toBeLessThan(0.02)
})
