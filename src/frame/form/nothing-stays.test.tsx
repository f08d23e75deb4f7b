import { fireEvent, screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { answer, createService, openFrame } from '../testing/frame-page.ts'
import { button, field, pay, person, typeCard } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'

type Page = Awaited<ReturnType<typeof openFrame>>

const CARD_LABELS = ['Card number', 'Expiry date', 'Security code']
const DIGITS = /5111|1111|\b100\b|01 \/ 39|0139/
const said = () => screen.getByRole('status').textContent
const inForm = () =>
  [...document.querySelectorAll('input')].map(({ value, defaultValue }) => value + defaultValue).join()

/** What could bring digits back: keys, menus, the page's settings, and the browser's own undo. */
async function tryToBringBack(page: Page): Promise<void> {
  for (const input of document.querySelectorAll('input')) {
    for (const key of ['z', 'y']) fireEvent.keyDown(input, { key, ctrlKey: true })
    fireEvent(input, new InputEvent('beforeinput', { inputType: 'historyUndo', bubbles: true }))
  }
  page.command({ command: 'set', settings: { labels: { card_name: 'Name on card' }, language: 'en' } })
  await messagesDelivered()
}

describe('a form whose token the page has used', () => {
  it('holds no digits: it says which card was received, once, and looks finished', async () => {
    const page = await openFrame({ settings: { texts: { finish_text: 'Thank you' } } })
    await typeCard()
    await pay()
    expect(document.querySelector('input')).toBeNull()
    expect(button().textContent).toBe('Thank you')
    expect(button().className).toBe('finished')
    expect(screen.getByText('•••• 1118').parentElement?.textContent).toBe('Mastercard •••• 1118')
    expect(said()).toBe('Thank youMastercard ending in 1118')
    expect(document.documentElement.outerHTML).not.toMatch(DIGITS)
    await tryToBringBack(page)
    expect(document.documentElement.outerHTML).not.toMatch(DIGITS)
    expect(page.named('metaChange').at(-1)).toMatchObject({ card_number_length: 0, card_scheme: null })
  })

  it('holds none that were set without an event while the card was sent', async () => {
    const page = await openFrame({ settles: false })
    await typeCard()
    await pay()
    field('Security code').value = '4242'
    page.command({ command: 'settle', is_done: true })
    await messagesDelivered()
    page.command({ command: 'focus' })
    await messagesDelivered()
    expect(CARD_LABELS.map((label) => field(label).value)).toEqual(['', '', ''])
  })

  it.each([
    ['a press on “Change card”', () => person.click(screen.getByRole('button', { name: 'Change card' }))],
    [
      'focus()',
      async (page: Page) => {
        page.command({ command: 'focus' })
        await messagesDelivered()
      },
    ],
  ])('takes another card after %s; the name is still there, no digit is', async (_how, open) => {
    const service = createService(answer(201), answer(201))
    const page = await openFrame({ send: service.send })
    await typeCard()
    await pay()
    await open(page)
    await messagesDelivered()
    expect([button().textContent, said()]).toEqual(['Pay', ''])
    expect(field('Name on card').value).toBe('Grace Hopper')
    expect(CARD_LABELS.map((label) => field(label).value)).toEqual(['', '', ''])
    expect(document.activeElement).toBe(field('Card number'))
    await tryToBringBack(page)
    expect(inForm()).not.toMatch(DIGITS)
    await person.type(field('Card number'), '4242424242424242')
    await person.type(field('Expiry date'), '0239')
    await person.type(field('Security code'), '123')
    await pay()
    expect(page.named('finish')).toHaveLength(2)
    expect(service.bodies[1]).toMatchObject({ card_number: '4242424242424242', expire_month: 2 })
    expect(said()).toBe('Card details receivedVisa ending in 4242')
  })

  it('is empty and can be filled in after clear(), and pressed again says what is missing', async () => {
    const page = await openFrame()
    await typeCard()
    await pay()
    page.command({ command: 'clear' })
    await messagesDelivered()
    expect([button().textContent, said(), field('Name on card').value]).toEqual(['Pay', '', ''])
    page.command({ command: 'submit' })
    await messagesDelivered()
    expect(page.named('validationError')).toHaveLength(1)
  })

  it.each([
    ['clear()', (page: Page) => page.command({ command: 'clear' })],
    ['focus()', (page: Page) => page.command({ command: 'focus' })],
    ['leaving the page', () => fireEvent(window, new PageTransitionEvent('pagehide', { persisted: true }))],
  ])('shows its empty fields at the end of the page’s work if %s came meanwhile', async (_what, happen) => {
    const page = await openFrame({ settles: false })
    await typeCard()
    await pay()
    happen(page)
    await messagesDelivered()
    page.command({ command: 'settle', is_done: true })
    await messagesDelivered()
    expect(document.getElementById('received')).toBeNull()
    expect(CARD_LABELS.map((label) => field(label).value)).toEqual(['', '', ''])
    expect([button().textContent, said()]).toEqual(['Pay', ''])
  })

  it('gives the focus that was in a field to what was received, which says it', async () => {
    await openFrame()
    await typeCard()
    await person.keyboard('{Enter}')
    await messagesDelivered()
    const received = screen.getByRole('group', { name: 'Card details received. Mastercard ending in 1118' })
    expect([document.activeElement, said()]).toEqual([received, ''])
  })

  it('says so in the form where the page has the only button', async () => {
    await openFrame({ settings: { hidden: ['submit_button'] } })
    await typeCard()
    await person.keyboard('{Enter}')
    await messagesDelivered()
    expect(screen.getByRole('group').textContent).toContain('Card details received')
  })
})

describe('a form whose token the page could not use', () => {
  it('says what to do and keeps the card, which can be sent again as it is', async () => {
    const service = createService(answer(201), answer(201))
    const page = await openFrame({ send: service.send, settles: false })
    await typeCard()
    await pay()
    page.command({ command: 'settle', is_done: false })
    await messagesDelivered()
    const words = 'The shop couldn’t process this card. Press Pay to try again, or use another card.'
    expect(document.getElementById('form-alert')?.textContent).toBe(words)
    expect(said()).toBe(words)
    await pay()
    expect(service.bodies[1]).toEqual(service.bodies[0])
  })
})

describe('a page that is left', () => {
  it.each([
    ['pagehide', () => fireEvent(window, new Event('pagehide'))],
    ['freeze', () => fireEvent(document, new Event('freeze'))],
  ])('keeps nothing that was typed after %s, only the page’s own values', async (name, leave) => {
    const page = await openFrame({ settings: { values: { card_name: 'Ada King' } } })
    await typeCard()
    field('Security code').value = '4242'
    field('Card number').setAttribute('value', '5111')
    leave()
    const words = name === 'freeze' ? 'This form has been reset. Enter your card details again.' : ''
    expect([said(), document.getElementById('form-alert')?.textContent]).toEqual([words, words])
    expect(inForm()).toBe('Ada King,,,')
    await tryToBringBack(page)
    expect(inForm()).toBe('Ada King,,,')
    expect(document.documentElement.outerHTML).not.toMatch(DIGITS)
  })

  it('keeps a finished form from showing which card it was', async () => {
    await openFrame()
    await typeCard()
    await pay()
    fireEvent(window, new Event('pagehide'))
    expect(document.body.textContent).not.toContain('1118')
    expect(field('Card number').value).toBe('')
  })

  it('sends no card once more: the page is told, and a late token is not taken', async () => {
    let arrive: (response: Response) => void = () => undefined
    const page = await openFrame({ send: () => new Promise((resolve) => (arrive = resolve)) })
    await typeCard()
    await pay()
    fireEvent(window, new Event('pagehide'))
    await messagesDelivered()
    expect(page.named('systemError')).toMatchObject([{ error: { code: 'network_error', retryable: true } }])
    expect([button().textContent, field('Card number').readOnly]).toEqual(['Pay', false])
    arrive(await answer(201)())
    await messagesDelivered()
    expect(page.named('finish')).toEqual([])
    expect(inForm()).not.toMatch(DIGITS)
  })
})

it('a document that takes the place of a used one says so, until somebody types', async () => {
  await openFrame({ welcome: { is_reloaded: true } })
  const words = 'This form has been reset. Enter your card details again.'
  expect([said(), document.getElementById('form-alert')?.textContent]).toEqual([words, words])
  await person.type(field('Card number'), '5')
  await messagesDelivered()
  expect([said(), document.getElementById('form-alert')?.textContent]).toEqual(['', ''])
})

describe('whether something typed stands in the form', () => {
  it('is told to the page: a focus, a space and the page’s own values are nothing typed', async () => {
    const page = await openFrame({ settings: { values: { card_name: 'Ada King', expire_month: '1' } } })
    await person.click(field('Card number'))
    await person.type(field('Security code'), ' ')
    await messagesDelivered()
    expect(page.typed).not.toContain(true)
    await person.type(field('Card number'), '5')
    await messagesDelivered()
    expect(page.typed.at(-1)).toBe(true)
    await person.type(field('Card number'), '{Backspace}')
    await messagesDelivered()
    expect(page.typed.at(-1)).toBe(false)
    await person.type(field('Name on card'), '!')
    await messagesDelivered()
    expect(page.typed.at(-1)).toBe(true)
  })

  it('is not taken back by a document that goes, which empties itself', async () => {
    const page = await openFrame()
    await person.type(field('Name on card'), 'Ada')
    fireEvent(window, new Event('pagehide'))
    await messagesDelivered()
    expect([field('Name on card').value, page.typed.at(-1)]).toEqual(['', true])
    fireEvent(window, new Event('pageshow'))
    await messagesDelivered()
    expect(page.typed.at(-1)).toBe(false)
  })

  it('is told again when a card that was sent was not used', async () => {
    const page = await openFrame({ settles: false })
    await typeCard()
    await pay()
    const before = page.typed.length
    page.command({ command: 'settle', is_done: false })
    await messagesDelivered()
    expect(page.typed.slice(before)).toEqual([true])
  })
})

it('a frozen form says that a name was lost, too, but not that it had the focus', async () => {
  await openFrame()
  await person.click(field('Name on card'))
  fireEvent(document, new Event('freeze'))
  expect(said()).toBe('')
  await person.type(field('Name on card'), 'Ada')
  fireEvent(document, new Event('freeze'))
  expect([field('Name on card').value, said()]).toEqual([
    '',
    'This form has been reset. Enter your card details again.',
  ])
})
