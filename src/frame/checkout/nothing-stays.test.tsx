import { fireEvent, screen } from '@testing-library/preact'
import { expect, it } from 'vitest'
import { field, pay, person, typeCard } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'
import { CHARGE, openCheckout, paid, reply, session } from './testing/checkout-page.ts'

const LABELS = ['Card number', 'Expiry date', 'Security code']
const inputs = () => [...document.querySelectorAll('input')]
const valuesOf = (list: readonly HTMLInputElement[]) =>
  list.map(({ value, defaultValue }) => value + defaultValue)

it.each([
  ['paid here', { payments: [paid] }],
  ['expired', { payments: [reply(422, 'checkout_expired')] }],
  ['closed', { payments: [reply(403, 'forbidden')] }],
])('a checkout that is %s keeps nothing of the card', async (_how, answers) => {
  await openCheckout(answers)
  await typeCard()
  const before = inputs()
  field('Security code').setAttribute('value', '100')
  await pay()
  expect(screen.queryByLabelText('Card number')).toBeNull()
  expect(valuesOf(before)).toEqual(before.map(() => ''))
})

it('a checkout that another page has paid keeps nothing of the card that is typed here', async () => {
  await openCheckout({ sessions: [session(), session({ status: 'completed', charge_id: CHARGE })] })
  await typeCard()
  const before = inputs()
  field('Security code').value = '4242'
  document.dispatchEvent(new Event('visibilitychange'))
  await messagesDelivered()
  expect(valuesOf(before)).toEqual(before.map(() => ''))
})

it('a declined card stays for another try, but for its code', async () => {
  await openCheckout({ payments: [reply(402, 'transaction_declined')] })
  await typeCard()
  await pay()
  expect(LABELS.map((label) => field(label).value)).toEqual(['5111 1111 1111 1118', '01 / 39', ''])
})

it('a page that is left keeps nothing, and pays with nothing that had not been sent', async () => {
  let arrive: (response: Response) => void = () => undefined
  const held = () => new Promise<Response>((resolve) => (arrive = resolve))
  const { requests } = await openCheckout({ tokens: [held], payments: [paid] })
  await typeCard()
  await pay()
  fireEvent(window, new Event('pagehide'))
  arrive(await reply(201, '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a11')())
  await messagesDelivered()
  expect(requests.map(({ path }) => path)).toEqual(['/session', '/tokens'])
  expect(LABELS.map((label) => field(label).value)).toEqual(['', '', ''])
  await person.type(field('Card number'), '4242')
  expect(field('Card number').value).toBe('4242')
})

it('a payment that was sent goes on when the page is left, and its outcome is shown', async () => {
  let arrive: (response: Response) => void = () => undefined
  const held = () => new Promise<Response>((resolve) => (arrive = resolve))
  const { results } = await openCheckout({ payments: [held] })
  await typeCard()
  await pay()
  fireEvent(window, new Event('pagehide'))
  expect(valuesOf(inputs()).join('')).toBe('')
  arrive(await paid())
  await messagesDelivered()
  expect(results()).toMatchObject([{ event: 'paymentSuccessful' }])
})
