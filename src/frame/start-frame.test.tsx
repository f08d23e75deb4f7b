import { fireEvent, screen } from '@testing-library/preact'
import { options } from 'preact'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { TextField } from './field/text-field.tsx'
import { createService, openFrame, READY } from './testing/frame-page.ts'
import { button, field, pay, person, typeCard, words } from './testing/person.ts'
import { messagesDelivered } from './testing/welcome.ts'

describe('a welcomed frame', () => {
  it('says that it can be typed into, then that it is not valid yet', async () => {
    const page = await openFrame()
    expect(page.events.slice(0, 2)).toMatchObject([
      { event: 'afterLoad' },
      {
        event: 'validation',
        form_valid: false,
        invalid_fields: ['card_name', 'card_number', 'expire_month', 'expire_year', 'card_ccv'],
        invalid_showed_fields: [],
      },
    ])
  })

  it.each([
    ['its colours', { color_scheme: 'dark', theme: 'soft' }],
    ['what no shopper sees', { ref_id: '7', meta: { cart: 1 }, only_supported: true, language: 'en' }],
    ['what is empty', { texts: {}, styles: {}, labels: {} }],
    ['a title', { texts: { title: 'Your card' } }],
  ])('renders no input again for a page that says nothing but %s', async (_what, settings) => {
    const diffed = vi.spyOn(options, 'diffed')
    onTestFinished(() => diffed.mockRestore())
    await openFrame({ welcome: { settings } })
    expect(button().className).toBe('ready')
    const inputs = diffed.mock.calls.filter(([{ type }]) => type === TextField)
    expect(inputs.map(([{ key }]) => String(key))).toEqual(['card_name', 'card_number', 'expiry', 'card_ccv'])
  })

  it('shows the texts of the page, and new ones when they come', async () => {
    const page = await openFrame({ settings: { texts: { title_h3: 'Your card', submit_button: 'Pay $49' } } })
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('Your card')
    expect(button().textContent).toBe('Pay $49')
    page.command({ command: 'set', settings: { texts: { submit_button: 'Pay $50' } } })
    await messagesDelivered()
    expect(button().textContent).toBe('Pay $50')
    expect(screen.getByRole('heading', { level: 3 }).textContent).toBe('Your card')
  })

  it('without a valid key tells the page why, and the shopper that no card can be taken', async () => {
    const error = { code: 'unauthorized', message: 'This key is not known. Check it.' } as const
    const page = await openFrame({ setup: { ready: false, language: READY.language, error } })
    expect(page.events).toMatchObject([{ event: 'systemError', error: { ...error, retryable: false } }])
    expect(screen.getByText(READY.language.words['closed'] ?? '')).toBeDefined()
    expect(screen.queryByText(error.message)).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('of another version says so and shows no form', async () => {
    const page = await openFrame({ welcome: { protocol: 3 } })
    expect(page.events).toMatchObject([
      { event: 'systemError', error: { code: 'version_mismatch', retryable: false } },
    ])
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('a card', () => {
  it('is judged by the service’s day, even if the device’s clock is decades off', async () => {
    for (const wrong of ['1970-01-02', '2089-11-21']) {
      vi.setSystemTime(wrong)
      onTestFinished(() => void vi.useRealTimers())
      const page = await openFrame()
      await typeCard()
      await vi.waitFor(() => expect(page.named('validation').at(-1)).toMatchObject({ form_valid: true }))
    }
  })

  it('never leaves by the port: facts do, the last four digits only of a valid number', async () => {
    const page = await openFrame()
    await typeCard()
    await pay()
    const facts = page.named('metaChange')
    expect(facts[0]).toMatchObject({
      card_scheme: null,
      card_number_length: 1,
      gateway_type: 'sandbox',
      type: 'card',
    })
    expect(facts.filter((event) => 'card_number_last4' in event)).toMatchObject([
      { card_scheme: 'mastercard', card_number_length: 16, card_number_last4: '1118' },
    ])
    expect(JSON.stringify(page.events)).not.toMatch(/51111|0139|01 \/ 39|Grace|"100"/)
  })

  it('that is wrong is not sent; its first wrong field has the focus and each says what to do', async () => {
    const service = createService()
    const page = await openFrame({ send: service.send })
    await person.type(field('Name on card'), 'Grace Hopper')
    await person.type(field('Card number'), '5111111111111119')
    await pay()
    expect(service.bodies).toEqual([])
    expect(document.activeElement).toBe(field('Card number'))
    expect(words('Name on card')).toBe('')
    expect(words('Card number')).toBe('This card number can’t be right. Check each digit.')
    expect(words('Expiry date')).toBe('Enter the expiry date.')
    expect(field('Expiry date').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('status').textContent).toContain('Enter the expiry date.')
    expect(page.named('submit')).toEqual([])
    expect(page.named('validationError')).toMatchObject([
      {
        error: { code: 'validation_error' },
        invalid_fields: ['card_number', 'expire_month', 'expire_year', 'card_ccv'],
      },
    ])
  })

  it.each([
    ['a digit in the middle', '4242 9424242', 6, 'insertText', '4242 9424 242', 6],
    ['Backspace after a gap', '42424242 42', 4, 'deleteContentBackward', '4244 2424 2', 3],
  ])('is edited with the caret kept: %s', async (_what, made, at, inputType, shown, caret) => {
    await openFrame()
    const number = field('Card number')
    await person.type(number, '4242424242')
    number.value = made
    number.setSelectionRange(at, at)
    fireEvent(number, new InputEvent('input', { inputType, bubbles: true }))
    expect([number.value, number.selectionStart]).toEqual([shown, caret])
  })

  it('of Amex asks for four digits on the front', async () => {
    await openFrame()
    await person.type(field('Card number'), '3714')
    expect(screen.getByText('4 digits on front')).toBeDefined()
    expect(screen.getByRole('img', { name: 'American Express' })).toBeDefined()
    await person.type(field('Security code'), '12345')
    expect(field('Security code').value).toBe('1234')
  })
})

describe('a fault', () => {
  it('is silent while typing, shown on leaving, gone when mended, and silent again', async () => {
    await openFrame()
    await person.type(field('Card number'), '5111')
    expect(words('Card number')).toBe('')
    await person.tab()
    expect(words('Card number')).toBe('The card number is too short. Enter all of its digits.')
    await person.type(field('Card number'), '111111111118')
    await messagesDelivered()
    expect(words('Card number')).toBe('')
    await person.type(field('Card number'), '{Backspace}')
    expect(words('Card number')).toBe('')
  })

  it('of a field that nothing was typed into is not shown on leaving', async () => {
    await openFrame()
    await person.click(field('Card number'))
    await person.tab()
    expect(words('Card number')).toBe('')
  })

  it.each([
    ['13/30', 'Check the month: it must be 01 to 12.'],
    ['00/30', 'Check the month: it must be 01 to 12.'],
    ['10/26', 'This date has passed. Check it, or use another card.'],
    ['01/80', 'Check the year: it is too far ahead.'],
    ['soon', 'Enter the month and year. For example: 04 / 29.'],
  ])('of an expiry date %s: %s', async (typed, said) => {
    await openFrame()
    await person.type(field('Expiry date'), typed)
    await person.tab()
    expect(words('Expiry date')).toBe(said)
  })

  it.each([
    ['G'.repeat(101), 'This is too long. Maximum number of characters: 100.'],
    ['4242 4242 4242 4242', 'Enter only the name here, not the card number.'],
  ])('of a name %s: %s', async (name, said) => {
    await openFrame({ settings: { values: { card_name: name } } })
    await pay()
    expect(words('Name on card')).toBe(said)
  })

  it('of a code appears when the number turns out to be of a scheme with longer ones', async () => {
    await openFrame()
    await person.type(field('Security code'), '100')
    await person.type(field('Card number'), '371449635398431')
    await person.tab()
    expect(words('Security code')).toBe('Check the 4 digits on the front.')
  })
})

describe('a frame that no page welcomes', () => {
  const SLOW = 'This is taking longer than usual. Please wait.'
  const lost = 'This card form has lost its connection to the page. Reload the page to pay.'

  it('is no form that could be filled in for nobody: it says what to do', async () => {
    const page = await openFrame({ welcomes: false })
    expect(field('Card number')).toBeDefined()
    page.timePassed()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
    expect(document.body.textContent).toContain(lost)
    page.sayWelcome()
  })

  it('is the form again, with what was typed, when the welcome comes late', async () => {
    const page = await openFrame({ welcomes: false })
    await person.type(field('Card number'), '5111')
    field('Name on card').value = 'Grace Hopper'
    page.timePassed()
    page.sayWelcome()
    await messagesDelivered()
    expect([field('Card number').value, field('Name on card').value]).toEqual(['5111', 'Grace Hopper'])
    expect(document.body.textContent).not.toContain(lost)
    expect(page.named('afterLoad')).toHaveLength(1)
  })

  it.each([
    ['types', '511'],
    ['has only turned to a field', ''],
  ])('keeps the fields of who %s: a page that is busy welcomes it later', async (_what, typed) => {
    const page = await openFrame({ welcomes: false })
    const number = field('Card number')
    number.focus()
    if (typed !== '') await person.keyboard(typed)
    page.timePassed(8000)
    const alert = () => document.getElementById('form-alert')?.textContent
    expect([document.activeElement, number.value]).toEqual([number, typed])
    expect([alert(), screen.getByRole('status').textContent]).toEqual([SLOW, SLOW])
    await person.keyboard('1')
    expect(alert()).toBe(SLOW)
    page.sayWelcome()
    await messagesDelivered()
    expect([document.activeElement, number.value, alert()]).toEqual([number, `${typed}1`, ''])
    page.timePassed()
    expect(document.activeElement).toBe(number)
  })

  it('is given up at last, also by who types', async () => {
    const page = await openFrame({ welcomes: false })
    await person.type(field('Card number'), '5111')
    page.timePassed(8000)
    page.timePassed()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(document.body.textContent).toContain(lost)
    page.sayWelcome()
    await messagesDelivered()
    expect(field('Card number').value).toBe('5111')
  })

  it('is a form as ever where the welcome came in time', async () => {
    const page = await openFrame()
    page.timePassed()
    expect(field('Card number')).toBeDefined()
  })
})
