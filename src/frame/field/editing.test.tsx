import { fireEvent, screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { answer, createService, openFrame } from '../testing/frame-page.ts'
import { button, field, pay, person, typeCard, words } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'

const SHORT = 'The card number is too short. Enter all of its digits.'

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

  it.each([
    ['Card number', 'quaranta eleventy', 'Enter the card number.'],
    ['Card number', '4012 hola adios', SHORT],
    ['Security code', 'hello', 'Enter the 3 or 4 digits of the security code.'],
    ['Card number', '4012', ''],
    ['Card number', 'four oh one two', ''],
    ['Card number', 'My card number is 4012 0000 3333 0026', ''],
  ])('says at once at %s when words of %j could not be read as digits: %j', async (label, text, fault) => {
    await openFrame()
    await person.click(field(label))
    await person.paste(text)
    await messagesDelivered()
    expect(words(label)).toBe(fault)
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

it('what the form puts into a field stands there at once, before anything can read it', async () => {
  await openFrame()
  await person.type(field('Expiry date'), '139')
  field('Expiry date').blur()
  expect(field('Expiry date').value).toBe('01 / 39')
})

describe('the expiry field', () => {
  const tell = (input: HTMLInputElement, value: string, init: InputEventInit = {}) => {
    input.value = value
    input.setSelectionRange(value.length, value.length)
    fireEvent(input, new InputEvent('input', { ...init, bubbles: true }))
  }

  it.each([
    ['1/{Backspace}239', '12 / 39'],
    ['1/3{Backspace}{Backspace}239', '12 / 39'],
    ['4{Backspace}1239', '12 / 39'],
    ['01{Backspace}239', '02 / 39'],
    ['1/{Backspace}/39', '01 / 39'],
    ['1-{Backspace}{Backspace}0439', '04 / 39'],
    ['01/{Backspace}239', '02 / 39'],
    ['01/{Backspace}{Backspace}{Backspace}', ''],
    ['31/{Backspace}{Backspace}/39', '03 / 39'],
    ['31/12/2039', '31/12/2039'],
    ['31/12/2039{Tab}', '12 / 39'],
    ['31.12.2039{Tab}', '12 / 39'],
    ['31122039{Tab}', '12 / 39'],
    ['12/31/2039{Tab}', '12 / 39'],
    ['3/31/39{Tab}', '03 / 39'],
    ['2039-12-31{Tab}', '12 / 39'],
    ['1/12/2039{Tab}', '1/12/2039'],
  ])('typed %s shows %s', async (keys, shown) => {
    await openFrame()
    await person.type(field('Expiry date'), keys)
    expect(field('Expiry date').value).toBe(shown)
  })

  it.each([
    ['12312039{Tab}', '12 / 39'],
    ['01391{Tab}', '01 / 391'],
  ])('typed %s shows %s where the focus does not go on by itself', async (keys, shown) => {
    await openFrame({ settings: { auto_advance: false } })
    await person.type(field('Expiry date'), keys)
    expect(field('Expiry date').value).toBe(shown)
  })

  it('takes keys whose events name no kind, whether its own text goes on or a plain one', async () => {
    await openFrame()
    const expiry = field('Expiry date')
    for (const key of '1239') tell(expiry, expiry.value + key)
    expect(expiry.value).toBe('12 / 39')
    tell(expiry, '')
    for (const text of ['1', '12', '123', '1239']) tell(expiry, text)
    expect(expiry.value).toBe('12 / 39')
    tell(expiry, '12 / 3')
    tell(expiry, '12 / ')
    tell(expiry, '12 /')
    expect(expiry.value).toBe('1')
  })

  it.each([
    ['12', '12 / 39'],
    ['123', '12 / 39'],
    ['1', '12 / 39'],
    ['1239', '12 / 39'],
  ])('shows month and year apart where %s was composed and the rest typed', async (composed, shown) => {
    await openFrame()
    const expiry = field('Expiry date')
    fireEvent.compositionStart(expiry)
    tell(expiry, composed, { inputType: 'insertCompositionText', isComposing: true })
    fireEvent.compositionEnd(expiry)
    if (composed !== '1239') await person.type(expiry, '1239'.slice(composed.length))
    expect(expiry.value).toBe(shown)
  })
})

describe('a person who leaves the tab, the window or the frame, but not the field', () => {
  const said = () => screen.getByRole('status').textContent

  it('is not told what is wrong with half of a number, by sight or by ear', async () => {
    await openFrame()
    const number = field('Card number')
    await person.type(number, '4012')
    // As browsers do it: the field stays the focused one of its document.
    fireEvent.blur(number)
    expect(document.activeElement).toBe(number)
    expect([words('Card number'), number.getAttribute('aria-invalid'), said()]).toEqual(['', 'false', ''])
    fireEvent.focus(number)
    await person.type(number, '0000')
    expect(number.value).toBe('4012 0000')
    number.blur()
    expect([words('Card number'), said()]).toEqual([SHORT, SHORT])
  })

  it('has a fault that was shown before stay', async () => {
    await openFrame()
    const number = field('Card number')
    await person.type(number, '4012')
    number.blur()
    number.focus()
    fireEvent.blur(number)
    expect(words('Card number')).toBe(SHORT)
  })

  it('finds a date as it was left', async () => {
    await openFrame()
    await person.type(field('Expiry date'), '139')
    fireEvent.blur(field('Expiry date'))
    expect(field('Expiry date').value).toBe('139')
  })
})

it.each(['', ' '])('a button that is given the text "%s" has the one of its language', async (text) => {
  await openFrame({ settings: { texts: { submit_button: text } } })
  expect(button().textContent).toBe('Pay')
})
