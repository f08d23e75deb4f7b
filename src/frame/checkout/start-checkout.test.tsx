import { screen } from '@testing-library/preact'
import { describe, expect, it, vi } from 'vitest'
import { pay, person, typeCard } from '../testing/person.ts'
import { messagesDelivered } from '../testing/welcome.ts'
import {
  CARD_TOKEN,
  CHARGE,
  dropped,
  INTENT,
  openCheckout,
  PAID,
  paid,
  reply,
  session,
} from './testing/checkout-page.ts'

const successful = { event: 'paymentSuccessful', result: PAID }
const heading = () => screen.getByRole('heading').textContent

describe('a checkout that can be paid', () => {
  it('says what is to be paid, to whom and for what, also on its button', async () => {
    const { events } = await openCheckout()
    expect(events[0]).toMatchObject({ event: 'afterLoad' })
    expect(screen.getByText('A$49.00')).toBeDefined()
    expect(screen.getByText('Marlow & Finch')).toBeDefined()
    expect(screen.getByText('1 × Dusk lamp')).toBeDefined()
    expect(screen.getByRole('button').textContent).toBe('Pay A$49.00')
  })

  it('is paid by a token of the card alone, in the right of the intent’s token', async () => {
    const { requests, results } = await openCheckout({ payments: [paid] })
    await typeCard()
    await pay()
    expect(results()).toMatchObject([successful])
    expect(heading()).toBe('Payment received')
    expect(screen.getByText('Reference: MF-7')).toBeDefined()
    expect(requests.map(({ path }) => path)).toEqual(['/session', '/tokens', '/payments'])
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(
      new Set(['Bearer intent.token.sig']),
    )
    expect(requests[2]?.body).toEqual({ payment_source: CARD_TOKEN })
    expect(requests[1]?.body).not.toHaveProperty('gateway_id')
  })

  it.each([
    ['ja', '￥', 'を支払う'],
    ['de', '49,00', 'bezahlen'],
    ['ar', '٤٩|49', 'ادفع'],
  ] as const)('speaks %s', async (language, amount, verb) => {
    await openCheckout({ language })
    const { textContent } = screen.getByRole('button')
    expect(textContent).toContain(verb)
    expect(textContent).not.toContain('{')
    if (language !== 'ja') expect(textContent).toMatch(new RegExp(amount))
  })
})

describe('an intent that another page has paid', () => {
  it('is a success with the same charge, at once', async () => {
    const { results } = await openCheckout({
      sessions: [session({ status: 'completed', charge_id: CHARGE })],
    })
    expect(results()).toMatchObject([successful])
    expect(heading()).toBe('Payment received')
  })

  it('is seen when this page is looked at again', async () => {
    const { results } = await openCheckout({
      sessions: [session(), session({ status: 'completed', charge_id: CHARGE })],
    })
    expect(results()).toEqual([])
    document.dispatchEvent(new Event('visibilitychange'))
    await messagesDelivered()
    expect(results()).toMatchObject([successful])
  })

  it('is a success for who pays it here, too', async () => {
    const { results } = await openCheckout({ payments: [reply(200, { ...PAID, status: 'completed' })] })
    await typeCard()
    await pay()
    expect(results()).toMatchObject([{ result: { intent_id: INTENT, charge_id: CHARGE } }])
  })
})

describe('an intent that another page is paying, or this one was before it was reloaded', () => {
  const underWay = session({ payment_under_way: true })

  it('takes no second card; what came of it is asked for until it is known', async () => {
    const { results, pass } = await openCheckout({
      sessions: [underWay, session({ status: 'completed', charge_id: CHARGE })],
    })
    expect(heading()).toBe('Checking with your bank')
    expect(screen.queryByRole('button')).toBeNull()
    expect(results()).toEqual([])
    pass(5000)
    await vi.waitFor(() => expect(results()).toMatchObject([successful]), 3000)
    expect(heading()).toBe('Payment received')
  })

  it('is there for another card when that failed', async () => {
    await openCheckout({ sessions: [underWay, session()] })
    document.dispatchEvent(new Event('visibilitychange'))
    await messagesDelivered()
    expect(screen.getByRole('button').textContent).toBe('Pay A$49.00')
  })
})

