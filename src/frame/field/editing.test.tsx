import { fireEvent } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { answer, createService, openFrame } from '../testing/frame-page.ts'
import { button, field, pay, person, typeCard } from '../testing/person.ts'
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
    fireEvent.compositionEnd(number)
    await messagesDelivered()
    expect(number.value).toBe('4242 4')
    expect(page.named('metaChange').at(-1)).toMatchObject({ card_number_length: 5 })
  })
})

describe('text that is put in at once', () => {
  it('is taken from an input that told of it by no event, when the form is sent', async () => {
    const service = createService(answer(201))
    await openFrame({ send: service.send })
    await typeCard()
    field('Card number').value = '4012000033330026'
    await pay()
    expect(service.bodies).toMatchObject([{ card_number: '4012000033330026' }])
  })

  it('fills number, expiry and code from one paste, in place of what was selected', async () => {
    await openFrame()
    await person.type(field('Card number'), '4012 0000')
    field('Card number').select()
    await person.paste('4012 0000 3333 0026 01/39 100')
    expect(['Card number', 'Expiry date', 'Security code'].map((label) => field(label).value)).toEqual([
      '4012 0000 3333 0026',
      '01 / 39',
      '100',
    ])
  })

  it('replaces digits with the whole number that is pasted behind them', async () => {
    await openFrame()
    await person.type(field('Card number'), '5111')
    await person.paste('5111 1111 1111 1118')
    expect(field('Card number').value).toBe('5111 1111 1111 1118')
  })

  it('keeps what stood in the expiry when a number alone is pasted there', async () => {
    await openFrame()
    await person.type(field('Expiry date'), '0139')
    await person.paste('5111 1111 1111 1118')
    expect(field('Expiry date').value).toBe('01 / 39')
    expect(field('Card number').value).toBe('5111 1111 1111 1118')
  })
})

it('what the form itself puts into a field stands there at once, before anything else can read it', async () => {
  await openFrame()
  await person.type(field('Expiry date'), '139')
  fireEvent.blur(field('Expiry date'))
  expect(field('Expiry date').value).toBe('01 / 39')
})

it.each(['', ' '])('a button that is given the text "%s" has the one of its language', async (text) => {
  await openFrame({ settings: { texts: { submit_button: text } } })
  expect(button().textContent).toBe('Pay')
})
