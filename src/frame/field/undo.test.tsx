import { fireEvent } from '@testing-library/preact'
import { expect, it } from 'vitest'
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