describe('an intent that takes no payment', () => {
  it.each([
    ['its token’s time is over', reply(401, 'token_expired'), /ask the shop before you pay again/],
    ['its own is', session({ status: 'expired' }), /^Nothing was charged\. Go back to the shop/],
  ])('%s: the page is told once, and the person what to do', async (_, answered, todo) => {
    const { results, events } = await openCheckout({ sessions: [answered] })
    document.dispatchEvent(new Event('visibilitychange'))
    await messagesDelivered()
    expect(events[0]).toMatchObject({ event: 'afterLoad' })
    expect(results()).toMatchObject([{ event: 'paymentExpired' }])
    expect(screen.getByText(todo)).toBeDefined()
  })

  it('expired while the card was typed: the payment tells', async () => {
    const { results } = await openCheckout({ payments: [reply(422, 'checkout_expired')] })
    await typeCard()
    await pay()
    expect(results()).toMatchObject([{ event: 'paymentExpired' }])
  })

  it('expired before the card was a token: the service is asked, and no failure is told', async () => {
    const { results } = await openCheckout({
      sessions: [session(), reply(401, 'token_expired')],
      tokens: [reply(401, 'token_expired')],
    })
    await typeCard()
    await pay()
    expect(results()).toMatchObject([{ event: 'paymentExpired' }])
  })

  it.each(['unauthorized', 'not_found'])(
    '%s: the checkout can’t be shown, and load() fails',
    async (code) => {
      const { events } = await openCheckout({ sessions: [reply(401, code)] })
      expect(events.filter(({ event }) => event !== 'resize')).toMatchObject([
        { event: 'systemError', error: { code, retryable: false } },
      ])
      expect(heading()).toBe('This checkout is no longer available')
    },
  )

  it('cancelled by the shop', async () => {
    await openCheckout({ sessions: [session({ status: 'cancelled' })] })
    expect(heading()).toBe('This checkout is no longer available')
  })

  it.each(['expired', 'cancelled'] as const)('%s: amount and merchant stand above it', async (status) => {
    await openCheckout({ sessions: [session({ status })] })
    expect(screen.getByText('Marlow & Finch')).toBeDefined()
    expect(screen.getByText('A$49.00')).toBeDefined()
  })
})

describe('the way back to the shop', () => {
  const back = () => screen.queryByRole('button', { name: 'Back to the shop' })
  const EMPTY = { settings: {} }
  const OF_PAGE = { settings: { return_url: 'https://shop.example/of-page' } }

  it.each([
    ['expired', [session({ status: 'expired' })], EMPTY, 'https://shop.example/basket'],
    ['cancelled', [session({ status: 'cancelled' })], EMPTY, 'https://shop.example/basket'],
    ['tried out', [session({ tries_left: 0 })], EMPTY, 'https://shop.example/basket'],
    [
      'expired, on a page with an address',
      [session({ status: 'expired' })],
      OF_PAGE,
      OF_PAGE.settings.return_url,
    ],
    ['perhaps paid', [reply(401, 'token_expired')], OF_PAGE, OF_PAGE.settings.return_url],
    ['out of reach', [dropped], OF_PAGE, OF_PAGE.settings.return_url],
  ])('%s: a button tells the page where the merchant leads', async (_, sessions, { settings }, address) => {
    const { events } = await openCheckout({ sessions, settings })
    await person.click(back() ?? document.body)
    expect(events.at(-1)).toMatchObject({ event: 'backToShop', return_url: address })
  })

  it.each([
    ['the merchant has named none', [session({ status: 'expired', return_url: null })]],
    ['it is unknown as nothing could be read', [reply(401, 'token_expired')]],
    ['the checkout can be paid', [session()]],
    ['it is paid', [session({ status: 'completed', charge_id: CHARGE })]],
    ['the bank is still asked', [session({ payment_under_way: true })]],
  ])('is not there where %s', async (_, sessions) => {
    await openCheckout({ sessions })
    expect(back()).toBeNull()
  })

  it('goes where the service can be asked again', async () => {
    const { pass } = await openCheckout({ sessions: [dropped, session()], ...OF_PAGE })
    expect(back()).not.toBeNull()
    pass(5000)
    await vi.waitFor(() => expect(back()).toBeNull(), 3000)
  })
})
