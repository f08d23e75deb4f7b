import { describe, expect, it } from 'vitest'
import { editExpiry } from './expiry-editing.ts'
import type { TextWithCaret } from './text-edit.ts'
import { at, backspace, deleteForward, insert, show } from '../../testing/editing.ts'

function type(keys: string): string {
  let field: TextWithCaret = at('|')
  for (const key of keys) field = insert(editExpiry, { ...field, end: field.caret }, key, 'insertText')
  return show(field)
}

describe('the expiry field', () => {
  it.each([
    ['1', '1|'],
    ['01', '01 / |'],
    ['12', '12 / |'],
    ['1/', '01 / |'],
    ['1/30', '01 / 30|'],
    ['0130', '01 / 30|'],
    ['01/30', '01 / 30|'],
    ['01/2030', '01 / 2030|'],
    ['2030-01', '2030-01|'],
    ['Jan 2030', 'Jan 2030|'],
    ['13', '13|'],
    ['1330', '1330|'],
    ['00', '00|'],
    ['０１３０', '01 / 30|'],
  ])('typed %j shows %s', (keys, shown) => {
    expect(type(keys)).toBe(shown)
  })

  it.each([
    ['1/30', '01 / 30|'],
    ['2030-01', '01 / 30|'],
    ['Jan 2030', '01 / 30|'],
    ['01/2030', '01 / 30|'],
    ['13/30', '13/30|'],
  ])('given %j by paste or autofill shows %s', (text, shown) => {
    expect(show(insert(editExpiry, at('|'), text, 'insertFromPaste'))).toBe(shown)
    expect(show(insert(editExpiry, at('|'), text, ''))).toBe(shown)
    expect(show(insert(editExpiry, at('|'), text, 'insertText'))).toBe(shown)
  })

  it.each([
    ['01 / |', '0|'],
    ['01 / 3|', '01 / |'],
    ['01 / |30', '0| / 30'],
    ['Jan 2030|', 'Jan 203|'],
    ['1|', '|'],
  ])('%s and Backspace becomes %s', (before, after) => {
    expect(show(backspace(editExpiry, at(before)))).toBe(after)
  })

  it.each([
    ['01| / 30', '01 / |0'],
    ['|01 / 30', '|1 / 30'],
  ])('%s and Delete becomes %s', (before, after) => {
    expect(show(deleteForward(editExpiry, at(before)))).toBe(after)
  })

  it('leaves the rest alone when its middle is edited', () => {
    expect(show(insert(editExpiry, at('0[1] / 30'), '2', 'insertText'))).toBe('02| / 30')
  })
})
