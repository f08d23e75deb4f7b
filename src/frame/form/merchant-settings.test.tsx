import { screen } from '@testing-library/preact'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FACTS } from '../testing/browser-facts.ts'
import { answer, createService, openFrame } from '../testing/frame-page.ts'
import { button, field, pay, person, typeCard, words } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'

const labels = () => [...document.querySelectorAll('label')].map(({ textContent }) => textContent)

describe('the fields of a form', () => {
  it.each([
    [[], ['Card number', 'Expiry date', 'Security code'], 'Name on card'],
    [['email*'], ['Card number', 'Expiry date', 'Security code', 'Email'], 'Name on card'],
    [
      ['phone', 'card_number', 'card_ccv', 'expire_month', 'expire_year'],
      ['Card number', 'Security code', 'Expiry date'],
      'Phone (optional)',
    ],
    [['card_name'], ['Expiry date', 'Security code', 'Name on card (optional)'], 'Card number'],
  ])('%j are, in this order: %j after %s', async (list, after, first) => {
    const fields = list.map((item) => ({ field: item.replace('*', ''), required: item.endsWith('*') }))
    await openFrame({ welcome: { settings: list.length === 0 ? {} : { fields } } })
    expect(labels()).toEqual([first, ...after])
  })

  it.each([
    ['Email', 'email', 'email', 'text', 'off'],
    ['Phone', 'tel', 'tel', 'tel', 'off'],
    ['First name', 'given-name', 'text', 'text', 'words'],
    ['Postcode', 'postal-code', 'text', 'text', 'characters'],
    ['Country', 'country-name', 'text', 'text', 'words'],
    ['Card number', 'cc-number', 'numeric', 'text', 'off'],
  ])('%s is %s to autofill, %s to a phone', async (label, autocomplete, mode, type, capitals) => {
    const fields = (['email', 'phone', 'first_name', 'address_postcode', 'address_country'] as const).map(
      (name) => ({ field: name, required: true }),
    )
    await openFrame({ settings: { fields } })
    const input = field(label)
    expect([input.getAttribute('autocomplete'), input.inputMode, input.type]).toEqual([
      autocomplete,
      mode,
      type,
    ])
    expect(input.required).toBe(true)
    const written = ['autocapitalize', 'autocorrect'].map((name) => input.getAttribute(name))
    expect(written).toEqual([capitals, 'off'])
  })

  describe('in the layout of one line', () => {
    const inBox = () => [...screen.getByRole('group').querySelectorAll('label')].map((one) => one.textContent)
    const CARD = ['Card number', 'Expiry date', 'Security code']

    it('are one box for the card, in the place of its first field', async () => {
      const names = ['email', 'card_ccv', 'phone', 'card_number', 'expire_month'] as const
      const fields = names.map((name) => ({ field: name, required: true }))
      await openFrame({ settings: { layout: 'line', fields } })
      expect(screen.getByRole('group', { name: 'Card' })).toBeDefined()
      expect(inBox()).toEqual(CARD)
      expect(labels()).toEqual(['Email', ...CARD, 'Phone'])
    })

    it('have the merchant’s label on the box; the code says what it is', async () => {
      await openFrame({ settings: { layout: 'line', labels: { card_number: 'Your card' } } })
      expect(screen.getByRole('group', { name: 'Your card' })).toBeDefined()
      expect(field('Security code').placeholder).toBe('123')
      expect(words('Security code')).toBe('Security code · 3 or 4 digits')
      await person.type(screen.getByRole('textbox', { name: 'Your card' }), '3782')
      expect(field('Security code').placeholder).toBe('1234')
    })

    it('keep what is typed when the layout changes', async () => {
      const { command } = await openFrame()
      await person.type(field('Card number'), '5111')
      command({ command: 'set', settings: { layout: 'line' } })
      await messagesDelivered()
      expect(field('Card number').value).toBe('5111')
      expect(document.activeElement).toBe(field('Card number'))
      command({ command: 'set', settings: { layout: 'stacked' } })
      await messagesDelivered()
      expect([screen.queryByRole('group'), field('Card number').value]).toEqual([null, '5111'])
    })
  })

  it('of an e-mail address take one as mail programs copy it, also typed', async () => {
    await openFrame({ settings: { fields: [{ field: 'email', required: true }] } })
    await person.type(field('Email'), 'Ada <ada@example.com>')
    await person.tab()
    expect([field('Email').value, words('Email')]).toEqual(['ada@example.com', ''])
  })

  it('are sent if they are filled; a hidden one with what the merchant put there', async () => {
    const service = createService(answer(201))
    const page = await openFrame({
      send: service.send,
      settings: {
        fields: [
          { field: 'card_number', required: true },
          { field: 'email', required: true },
          { field: 'address_city', required: false },
          { field: 'address_company', required: true },
        ],
        values: { email: 'grace@example.com', card_number: '5111111111111118', card_ccv: '100' },
        hidden: ['email', 'address_company', 'card_number'],
        meta: { order: 7 },
      },
    })
    expect(screen.queryByLabelText('Email')).toBeNull()
    expect(field('Card number').value).toBe('')
    page.command({ command: 'set', settings: { values: { expire_month: '1', expire_year: '2039' } } })
    await messagesDelivered()
    expect(field('Expiry date').value).toBe('01 / 39')
    await person.type(field('Card number'), '5111111111111118')
    await person.type(field('Security code'), '100')
    await pay()
    expect(service.bodies).toEqual([
      {
        type: 'card',
        browser: FACTS,
        gateway_id: 'default',
        email: 'grace@example.com',
        card_number: '5111111111111118',
        expire_month: 1,
        expire_year: 2039,
        card_ccv: '100',
        meta: { order: 7 },
      },
    ])
  })

  it('have the names and placeholders that the merchant gives, by name', async () => {
    const page = await openFrame({
      settings: { labels: { card_number: 'Number' }, placeholders: { expire_year: 'when' } },
    })
    page.command({ command: 'set', settings: { labels: { card_name: 'Name: you, please' } } })
    await messagesDelivered()
    expect(labels()).toEqual(['Name: you, please', 'Number', 'Expiry date', 'Security code'])
    expect(field('Expiry date').placeholder).toBe('when')
  })

  it('say what is missing and what is no address', async () => {
    await openFrame({
      settings: {
        fields: [
          { field: 'email', required: true },
          { field: 'phone', required: true },
        ],
      },
    })
    await person.type(field('Email'), 'grace@')
    await person.tab()
    expect(words('Email')).toBe('Check the email address. For example: name@example.com.')
    await person.clear(field('Email'))
    await person.type(field('Email'), 'grace@bücher.example')
    expect([field('Email').value, words('Email')]).toEqual(['grace@bücher.example', ''])
    await person.clear(field('Email'))
    await person.type(field('Email'), '639171784205@example.com')
    await person.tab()
    expect(words('Email')).toBe('')
    await person.type(field('Phone'), '5111 1111 1111 1118')
    await person.tab()
    expect(words('Phone')).toBe('Don’t enter your card number here. It belongs in its own field.')
    await person.clear(field('Phone'))
    for (const mobile of ['+63 917 178 4221', '+62 812 3397 1894', '+6281233971894']) {
      await person.clear(field('Phone'))
      await person.type(field('Phone'), mobile)
      await person.tab()
      expect(words('Phone')).toBe('')
    }
    await person.clear(field('Phone'))
    await pay()
    expect(words('Phone')).toBe('Enter Phone.')
  })

  it('are not cut where they are too long: that is said', async () => {
    await openFrame({ settings: { fields: [{ field: 'phone', required: true }] } })
    for (const [label, text, fault] of [
      ['Phone', '1'.repeat(41), 'This is too long. Maximum number of characters: 40.'],
      ['Name on card', 'G'.repeat(101), 'This is too long. Maximum number of characters: 100.'],
    ] as const) {
      await person.click(field(label))
      await person.paste(text)
      await person.tab()
      expect([field(label).value, words(label)]).toEqual([text, fault])
    }
  })
})

