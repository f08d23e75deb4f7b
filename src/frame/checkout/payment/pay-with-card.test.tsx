import { screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { field, pay, person, typeCard } from '../../testing/person.ts'
import { messagesDelivered } from '../../testing/welcome.ts'
import { CARD_TOKEN, dropped, openCheckout, PAID, paid, reply, session } from '../testing/checkout-page.ts'

const successful = { event: 'paymentSuccessful', result: PAID }
const heading = () => screen.getByRole('heading').textContent
const alertWords = () => document.getElementById('form-alert')?.textContent

describe('a payment that fails', () => {
  it.each([
    ['transaction_declined', 422, /declined/],
    ['fraud_warning', 422, /declined/],
    ['insufficient_funds', 422, /not enough money/],
    ['credit_card_invalid_or_expired', 422, /expired/],
    ['authentication_failed', 422, /confirm that it’s you/],
    ['not_authenticated', 422, /was not finished/],
    ['token_not_found', 400, /could not be used this time/],
  ])(
    '%s: says what to do, keeps what was typed but the code, and takes another try',
    async (code, status, words) => {
      const { results } = await openCheckout({ payments: [reply(status, code), paid] })
      await typeCard()
      await pay()
      expect(alertWords()).toMatch(words)
      expect(alertWords()).toMatch(/nothing was charged/i)
      expect(results()).toMatchObject([{ event: 'paymentFailure', result: { code, message: alertWords() } }])
      expect(field('Card number').value).toBe('5111 1111 1111 1118')
      expect(field('Security code').value).toBe('')
      expect(alertWords()).toMatch(/enter (?:it again to pay|the security code)/i)
      await person.type(field('Security code'), '100')
      await pay()
      expect(results().at(-1)).toMatchObject(successful)
    },
  )

  it('before the bank was reached keeps all that was typed, so the button can be pressed again', async () => {
    const { results } = await openCheckout({ payments: [reply(503, 'gateway_unavailable'), paid] })
    await typeCard()
    await pay()
    expect(alertWords()).toMatch(/nothing was charged\. Wait a moment and press Pay A\$49\.00 again/)
    expect(field('Security code').value).toBe('100')
    await pay()
    expect(results().at(-1)).toMatchObject(successful)
  })

  it('for the last time that the checkout takes says why it takes no more', async () => {
    const { results } = await openCheckout({
      sessions: [session(), session({ tries_left: 0 })],
      payments: [reply(422, 'transaction_declined')],
    })
    await typeCard()
    await pay()
    expect(heading()).toBe('No attempts left for this checkout')
    expect(results().at(-1)).toMatchObject({
      event: 'paymentFailure',
      result: { code: 'unfulfilled_condition' },
    })
  })

  it('whose tries another page has used up meanwhile says why it takes no more', async () => {
    const { results } = await openCheckout({
      sessions: [session(), session({ tries_left: 0 })],
      tokens: [reply(403, 'forbidden')],
    })
    await typeCard()
    await pay()
    expect(heading()).toBe('No attempts left for this checkout')
    expect(results()).toMatchObject([{ event: 'paymentFailure', result: { code: 'unfulfilled_condition' } }])
  })

  it('a card that the intent doesn’t take is refused at its field', async () => {
    const refused = () =>
      Promise.resolve(
        new Response(
          JSON.stringify({
            status: 400,
            error: {
              code: 'validation_error',
              message: 'm',
              details: [{ path: 'card_number', message: 'not taken' }],
            },
            resource: { type: 'token', data: null },
          }),
          { status: 400 },
        ),
      )
    const { results } = await openCheckout({ payments: [refused, paid] })
    await typeCard()
    await pay()
    expect(field('Card number').getAttribute('aria-invalid')).toBe('true')
    expect(results()).toMatchObject([{ event: 'paymentFailure', result: { code: 'validation_error' } }])
  })

  it('a form that isn’t right is no payment', async () => {
    const { requests, results } = await openCheckout()
    await pay()
    expect(requests).toHaveLength(1)
    expect(results()).toEqual([])
  })
})

describe('a payment whose outcome nobody knows', () => {
  it.each([
    ['outcome_unknown', reply(503, 'outcome_unknown')],
    ['request_in_progress', reply(409, 'request_in_progress')],
    ['no answer', dropped],
    ['rate_limited', reply(429, 'rate_limited')],
    ['service_unavailable, as in maintenance', reply(503, 'service_unavailable')],
    ['an answer of something between', () => Promise.resolve(new Response('<html>', { status: 502 }))],
  ])('%s: is asked about with the same card until it is known', async (_, unknown) => {
    let settle: (response: Response) => void = () => undefined
    const held = () => new Promise<Response>((resolve) => (settle = resolve))
    const { requests, results, pauses } = await openCheckout({ payments: [unknown, held] })
    await typeCard()
    await pay()
    expect(heading()).toBe('Checking with your bank')
    expect(screen.getByText(/don’t pay again/)).toBeDefined()
    expect(results()).toEqual([])
    settle(await paid())
    await messagesDelivered()
    expect(results()).toMatchObject([successful])
    expect(pauses).toEqual([3000])
    const payments = requests.filter(({ path }) => path === '/payments')
    expect(payments.map(({ body }) => body)).toEqual([
      { payment_source: CARD_TOKEN },
      { payment_source: CARD_TOKEN },
    ])
  })

  it('and that turns out a decline gives the form back with what was typed', async () => {
    const { results } = await openCheckout({
      payments: [reply(503, 'outcome_unknown'), reply(422, 'insufficient_funds')],
    })
    await typeCard()
    await pay()
    expect(field('Card number').value).toBe('5111 1111 1111 1118')
    expect(results()).toMatchObject([{ event: 'paymentFailure', result: { code: 'insufficient_funds' } }])
  })
})

it.each([
  ['token_expired', 401, /ask the shop before you pay again/],
  ['unauthorized', 401, /ask the shop before you pay again/],
  ['checkout_expired', 422, /Nothing was charged/],
])('a payment of unknown outcome (%s) is never said to have charged nothing', async (code, status, words) => {
  await openCheckout({
    sessions: [session(), reply(401, 'token_expired')],
    payments: [dropped, reply(status, code)],
  })
  await typeCard()
  await pay()
  await messagesDelivered()
  expect(document.getElementById('result')?.textContent).toMatch(words)
})

it('the words for a slow answer do not replace those that are shown while the bank is asked', async () => {
  const never = () => new Promise<Response>(() => undefined)
  const page = await openCheckout({ payments: [reply(503, 'outcome_unknown'), never] })
  await typeCard()
  await pay()
  expect(heading()).toBe('Checking with your bank')
  page.timePassed()
  await messagesDelivered()
  expect(screen.getByRole('status').textContent).not.toMatch(/longer than usual/)
})

describe('a payment whose card holder’s bank wants to ask them', () => {
  const asked = { id: '65f0c0ffee65f0c0ffee65f2', token: 'secret' }
  const underWay = session({ payment_under_way: true, _3ds: asked })
  const shownSteps = (events: readonly object[]) =>
    events.filter((event) => Reflect.get(event, 'event') === 'authenticationRequired')

  it('has the page show its step, once, and is paid when the service says so', async () => {
    const payments = [reply(409, 'request_in_progress'), reply(409, 'request_in_progress'), paid]
    const page = await openCheckout({ sessions: [session(), underWay], payments })
    await typeCard()
    await pay()
    await messagesDelivered()
    expect(shownSteps(page.events)).toMatchObject([{ authentication: asked }])
    expect(page.results()).toMatchObject([successful])
  })

  it('goes on there in a page that comes later, and shows it anew where its dialog was closed', async () => {
    const page = await openCheckout({ sessions: [underWay] })
    expect(heading()).toBe('Confirm with your bank')
    expect(shownSteps(page.events)).toMatchObject([{ authentication: asked }])
    page.command({ command: 'settle', is_done: true })
    await messagesDelivered()
    expect(shownSteps(page.events)).toHaveLength(2)
  })

  it('is given up at the second dialog that could not be shown, so that another card can be tried', async () => {
    const page = await openCheckout({ sessions: [underWay] })
    const failed = async () => {
      page.command({ command: 'settle', is_done: false })
      await messagesDelivered()
    }
    const givenUp = () => page.requests.filter(({ method }) => method === 'DELETE')
    await failed()
    expect([shownSteps(page.events).length, givenUp()]).toEqual([2, []])
    await failed()
    expect(givenUp()).toMatchObject([
      { path: `/authentications/${asked.id}`, authorization: `Bearer ${asked.token}` },
    ])
  })
})
