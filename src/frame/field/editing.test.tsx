import { fireEvent } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { openFrame } from '../testing/frame-page.ts'
import { button, field, person, typeCard } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'

describe('an input method', () => {
  const compose = (input: HTMLInputElement, value: string) => {
    input.value = value
    fireEvent(
      input,
      new InputEvent('input', { inputType: 'insertCompositionText', isComposing: true, bubbles: true }),
    )
  }

  it('is left alone while it composes, and what it made is taken when it ends', async () => {
    const page = await openFrame()
    const number = field('Card number')
    compose(number, '４２４２４')
    await messagesDelivered()
    expect(number.value).toBe('４２４２４')
    expect(page.named('metaChange')).toEqual([])
    fireEvent.compositionEnd(number)
    await messagesDelivered()
    expect(number.value).toBe('4242 4')
    expect(page.named('metaChange')).toMatchObject([{ card_number_length: 5 }])
  })
})

describe('a finished form', () => {
  it('is an ordinary one again by a click into the field that still has the focus', async () => {
    await openFrame()
    await typeCard()
    await person.type(field('Security code'), '{Enter}')
    await messagesDelivered()
    expect(button().textContent).toBe('Card details received')
    await person.click(field('Security code'))
    expect(button().textContent).toBe('Pay')
  })
})

it.each(['', ' '])('a button that is given the text "%s" has the one of its language', async (text) => {
  await openFrame({ settings: { texts: { submit_button: text } } })
  expect(button().textContent).toBe('Pay')
})
