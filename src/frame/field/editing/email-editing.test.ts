import { expect, it } from 'vitest'
import { isEmailAddress } from '../../../contract/api/fields/email-address.ts'
import { at, insert, show } from '../../testing/editing.ts'
import { editEmail } from '../field-actions.ts'

it.each([
  ['Ada <ada@example.com>', 'ada@example.com'],
  ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com'],
  ['<ada@example.com>', 'ada@example.com'],
  ['<ada@example.com>;', 'ada@example.com'],
  ['mailto:ada@example.com', 'ada@example.com'],
  ['mailto:ada@example.com?subject=Hello', 'ada@example.com'],
  ['ada＠example．com', 'ada@example.com'],
  ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
  ['Ada <ada＠example.com>', 'ada@example.com'],
])('%j that is put in at once becomes the address %s', (text, address) => {
  expect(show(insert(editEmail, at('|'), text, 'insertFromPaste'))).toBe(`${address}|`)
  expect(isEmailAddress(address)).toBe(true)
})

it.each([['ada@example.com'], ['Ada <ada'], ['Ada <>'], ['a@b.de <c@d.de>'], ['アダ@example.com']])(
  '%j stays as it is',
  (text) => {
    expect(show(insert(editEmail, at('|'), text, 'insertFromPaste'))).toBe(`${text}|`)
  },
)

it('a wide sign that is typed is plain at once, with the caret behind it', () => {
  expect(show(insert(editEmail, at('ada|example.com'), '＠', 'insertText'))).toBe('ada@|example.com')
})
