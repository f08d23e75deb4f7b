import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passesLuhn } from '../../../card/digits.ts'
import { LONGEST_NUMBER, schemeOf } from '../../../card/scheme.ts'
import { editCardNumber, editCode } from './digit-editing.ts'
import { digitsOf } from '../../../card/digits.ts'
import type { TextWithCaret } from './text-edit.ts'
import { at, backspace, deleteForward, insert, show } from '../../testing/editing.ts'

const paste = (before: string, text: string) =>
  show(insert(editCardNumber, at(before), text, 'insertFromPaste'))

describe('the card number field', () => {
  it.each([
    ['371449635398431', '3714 496353 98431|'],
    ['30569309025904', '3056 930902 5904|'],
    ['5111111111111118', '5111 1111 1111 1118|'],
    ['6759649826438453123', '6759 6498 2643 8453 123|'],
    ['99999', '9999 9|'],
  ])('groups %s as %s', (digits, shown) => {
    expect(paste('|', digits)).toBe(shown)
  })

  it.each([
    ['4242-4242-4242-4242', '4242 4242 4242 4242|'],
    ['Card no: 4242 4242 4242 4242.', '4242 4242 4242 4242|'],
    ['4242\u00a04242\n4242 4242', '4242 4242 4242 4242|'],
    ['４２４２４２４２４２４２４２４２', '4242 4242 4242 4242|'],
    ['٤٢٤٢٤٢٤٢', '4242 4242|'],
    ['42424242424242424242424242', '4242 4242 4242 4242 4242424242|'],
    ['3714496353984319999', '3714 496353 984319999|'],
    ['four two four two double', '4242|'],
  ])('takes %j when it is pasted', (text, shown) => {
    expect(paste('|', text)).toBe(shown)
  })

  it.each([
    ['4242| 4242 42', '9', '4242 9|424 242'],
    ['4242 42|42 42', '9', '4242 429|4 242'],
    ['424|2', '9', '4249| 2'],
    ['4|', '2', '42|'],
    ['4242|', ' ', '4242|'],
    ['37|14 496353 98431', '9', '37|14 496353 98431'],
    ['[3714 496353] 98431', '4', '4|984 31'],
    ['4242 4242 4242 4242|', '4', '4242 4242 4242 4242|'],
    ['4242 4242 4242 4241|', '4', '4242 4242 4242 4241 4|'],
  ])('%s and %j typed becomes %s', (before, text, after) => {
    expect(show(insert(editCardNumber, at(before), text, 'insertText'))).toBe(after)
  })

  it.each([
    ['4242 |4', '424|4'],
    ['4242 4|', '4242|'],
    ['4242 42|42 42', '4242 4|424 2'],
    ['4242| 4242', '424|4 242'],
    ['3714 |496353 98431', '371|4 963539 8431'],
    ['|4242', '|4242'],
  ])('%s and Backspace becomes %s', (before, after) => {
    expect(show(backspace(editCardNumber, at(before)))).toBe(after)
  })

  it.each([
    ['4242| 4', '4242|'],
    ['4242| 4242', '4242| 242'],
    ['4242 |4242', '4242| 242'],
    ['4242|', '4242|'],
  ])('%s and Delete becomes %s', (before, after) => {
    expect(show(deleteForward(editCardNumber, at(before)))).toBe(after)
  })

  it('keeps digits and caret right through any sequence of insertions and deletions', () => {
    const step = fc.record({
      place: fc.nat({ max: 30 }),
      key: fc.oneof(fc.constantFrom('Backspace', 'Delete'), fc.stringMatching(/^[0-9]$/)),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let field: TextWithCaret = { value: '', caret: 0 }
        for (const { place, key } of steps) {
          const caret = Math.min(place, field.value.length)
          const model = press(splitAt(field.value, caret), key)
          field = pressIn({ value: field.value, caret }, key)
          expect(splitAt(field.value, field.caret)).toEqual(model)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('the code field', () => {
  it.each([
    ['12|', '3', 3, '123|'],
    ['123|', '4', 3, '123|'],
    ['123|', '4', 4, '1234|'],
    ['|', 'a1２-3', 4, '123|'],
    ['1234|', 'x', 3, '1234|'],
  ])('%s and %j, at most %i digits', (before, text, longest, after) => {
    const edit = insert((was, change) => editCode(was, change, longest), at(before), text, 'insertText')
    expect(show(edit)).toBe(after)
  })
})

function splitAt(value: string, caret: number) {
  return { left: digitsOf(value.slice(0, caret)), right: digitsOf(value.slice(caret)) }
}

/** What a person means by a key: they see digits, not gaps. A digit that there is no room for is not taken. */
function press({ left, right }: { left: string; right: string }, key: string) {
  if (key === 'Backspace') return { left: left.slice(0, -1), right }
  if (key === 'Delete') return { left, right: right.slice(1) }
  const room = Math.max(longestOf(left + key + right), left.length + right.length)
  return { left: left.length + right.length < room ? left + key : left, right }
}

function longestOf(digits: string): number {
  if (schemeOf(digits)?.name === 'visa' && passesLuhn(digits.slice(0, 16))) return 16
  return Math.max(...(schemeOf(digits)?.lengths ?? [LONGEST_NUMBER]))
}

function pressIn(field: TextWithCaret, key: string): TextWithCaret {
  if (key === 'Backspace') return backspace(editCardNumber, { ...field, end: field.caret })
  if (key === 'Delete') return deleteForward(editCardNumber, { ...field, end: field.caret })
  return insert(editCardNumber, { ...field, end: field.caret }, key, 'insertText')
}
