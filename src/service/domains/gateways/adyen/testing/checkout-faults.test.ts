import { describe, expect, it } from 'vitest'
import {
  ask,
  BY_BROWSER,
  cents,
  follow,
  nextId,
  order,
  sold,
  soon,
  toAuthentication,
} from '../../testing/gateway-bed.ts'
import { answerInEveryWay, disputesOf, twoFiles } from '../../testing/dispute-contract.ts'
import { openAdyenBed } from './adyen-bed.ts'
import type { AdyenBed } from './adyen-bed.ts'
import { faultsOfAnswer, faultsOfRequest } from './checkout-faults.ts'
import { operations } from './checkout-schemas.ts'

const amount = { currency: 'AUD', value: 1000 }
const sale = {
  merchantAccount: 'Acme',
  reference: 'order-1',
  amount,
  returnUrl: 'https://pay.example.com',
  paymentMethod: { type: 'scheme' },
}
const capture = { merchantAccount: 'Acme', reference: 'order-1', amount }
const received = {
  ...capture,
  paymentPspReference: 'PSP0000000000001',
  pspReference: 'PSP0000000000002',
  status: 'received',
}

describe('a request that Adyen would not understand is told by its fault', () => {
  it.each([
    [
      'an amount in fractions of a cent',
      '/payments',
      { ...sale, amount: { ...amount, value: 1.5 } },
      '/amount/value',
    ],
    [
      'a currency that is none',
      '/payments',
      { ...sale, amount: { ...amount, currency: 'A' } },
      '/amount/currency',
    ],
    ['a sale without a reference', '/payments', { ...sale, reference: undefined }, 'reference'],
    ['a reference that is too long', '/payments', { ...sale, reference: 'x'.repeat(81) }, '/reference'],
    ['a field that Adyen does not have', '/payments', { ...sale, capture: true }, 'capture'],
    ['a month as a number', '/payments', { ...sale, paymentMethod: { expiryMonth: 1 } }, '/expiryMonth'],
    ['a capture without an amount', '/payments/P1/captures', { ...capture, amount: undefined }, 'amount'],
    ['a cancel of a part', '/payments/P1/cancels', capture, 'amount'],
    ['a void of no payment', '/cancels', { merchantAccount: 'Acme' }, 'paymentReference'],
    ['an unknown operation', '/payments/P1/voids', capture, 'no such operation'],
  ])('%s', (_, path, body, place) => {
    expect(faultsOfRequest(path, JSON.parse(JSON.stringify(body))).join()).toContain(place)
  })
})

describe('an answer that Adyen would not give is told by its fault', () => {
  it.each([
    ['a result that there is not', '/payments', 200, { resultCode: 'Approved' }, '/resultCode'],
    ['a sale with the status of a capture', '/payments', 201, { resultCode: 'Authorised' }, '200'],
    [
      'a capture that is said to be done',
      '/payments/P1/captures',
      201,
      { ...received, status: 'done' },
      '/status',
    ],
    [
      'a refund without its amount',
      '/payments/P1/refunds',
      201,
      { ...received, amount: undefined },
      'amount',
    ],
    [
      'a refusal with a code that is a number',
      '/payments',
      422,
      { status: 422, errorCode: 167 },
      '/errorCode',
    ],
  ])('%s', (_, path, status, body, place) => {
    expect(faultsOfAnswer(path, { status, body: JSON.parse(JSON.stringify(body)) }).join()).toContain(place)
  })
})

it('shows no value of a message that is wrong: it may be a card number', () => {
  const paymentMethod = { type: '4111111111111111', number: 4111111111111111 }
  const faults = faultsOfRequest('/payments', { ...sale, paymentMethod })
  expect(faults).toHaveLength(2)
  expect(faults.join()).not.toContain('4111')
})

describe('Adyen’s double', () => {
  it('reports, when it closes, every message that was not as Adyen’s schemas say', async () => {
    const { double, close } = await openAdyenBed()
    await fetch(`${double.baseUrl}/payments`, { method: 'POST', body: JSON.stringify({ amount: 1 }) })
    await expect(close()).rejects.toThrow('a request to /payments: /amount must be object')
  })

  it('is sent every kind of request as the schemas have it', async () => {
    const bed = await openAdyenBed()
    const [taken, released, young] = [await sold(bed), await sold(bed), await sold(bed, true)]
    const approved = { kind: 'approved' }
    expect(await bed.gateway.capture(follow(taken.sale, cents('60.00')))).toMatchObject(approved)
    expect(await bed.gateway.refund(follow(taken.sale, cents('10.00')))).toMatchObject(approved)
    expect(await bed.gateway.cancel(follow(released.sale, released.sale.amount))).toMatchObject(approved)
    const reversed = follow({ ...young.sale, ageMs: 0 }, young.sale.amount)
    expect(await bed.gateway.refund(reversed)).toMatchObject(approved)
    const age = { ageMs: 600_000, minAgeMs: 600_000 }
    const words = { statementDescriptor: null }
    const lost = {
      ...order(cents('5.00'), nextId()),
      ...age,
      ...words,
      type: 'sale',
      capture: false,
    } as const
    expect(await bed.gateway.outcomeOf(lost)).toEqual({ kind: 'not_received' })
    await authenticate(bed)
    expect(await bed.gateway.check?.(soon())).toEqual({ kind: 'works' })
    const documents = twoFiles('GoodsWereAsDescribed', 'TIDorInvoice')
    const defending = { defence: 'GoodsWereAsDescribed', documents, statement: null }
    await answerInEveryWay(disputesOf(bed), bed.dispute, defending)
    const paths = bed.double.requests.map(({ path }) => path)
    expect(operations.filter(({ path }) => !paths.some((sent) => path.test(sent)))).toEqual([])
    await bed.close()
  })
})

/** A sale whose card holder passes the bank's page. */
async function authenticate(bed: AdyenBed): Promise<void> {
  const [attemptId, amount] = [nextId(), cents('5.00')]
  const needed = await ask(bed, amount, attemptId, {
    card: { name: 'BANK challenge' },
    authentication: BY_BROWSER,
  })
  if (needed.kind !== 'authentication_needed') throw new Error(needed.kind)
  const told = { kind: 'returned', fields: bed.double.ledger.bank.visit(attemptId, 'passes') } as const
  const answer = await bed.gateway.authentication?.finish({
    ...toAuthentication(attemptId, amount, needed),
    told,
  })
  expect(answer).toMatchObject({ kind: 'approved' })
}
