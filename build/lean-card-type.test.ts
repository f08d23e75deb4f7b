import fc from 'fast-check'
import creditCardType from 'credit-card-type'
import { expect, it } from 'vitest'
import lean from './lean-card-type.ts'

const byName = (cards: ReturnType<typeof creditCardType>) =>
  cards
    .map(({ type, matchStrength }) => `${type} ${String(matchStrength)}`)
    .sort((a, b) => a.localeCompare(b))

it('finds the schemes that the package finds, for every beginning of four digits', () => {
  for (let number = 0; number < 10_000; number += 1) {
    const text = String(number)
    expect(byName(lean(text)), text).toEqual(byName(creditCardType(text)))
  }
})

it('finds the schemes that the package finds, at the ends of every range', () => {
  const ends = creditCardType('').flatMap(({ patterns }) => patterns.flat())
  for (const end of ends) {
    const text = String(end)
    expect(byName(lean(text)), text).toEqual(byName(creditCardType(text)))
  }
})

it('finds the schemes that the package finds, for any number', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,19}$/), (number) => {
      expect(byName(lean(number))).toEqual(byName(creditCardType(number)))
    }),
    { numRuns: 3000 },
  )
})
