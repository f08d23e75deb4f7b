import { describe, expect, it, vi } from 'vitest'
import { CardServiceFault } from '../card-service/card-service-fault.ts'
import type { CardService, CheckoutIntent } from '../card-service/card-service.ts'
import { LAMP } from './catalogue.ts'
import type { Charge } from '../card-service/charge.ts'
import { OrderBook } from './order-book.ts'

const charge = (reference: string, status: string): Charge => ({
  _id: '0123456789abcdef01234567',
  status,
  amount: 258,
  currency: 'AUD',
  reference,
  created_at: '2026-11-21T00:00:00.000Z',
  customer: { payment_source: { card_scheme: 'visa', card_number_last4: '0026' } },
  transactions: [],
  statistics: { total_refunded_amount: 0 },
})
const INTENT = '0123456789abcdef01234566'
const intent: CheckoutIntent = {
  _id: INTENT,
  status: 'active',
  token: 'a token',
  recommended_sdk_version_url: 'https://cards.example/sdk/v1.1.0/widget.umd.min.js',
  recommended_sdk_version_integrity: 'sha384-x',
  charge_id: null,
}
const basket = { checkout: 'a checkout', item: LAMP, quantity: 2, token: 'a token' }

/** A card service that authorises everything, unless the test overrides it. */
function shopWith(mind: Partial<CardService> = {}) {
  const authorise = vi.fn<CardService['authorise']>(({ reference }) =>
    Promise.resolve(charge(reference, 'pending')),
  )
  const unasked = () => Promise.reject(new Error('not asked for here'))
  const createCheckout = vi.fn<CardService['createCheckout']>(() => Promise.resolve(intent))
  const others = {
    checkout: unasked,
    capture: unasked,
    cancel: unasked,
    refund: unasked,
    get: unasked,
    list: unasked,
  }
  const cards = { createCheckout, authorise, ...others, ...mind }
  return { authorise, createCheckout, orders: new OrderBook(cards) }
}
const refusing = (code: string) => ({ authorise: () => Promise.reject(new CardServiceFault(code, code)) })

describe('placing an order', () => {
  it('asks for the price on the shop’s own list', async () => {
    const { orders, authorise } = shopWith()
    await orders.place(basket)
    expect(authorise).toHaveBeenCalledOnce()
    const [asked] = authorise.mock.calls[0] ?? []
    expect(asked).toMatchObject({ amount: '258.00', token: 'a token', description: '2 × Dusk lamp' })
    expect(asked?.reference).toMatch(/^MF-[2-9A-Z]{8}$/)
  })

  it('makes one charge out of a double click', async () => {
    const { orders, authorise } = shopWith()
    const [first, second] = await Promise.all([orders.place(basket), orders.place(basket)])
    expect(second).toEqual(first)
    expect(authorise).toHaveBeenCalledOnce()
  })

  it('does not send a second card while the bank has not answered about the first', async () => {
    const { orders, authorise } = shopWith()
    const first = orders.place(basket)
    expect(await orders.place({ ...basket, token: 'another' })).toEqual(await first)
    expect(authorise).toHaveBeenCalledOnce()
  })

  it('tries another card after a decline', async () => {
    const authorise = vi
      .fn<CardService['authorise']>(({ reference }) => Promise.resolve(charge(reference, 'pending')))
      .mockRejectedValueOnce(new CardServiceFault('transaction_declined', ''))
    const { orders } = shopWith({ authorise })
    expect((await orders.place(basket)).placed).toBe(false)
    expect((await orders.place({ ...basket, token: 'another' })).placed).toBe(true)
  })

  it.each([
    ['transaction_declined', /declined/],
    ['insufficient_funds', /not enough money/],
    ['credit_card_invalid_or_expired', /expired/],
    ['gateway_unavailable', /try again/],
    ['keys_missing', /not set up/],
    ['something_new', /nothing was charged/],
  ])('%s has its own message', async (code, words) => {
    const outcome = await shopWith(refusing(code)).orders.place(basket)
    expect(outcome.placed ? '' : outcome.message).toMatch(words)
  })

  it('never speaks of fraud to a shopper', async () => {
    const suspected = await shopWith(refusing('fraud_warning')).orders.place(basket)
    expect(suspected).toEqual(await shopWith(refusing('transaction_declined')).orders.place(basket))
  })

  it.each(['outcome_unknown', 'system_error'])('%s makes an order that is being checked', async (code) => {
    const { orders } = shopWith({ ...refusing(code), list: () => Promise.resolve({ data: [], next: null }) })
    const outcome = await orders.place(basket)
    const order = outcome.placed ? await orders.find(outcome.reference) : undefined
    expect(order).toMatchObject({ status: 'checking', total: 25_800 })
  })
})

