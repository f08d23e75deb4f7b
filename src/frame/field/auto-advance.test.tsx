import { fireEvent, screen } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { openFrame } from '../testing/frame-page.ts'
import { field, person, words } from '../testing/person.ts'

const CARD = ['Card number', 'Expiry date', 'Security code'] as const
const texts = () => CARD.map((label) => field(label).value)
/** The label of the input that has the focus. */
const place = () => CARD.find((label) => field(label) === document.activeElement) ?? 'elsewhere'
/** What a key changes is rendered after the next paint, at the latest 100 ms later. */
const painted = () => new Promise((done) => setTimeout(done, 150))
const said = () => screen.getByRole('status').textContent

describe('a card that is typed at one go', () => {
  it.each([
    ['Visa', '40120000333300260139100', ['4012 0000 3333 0026', '01 / 39', '100']],
    ['American Express', '371449635398431' + '1239' + '1234', ['3714 496353 98431', '12 / 39', '1234']],
    ['with gaps and signs', '4012 0000 3333 0026 01/39 100', ['4012 0000 3333 0026', '01 / 39', '100']],
    ['a month of one digit', '4012000033330026339100', ['4012 0000 3333 0026', '03 / 39', '100']],
    ['with Tab after each', '4012000033330026{Tab}0139{Tab}100', ['4012 0000 3333 0026', '01 / 39', '100']],
    ['a year of four digits', '4012000033330026012039100', ['4012 0000 3333 0026', '01 / 39', '100']],
  ])('goes from field to field: %s', async (_, keys, shown) => {
    await openFrame()
    await person.click(field('Card number'))
    await person.keyboard(keys)
    expect(texts()).toEqual(shown)
    expect(place()).toBe('Security code')
  })
})

describe('the focus stays', () => {
  it.each([
    ['a number with a wrong check digit', '4012000033330027'],
    ['a number of a scheme with several usual lengths', '6212345678900000003'.slice(0, 16)],
    ['a card that is not accepted', '371449635398431'],
  ])('after %s', async (_, keys) => {
    await openFrame({ settings: { card_icons: ['visa', 'unionpay'], only_supported: true } })
    await person.type(field('Card number'), keys)
    expect(place()).toBe('Card number')
  })

  it.each(['1224', '1339', '12/79', '012'])('after the date %s', async (keys) => {
    await openFrame()
    await person.type(field('Expiry date'), keys)
    expect(place()).toBe('Expiry date')
  })

  it('in a field that is completed in its middle', async () => {
    await openFrame()
    await person.type(field('Card number'), '401200003333026')
    await person.type(field('Card number'), '0', { initialSelectionStart: 15, initialSelectionEnd: 15 })
    expect(texts()[0]).toBe('4012 0000 3333 0026')
    expect(place()).toBe('Card number')
  })

  it('where the next field is filled', async () => {
    await openFrame()
    await person.type(field('Expiry date'), '0139')
    await person.type(field('Card number'), '4012000033330026')
    expect(place()).toBe('Card number')
  })

  it('after autofill, undo and redo', async () => {
    await openFrame()
    const number = field('Card number')
    number.focus()
    number.value = '4012000033330026'
    fireEvent(number, new InputEvent('input', { bubbles: true }))
    expect(place()).toBe('Card number')
    await person.keyboard('{Control>}z{/Control}{Control>}y{/Control}')
    expect(texts()[0]).toBe('4012 0000 3333 0026')
    expect(place()).toBe('Card number')
  })

  it.each([
    ['a screen reader', (input: Element) => fireEvent.click(input, { detail: 0 }), 'Card number'],
    [
      'TalkBack',
      (input: Element) =>
        fireEvent.pointerDown(input, { width: 1, height: 1, pressure: 0, pointerType: 'mouse' }),
      'Card number',
    ],
    [
      'a mouse, on the label',
      (input: Element) => {
        fireEvent.pointerDown(input, { width: 1, height: 1, pressure: 0.5, pointerType: 'mouse' })
        fireEvent.click(input, { detail: 0 })
      },
      'Expiry date',
    ],
  ])('or not, after a press by %s', async (_, press, next) => {
    await openFrame()
    press(field('Card number'))
    field('Card number').focus()
    await person.keyboard('4012000033330026')
    expect(place()).toBe(next)
  })

  it('where the merchant wants it so', async () => {
    await openFrame({ settings: { auto_advance: false } })
    await person.type(field('Card number'), '4012000033330026')
    expect(place()).toBe('Card number')
    await person.type(field('Security code'), '{Backspace}')
    expect(place()).toBe('Security code')
  })
})

