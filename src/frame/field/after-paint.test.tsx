import { fireEvent, screen } from '@testing-library/preact'
import { expect, it } from 'vitest'
import { openFrame } from '../testing/frame-page.ts'
import { button, field } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'

/** The events of a key press. */
function press(input: HTMLInputElement, digit: string): void {
  const event = { inputType: 'insertText', data: digit, bubbles: true }
  fireEvent(input, new InputEvent('beforeinput', { ...event, cancelable: true }))
  input.value += digit
  input.setSelectionRange(input.value.length, input.value.length)
  fireEvent(input, new InputEvent('input', event))
}

it('a key is shown at once, its scheme after the paint, and the page hears of it then', async () => {
  const page = await openFrame()
  const number = field('Card number')
  press(number, '4')
  await Promise.resolve()
  expect([number.value, screen.queryByRole('img', { name: 'Visa' })]).toEqual(['4', null])
  expect(page.named('metaChange')).toEqual([])
  await messagesDelivered()
  expect(screen.getByRole('img', { name: 'Visa' })).toBeDefined()
  expect(page.named('metaChange')).toMatchObject([{ card_scheme: 'visa' }])
})

it('keys between two paints lose nothing, and the page hears of each', async () => {
  const page = await openFrame()
  for (const digit of '511111') press(field('Card number'), digit)
  await messagesDelivered()
  expect(field('Card number').value).toBe('5111 11')
  expect(page.named('metaChange')).toMatchObject(
    [1, 2, 3, 4, 5, 6].map((length) => ({ card_number_length: length })),
  )
})

it('an event that follows a key is heard after what the key changed', async () => {
  const page = await openFrame()
  press(field('Card number'), '4')
  fireEvent.click(button())
  await messagesDelivered()
  const names = page.events.map(({ event }) => event)
  expect(names).toContain('validationError')
  expect(names.indexOf('metaChange')).toBeLessThan(names.indexOf('validationError'))
})
