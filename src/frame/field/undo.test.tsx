import { fireEvent } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { openFrame } from '../testing/frame-page.ts'
import { field, person } from '../testing/person.ts'

it.each([
  [{ key: 'z', ctrlKey: true }, '4242'],
  [{ key: 'Z', metaKey: true }, '4242'],
  [{ key: 'я', code: 'KeyZ', ctrlKey: true }, '4242'],
  [{ key: 'w', code: 'KeyZ', ctrlKey: true }, '4242 4'],
  [{ key: 'z', ctrlKey: true, altKey: true }, '4242 4'],
  [{ key: 'z' }, '4242 4'],
])('%o leaves %s', async (key, left) => {
  await openFrame()
  await person.type(field('Card number'), '42424')
  fireEvent.keyDown(field('Card number'), key)
  expect(field('Card number').value).toBe(left)
})

it.each([
  { key: 'z', ctrlKey: true, shiftKey: true },
  { key: 'y', ctrlKey: true },
])('%o does it again', async (key) => {
  await openFrame()
  await person.type(field('Card number'), '42424')
  fireEvent.keyDown(field('Card number'), { key: 'z', ctrlKey: true })
  fireEvent.keyDown(field('Card number'), key)
  expect(field('Card number').value).toBe('4242 4')
})

describe('a whole card that was pasted', () => {
  const shown = () => ['Card number', 'Expiry date', 'Security code'].map((label) => field(label).value)
  const key = (label: string, init: KeyboardEventInit) =>
    fireEvent.keyDown(field(label), { key: 'z', ctrlKey: true, ...init })

  it('is taken back whole by one undo, and given back whole by one redo', async () => {
    await openFrame()
    await person.type(field('Security code'), '99')
    await person.click(field('Card number'))
    await person.paste('4012 0000 3333 0026 12/39 100')
    key('Card number', {})
    expect(shown()).toEqual(['', '', '99'])
    key('Card number', { shiftKey: true })
    expect(shown()).toEqual(['4012 0000 3333 0026', '12 / 39', '100'])
  })

  it('is taken back from the field that it was pasted into, though nothing in it changed', async () => {
    await openFrame()
    await person.click(field('Expiry date'))
    await person.paste('4012 0000 3333 0026')
    key('Expiry date', {})
    expect(shown()).toEqual(['', '', ''])
  })

  it('leaves alone what was typed in another field since', async () => {
    await openFrame()
    await person.click(field('Card number'))
    await person.paste('4012 0000 3333 0026 12/39 100')
    await person.type(field('Security code'), '{Backspace}1')
    key('Card number', {})
    expect(shown()).toEqual(['', '', '101'])
  })
})

it('a menu’s undo and redo do the same, and the browser’s own never runs', async () => {
  await openFrame()
  const number = field('Card number')
  await person.type(number, '42424')
  const ask = (inputType: string) =>
    fireEvent(number, new InputEvent('beforeinput', { inputType, bubbles: true, cancelable: true }))
  expect(ask('historyUndo')).toBe(false)
  expect(number.value).toBe('4242')
  expect(ask('historyRedo')).toBe(false)
  expect(number.value).toBe('4242 4')
})
