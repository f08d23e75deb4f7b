import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { Amount } from './amount.ts'

const parse = (input: unknown) => v.safeParse(Amount, input)

describe('an amount on the wire', () => {
  it.each([
    ['10.00', 1000],
    ['10', 1000],
    ['10.5', 1050],
    ['0.01', 1],
    ['9999999.99', 999_999_999],
    [10, 1000],
    [10.07, 1007],
    [0.1, 10],
    [4.35, 435],
  ])('%j is %i cents', (input, cents) => {
    expect(parse(input).output).toBe(cents)
  })

  it.each([
    ['abc'],
    ['-1'],
    ['10.001'],
    [''],
    [' 10'],
    ['1e3'],
    ['1,000.00'],
    ['0'],
    ['0.00'],
    [0],
    [-5],
    [10.001],
    [NaN],
    [Infinity],
    ['10000000'],
    [null],
    [true],
    [{}],
    [['10']],
    ['１０'],
  ])('%j is refused', (input) => {
    expect(parse(input).success).toBe(false)
  })

  it('every amount of whole cents survives the way there, as text and as a number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (cents) => {
        expect(parse((cents / 100).toFixed(2)).output).toBe(cents)
        expect(parse(cents / 100).output).toBe(cents)
      }),
    )
  })
})