it.each([
  ['8600120000000003', 'This card can’t be used here. Use another card.'],
  ['8600', 'This card can’t be used here. Use another card.'],
  ['7000000000000005', 'This card can’t be used here. Use another card.'],
  ['7000', 'The card number is too short. Enter all of its digits.'],
  ['7000000000000006', 'This card number can’t be right. Check each digit.'],
])('a card of a network that nobody here charges: for %s the form says %j', async (number, fault) => {
  await openFrame()
  await person.type(field('Card number'), number)
  await person.tab()
  expect(words('Card number')).toBe(fault)
})

describe('a form of some schemes only', () => {
  it('shows them and names them to a card of another', async () => {
    await openFrame({ settings: { card_icons: ['visa', 'amex', 'ausbc'], only_supported: true } })
    expect(screen.getByRole('list', { name: 'Accepted cards' }).children).toHaveLength(3)
    await person.type(field('Card number'), '5111111111111118')
    await person.tab()
    expect(words('Card number')).toBe(
      'This card can’t be used here. Use Visa, American Express, or Bankcard.',
    )
  })

  it.each([
    ['6304000000000000', ''],
    ['6521500000000006', 'This card can’t be used here. Use Maestro.'],
    ['8600120000000003', 'This card can’t be used here. Use Maestro.'],
  ])('of which one issues the cards in the ranges of closed ones says of %s: %j', async (number, fault) => {
    await openFrame({ settings: { card_icons: ['maestro'], only_supported: true } })
    await person.type(field('Card number'), number)
    await person.tab()
    expect(words('Card number')).toBe(fault)
  })

  it.each(['laser', 'discover'] as const)(
    'takes a card under the name of %s that it is issued with',
    async (icon) => {
      await openFrame({ settings: { card_icons: [icon], only_supported: true } })
      await person.type(field('Card number'), icon === 'laser' ? '6304000000000000' : '6521500000000006')
      await person.tab()
      expect(words('Card number')).toBe('')
      const accepted = screen.getByRole('list', { name: 'Accepted cards' })
      expect(accepted.querySelectorAll('[role=img]')).toHaveLength(1)
    },
  )

  it('makes no list of them while it opens, as that would hold up every form', async () => {
    const made = vi.spyOn(Intl, 'ListFormat')
    onTestFinished(() => made.mockRestore())
    await openFrame({ settings: { card_icons: ['visa'], only_supported: true } })
    expect(made).not.toHaveBeenCalled()
  })
})

