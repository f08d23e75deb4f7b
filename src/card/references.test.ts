import { expect, it } from 'vitest'
import { holdsCardNumber } from './number-in-text.ts'
import { numberVerdict } from './number.ts'
import { REFERENCES, seeded } from './testing/random-references.ts'

/** Of all shapes together; `npm run references` tries a million. */
const COUNT = Number(process.env['REFERENCES'] ?? 42_000)
const SEED = Number(process.env['REFERENCES_SEED'] ?? 20_261_122)

const isCardNumber = (digits: string): boolean => digits.length >= 13 && numberVerdict(digits) === 'valid'

/** Ends of a text that a person pastes with a number: the code, the expiry, or both. */
const pasted = /^(?:\d{3,4}|(?:0[1-9]|1[0-2])(?:20)?[2-5]\d(?:\d{3,4})?)$/
const isNumberWithMore = (digits: string): boolean =>
  [15, 16].some((length) => isCardNumber(digits.slice(0, length)) && pasted.test(digits.slice(length)))

/** What no rule could tell from a card number: all its digits together are one, or some that stand by themselves. */
const isCardByChance = (reference: string): boolean =>
  [reference.replace(/\D/g, ''), ...(reference.match(/\d+/g) ?? [])].some(
    (digits) => isCardNumber(digits) || isNumberWithMore(digits),
  )

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