describe('a paste', () => {
  it.each([
    ['4012 0000 3333 0026', 'Expiry date'],
    ['4012 0000 3333 0026 01/39', 'Security code'],
    ['4012 0000 3333 0026 01/39 100', 'Card number'],
  ])('of %s takes the focus to the first card field that is empty: %s', async (text, next) => {
    await openFrame()
    await person.click(field('Card number'))
    await person.paste(text)
    expect(place()).toBe(next)
  })
})

describe('keys in an empty field', () => {
  it('go to the end of the field before with Backspace, once per press', async () => {
    await openFrame()
    await person.type(field('Card number'), '4012000033330026')
    await person.keyboard('{Backspace}')
    expect(place()).toBe('Card number')
    expect(field('Card number').selectionStart).toBe(19)
    field('Expiry date').focus()
    fireEvent.keyDown(field('Expiry date'), { key: 'Backspace', repeat: true })
    expect(place()).toBe('Expiry date')
  })

  it('reach the date that goes on where they were typed on for it', async () => {
    await openFrame()
    await person.type(field('Expiry date'), '12/31/2039{Tab}')
    expect(texts()).toEqual(['', '12 / 39', ''])
  })

  it('leave the field with a second Tab', async () => {
    await openFrame()
    await person.type(field('Card number'), '4012000033330026{Tab}{Tab}')
    expect(place()).toBe('Security code')
  })
})

describe('what more digits cannot make right', () => {
  it.each([
    ['Card number', '4012000033330027', 'This card number can’t be right. Check each digit.'],
    ['Card number', '860012', 'This card can’t be used here. Use another card.'],
    ['Expiry date', '1224', 'This date has passed. Check it, or use another card.'],
    ['Expiry date', '1279', 'Check the year: it is too far ahead.'],
  ])('is said with the last key, and no longer when it is corrected: %s %s', async (label, keys, fault) => {
    await openFrame()
    await person.type(field(label), keys.slice(0, -1))
    expect(words(label)).toBe('')
    await person.keyboard(keys.slice(-1))
    await vi.waitFor(() => expect([words(label), said()]).toEqual([fault, fault]))
    await person.keyboard('{Backspace}')
    const seen = () => [words(label), said(), field(label).getAttribute('aria-invalid')]
    await vi.waitFor(() => expect(seen()).toEqual(['', '', 'false']))
  })

  it.each([
    ['371449', true],
    ['37144', false],
    ['401200', false],
  ])('is that a card of another scheme begins with %s: %s', async (keys, isSaid) => {
    await openFrame({ settings: { card_icons: ['visa', 'mastercard'], only_supported: true } })
    await person.type(field('Card number'), keys)
    await painted()
    expect(words('Card number') !== '').toBe(isSaid)
  })

  it.each(['1220', '123', '6212345678900000'])('is not %s, which may go on', async (keys) => {
    await openFrame()
    const label = keys.length > 4 ? 'Card number' : 'Expiry date'
    await person.type(field(label), keys)
    await painted()
    expect(words(label)).toBe('')
  })

  it('stays said once the field was left', async () => {
    await openFrame()
    await person.type(field('Card number'), '4012000033330027')
    await person.tab()
    await person.type(field('Card number'), '{Backspace}')
    await painted()
    expect(words('Card number')).toBe('The card number is too short. Enter all of its digits.')
  })
})

describe('a code', () => {
  it.each([
    ['Maestro', '6759649826438453', 'If there is one', false],
    ['Visa', '4012000033330026', '3 digits on back', true],
  ])('of %s is asked for as the scheme has it', async (_, number, hint, required) => {
    await openFrame()
    await person.type(field('Card number'), number)
    await painted()
    expect([words('Security code'), field('Security code').required]).toEqual([hint, required])
  })
})