describe('a command', () => {
  it('to submit does so with the button hidden, and after a finish asks for a card', async () => {
    const page = await openFrame({
      send: createService(answer(201), answer(201)).send,
      settings: { hidden: ['submit_button'] },
    })
    expect(screen.queryByRole('button')).toBeNull()
    await typeCard()
    page.command({ command: 'submit' })
    await messagesDelivered()
    expect(page.named('finish')).toHaveLength(1)
    page.command({ command: 'submit' })
    await messagesDelivered()
    expect(page.named('finish')).toHaveLength(1)
    expect(page.named('validationError')).toMatchObject([
      { invalid_fields: ['card_number', 'expire_month', 'expire_year', 'card_ccv'] },
    ])
  })

  it('to focus finds the first field that needs an answer and opens a finished form', async () => {
    const page = await openFrame()
    await person.type(field('Name on card'), 'Grace Hopper')
    page.command({ command: 'focus' })
    await messagesDelivered()
    expect(document.activeElement).toBe(field('Card number'))
    page.command({ command: 'focus', field: 'expire_year' })
    await messagesDelivered()
    expect(document.activeElement).toBe(field('Expiry date'))
  })

  it('to clear leaves an empty form that can be sent anew', async () => {
    const page = await openFrame()
    await typeCard()
    await pay()
    page.command({ command: 'clear' })
    await messagesDelivered()
    expect(field('Card number').value).toBe('')
    expect(button().textContent).toBe('Pay')
  })
})
