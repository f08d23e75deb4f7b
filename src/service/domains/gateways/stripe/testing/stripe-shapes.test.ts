import { describe, expect, it } from 'vitest'
import { authorise, cents, follow, nextId, order, sold, soon } from '../../testing/gateway-bed.ts'
import { answerInEveryWay, disputesOf, twoFiles } from '../../testing/dispute-contract.ts'
import { movesMoney, openStripeBed, RIGHT_KEY } from './stripe-bed.ts'
import { faultsOfAnswer, faultsOfRequest, intentLike, operations, refundLike } from './stripe-shapes.ts'

const INTENTS = '/v1/payment_intents'
const made = {
  ...{ amount: '1000', currency: 'aud', capture_method: 'manual' },
  ...{ allowed_payment_method_types: { 0: 'card' }, metadata: { attempt_id: 'a1' } },
}
const card = { number: '4242424242424242', exp_month: '1', exp_year: '2039', cvc: '100' }
const paid = {
  payment_method_data: { type: 'card', card, billing_details: { name: 'Grace' } },
  error_on_requires_action: 'true',
}

describe('a request that Stripe would not understand is told by its fault', () => {
  it.each([
    ['an amount in fractions of a cent', INTENTS, { ...made, amount: '1.5' }, 'amount must be'],
    [
      'a statement that is too long',
      INTENTS,
      { ...made, statement_descriptor_suffix: 'Order 1042 of Perth' },
      'statement_descriptor_suffix must be',
    ],
    ['a currency in capitals', INTENTS, { ...made, currency: 'AUD' }, 'currency must be'],
    [
      'a field that was taken away',
      INTENTS,
      { ...made, payment_method_types: ['card'] },
      'payment_method_types',
    ],
    [
      'a year of two digits',
      `${INTENTS}/pi_1/confirm`,
      { ...paid, payment_method_data: { ...paid.payment_method_data, card: { ...card, exp_year: '39' } } },
      'exp_year must be',
    ],
    ['a capture without an amount', `${INTENTS}/pi_1/capture`, {}, 'amount_to_capture must be'],
    ['a refund of no payment', '/v1/refunds', { amount: '1' }, 'payment_intent must be'],
    ['an unknown operation', `${INTENTS}/pi_1/void`, {}, 'no such operation'],
  ])('%s', (_, path, params, words) => {
    expect(faultsOfRequest('POST', path, params).join()).toContain(words)
  })

  it('and shows no value: it may be a card number', () => {
    const wrong = { ...paid, payment_method_data: { ...paid.payment_method_data, type: card.number } }
    const faults = faultsOfRequest('POST', `${INTENTS}/pi_1/confirm`, wrong)
    expect(faults).toHaveLength(1)
    expect(faults.join()).not.toContain('4242')
  })
})

describe('an answer that Stripe would not give is told by its fault', () => {
  const withoutId = Object.fromEntries(Object.entries(intentLike({})).filter(([name]) => name !== 'id'))
  it.each([
    ['a payment without its id', 'POST', INTENTS, withoutId, 'id is missing'],
    ['a payment with a field of one’s own', 'POST', INTENTS, intentLike({ held: 1 }), 'held is no field'],
    ['an amount as a text', 'POST', INTENTS, intentLike({ amount: '10' }), 'amount must be number'],
    [
      'a list with such a refund',
      'GET',
      '/v1/refunds?payment_intent=pi_1&limit=100',
      { object: 'list', data: [refundLike({ status: 1 })], has_more: false, url: '/v1/refunds' },
      'status must be string',
    ],
  ])('%s', (_name, method, path, body, words) => {
    expect(faultsOfAnswer(method, path, 200, body).join()).toContain(words)
  })

  it('so is a refusal without a type', () => {
    expect(faultsOfAnswer('POST', INTENTS, 400, { error: { message: 'No' } })).toHaveLength(1)
    expect(faultsOfAnswer('POST', INTENTS, 400, { error: { type: 'api_error', message: 'No' } })).toEqual([])
  })
})

describe('Stripe’s double', () => {
  it('reports, when it closes, every message that was not as Stripe has it', async () => {
    const { double, close } = await openStripeBed()
    const headers = { authorization: `Bearer ${RIGHT_KEY}`, 'idempotency-key': 'k' }
    await fetch(double.baseUrl + INTENTS, { method: 'POST', headers, body: 'amount=ten' }).catch(() => null)
    await expect(close()).rejects.toThrow('POST /v1/payment_intents: amount must be')
  })

  it('refuses a key that comes with other parameters', async () => {
    const bed = await openStripeBed()
    const attemptId = nextId()
    await authorise(bed, cents('10.00'), attemptId)
    expect(await authorise(bed, cents('11.00'), attemptId)).toMatchObject({
      kind: 'declined',
      code: 'idempotency_error',
    })
    await bed.close()
  })

  it('is sent every kind of request, each as Stripe has it', async () => {
    const bed = await openStripeBed()
    const { sale } = await sold(bed)
    await bed.gateway.capture(follow(sale, cents('60.00')))
    const attemptId = nextId()
    await bed.gateway.refund(follow(sale, cents('10.00'), attemptId))
    const age = { ageMs: 60_000, minAgeMs: 60_000 }
    const words = { statementDescriptor: null }
    const refund = { ...follow(sale, cents('10.00'), attemptId), ...age, type: 'refund' } as const
    expect(await bed.gateway.outcomeOf(refund)).toMatchObject({ kind: 'approved' })
    const lost = nextId()
    bed.double.breakNext('reset before applying', movesMoney)
    await authorise(bed, cents('5.00'), lost)
    const question = {
      ...order(cents('5.00'), lost),
      ...age,
      ...words,
      type: 'sale',
      capture: false,
    } as const
    expect(await bed.gateway.outcomeOf(question)).toEqual({ kind: 'not_received' })
    expect(await bed.gateway.check?.(soon())).toEqual({ kind: 'works' })
    const documents = twoFiles('shipping_documentation', 'receipt')
    await answerInEveryWay(disputesOf(bed), bed.dispute, {
      defence: 'evidence',
      documents,
      statement: 'Hello',
    })
    const sent = bed.double.requests
    const unused = operations.filter(
      ({ method, path }) => !sent.some((one) => one.method === method && path.test(one.path)),
    )
    expect(unused).toEqual([])
    await bed.close()
  })
})