describe('looking at an order', () => {
  it('shows what the card service says now', async () => {
    const { orders } = shopWith({ get: () => Promise.resolve(charge('MF', 'complete')) })
    const outcome = await orders.place(basket)
    const order = outcome.placed ? await orders.find(outcome.reference) : undefined
    expect(order).toMatchObject({ status: 'complete', card: 'Visa •••• 0026' })
  })

  it('finds the charge by the reference when its id was lost with the answer', async () => {
    const list = ({ reference = '' }: Record<string, string>) =>
      Promise.resolve({ data: [charge('another', 'failed'), charge(reference, 'pending')], next: null })
    const { orders } = shopWith({ ...refusing('outcome_unknown'), list })
    const outcome = await orders.place(basket)
    const order = outcome.placed ? await orders.find(outcome.reference) : undefined
    expect(order?.status).toBe('pending')
  })

  it('leaves the order as it is without an answer of the card service; finds no unknown order', async () => {
    const { orders } = shopWith({ get: refusing('outcome_unknown').authorise })
    const outcome = await orders.place(basket)
    const order = outcome.placed ? await orders.find(outcome.reference) : undefined
    expect(order?.status).toBe('pending')
    expect(await orders.find('MF-UNKNOWN2')).toBeUndefined()
  })
})

describe('an order that is paid in a checkout', () => {
  /** A checkout for two lamps, and how the card service says that it stands. */
  async function intended(now: Partial<CheckoutIntent> = {}) {
    const checkout = () => Promise.resolve({ ...intent, ...now })
    const get = (_id: string) => Promise.resolve({ ...charge('', 'complete'), _id })
    const { orders, createCheckout } = shopWith({ checkout, get })
    const id = await orders.intend(LAMP, 2)
    const reference = createCheckout.mock.calls[0]?.[0].reference ?? ''
    return { orders, createCheckout, reference, id }
  }

  it('is asked for at the price on the shop’s own list', async () => {
    const { createCheckout, id } = await intended()
    expect(createCheckout.mock.calls[0]?.[0]).toMatchObject({
      amount: '258.00',
      description: '2 × Dusk lamp',
    })
    expect(id).toBe(INTENT)
  })

  it('is placed once the card service says that its checkout is paid, and by which charge', async () => {
    const { orders, reference } = await intended({ status: 'completed', token: null, charge_id: 'c' })
    expect(await orders.find(reference)).toBeUndefined()
    expect(await orders.confirm(INTENT)).toEqual({ placed: true, reference })
    expect(await orders.find(reference)).toMatchObject({ status: 'complete', total: 25_800, chargeId: 'c' })
  })

  it.each(['active', 'expired', 'cancelled'])('is not, for a checkout that is %s', async (status) => {
    const { orders, reference } = await intended({ status })
    expect(await orders.confirm(INTENT)).toMatchObject({ placed: false })
    expect(await orders.find(reference)).toBeUndefined()
  })

  it('is not, for a checkout that the shop doesn’t know', async () => {
    const { orders } = await intended({ status: 'completed', charge_id: 'c' })
    expect(await orders.confirm('ffffffffffffffffffffffff')).toMatchObject({ placed: false })
    expect(await orders.checkoutOf('ffffffffffffffffffffffff')).toBeUndefined()
  })
})

describe('an order whose shopper’s bank asks', () => {
  const asks = { id: 'a1', token: 'of this authentication' }
  /** The order's checkout page, and how the card service says that its charge stands once the page has shown the bank. */
  async function asked(now: Partial<Charge> | CardServiceFault) {
    const authorise = vi
      .fn<CardService['authorise']>(({ reference }) => Promise.resolve(charge(reference, 'pending')))
      .mockResolvedValueOnce({ ...charge('MF', 'pre_authentication_pending'), _3ds: asks })
    const get = () =>
      now instanceof Error ? Promise.reject(now) : Promise.resolve({ ...charge('MF', ''), ...now })
    const { orders } = shopWith({ authorise, get })
    expect(await orders.place(basket)).toMatchObject({ placed: false, asks })
    return { orders, authorise }
  }
  const refused = (error_code: string) => [{ type: 'sale', status: 'failed', amount: 258, error_code }]

  it('is asked about again by a second click, and charged once', async () => {
    const { orders, authorise } = await asked({ status: 'pre_authentication_pending' })
    expect(await orders.place({ ...basket, token: 'another' })).toMatchObject({ asks })
    expect(await orders.answered(basket.checkout)).toMatchObject({ placed: false, asks })
    expect(authorise).toHaveBeenCalledOnce()
  })

  it('is placed once the card service says that its funds are held', async () => {
    const { orders } = await asked({ status: 'pending' })
    const outcome = await orders.answered(basket.checkout)
    const order = outcome.placed ? await orders.find(outcome.reference) : undefined
    expect(order).toMatchObject({ status: 'pending', total: 25_800 })
    expect(await orders.place(basket)).toEqual(outcome)
  })

  it.each([
    ['failed', 'authentication_failed', /could not confirm/],
    ['failed', 'insufficient_funds', /not enough money/],
    ['not_authenticated', 'not_authenticated', /did not confirm/],
  ])('is not, of a charge that is %s (%s), and another card may be tried', async (status, code, words) => {
    const { orders } = await asked({ status, transactions: refused(code) })
    const outcome = await orders.answered(basket.checkout)
    expect(outcome.placed ? '' : outcome.message).toMatch(words)
    expect(await orders.place({ ...basket, token: 'another' })).toMatchObject({ placed: true })
  })

  it('is checked where the card service can’t say', async () => {
    const { orders } = await asked(new CardServiceFault('system_error', ''))
    const outcome = await orders.answered(basket.checkout)
    const order = outcome.placed ? await orders.find(outcome.reference) : undefined
    expect(order?.status).toBe('checking')
  })

  it('is none of a page that the shop does not know', async () => {
    expect(await shopWith().orders.answered('another')).toMatchObject({ placed: false })
  })
})
