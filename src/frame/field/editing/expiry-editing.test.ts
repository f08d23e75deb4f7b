import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHistory, keysOf, recordEdit } from './edit-history.ts'
import { editExpiry } from './expiry-editing.ts'
import type { TextWithCaret } from './text-edit.ts'
import { at, backspace, deleteForward, insert, show } from '../../testing/editing.ts'

function type(keys: string): string {
  const history = createHistory()
  let field: TextWithCaret = at('|')
  for (const key of keys) {
    const { value: before } = field
    const typed = keysOf(history, before)
    const edit = { value: before + key, caret: before.length + 1, inputType: 'insertText', typed }
    field = editExpiry(before, edit)
    recordEdit(history, before, edit, field)
  }
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
    ['4', '04 / |'],
    ['4/30', '04 / 30|'],
    ['430', '04 / 30|'],
    ['139', '139|'],
    ['01301', '01 / 301|'],
    ['01/20301', '01 / 20301|'],
    ['31/12/2039', '31/12/2039|'],
    ['31.12.2039', '31.12.2039|'],
    ['31-12-39', '31-12-39|'],
    ['31 12 2039', '31 12 2039|'],
    ['31122039', '31122039|'],
    ['12/31/2039', '12/31/2039|'],
    ['12312039', '12 / 312039|'],
    ['3/31/2039', '3/31/2039|'],
    ['1/12/2039', '1/12/2039|'],
    ['2039-12-31', '2039-12-31|'],
    ['39/12', '39/12|'],
    ['12/2039', '12 / 2039|'],
    ['3 39', '03 / 39|'],
    ['12 39 ', '12 / 39 |'],
    ['Dec 2039', 'Dec 2039|'],
    ['exp 01/30', 'exp 01/30|'],
    ['Jan 2030', 'Jan 2030|'],
    ['13', '13|'],
    ['1330', '1330|'],
    ['00', '00|'],
    ['０１３０', '01 / 30|'],
  ])('typed %j shows %s', (keys, shown) => {
    expect(type(keys)).toBe(shown)
  })

  it('loses no digit that is typed, whatever stands between', () => {
    const digitsOf = (text: string) => text.replace(/\D/g, '')
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,2}([/. -]{0,2}[0-9]{1,2}){0,4}[/ ]?$/), (keys) => {
        const shown = digitsOf(type(keys))
        expect([digitsOf(keys), `0${digitsOf(keys)}`]).toContain(shown)
      }),
    )
  })

  it.each([
    ['1/30', '01 / 30|'],
    ['2030-01', '01 / 30|'],
    ['Jan 2030', '01 / 30|'],
    ['01/2030', '01 / 30|'],
    ['13/30', '13/30|'],
    ['139', '01 / 39|'],
    ['exp 01/39', '01 / 39|'],
    ['Valid thru: 01.39', '01 / 39|'],
    ['0139.', '01 / 39|'],
    ['oh one thirty-nine', '01 / 39|'],
    ['zero one slash thirty nine', '01 / 39|'],
    ['01/15/2039', '01/15/2039|'],
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

  it.each([
    ['01 / |', '2039', '01 / 39|'],
    ['2039|', '01', '01 / 39|'],
    ['01 / 39|', '2040', '2040|'],
  ])('%s and then %s from autofill that knows month and year apart becomes %s', (before, filled, after) => {
    const { value } = at(before)
    expect(show(editExpiry(value, { value: filled, caret: filled.length, inputType: '' }))).toBe(after)
  })

  it.each([
    ['12 / 39|', '12 / |', '12 / |'],
    ['12 / |', '12 |', '|'],
    ['12 / |', '12|', '|'],
    ['12 / 20|39', '12 / |39', '12 / |39'],
  ])('%s whose word is deleted, by a browser to %s, becomes %s', (before, left, after) => {
    const edit = { ...at(left), inputType: 'deleteWordBackward' }
    expect(show(editExpiry(at(before).value, edit))).toBe(after)
  })

  it('keeps both digits around a gap that was selected and deleted', () => {
    const edit = { value: '0130', caret: 2, inputType: 'deleteContentBackward', replacedSelection: true }
    expect(show(editExpiry('01 / 30', edit))).toBe('01|30')
  })

  it('leaves the rest alone when its middle is edited', () => {
    expect(show(insert(editExpiry, at('0[1] / 30'), '2', 'insertText'))).toBe('02| / 30')
  })
})
