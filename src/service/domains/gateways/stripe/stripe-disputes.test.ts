import type Stripe from 'stripe'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../../platform/outbound/no-answer.ts'
import type { EvidenceFile } from '../gateway.ts'
import { disputesOf, refusalIn, testDisputeContract, twoFiles } from '../testing/dispute-contract.ts'
import type { DisputeBed } from '../testing/dispute-contract.ts'
import { createStripeGateway } from './stripe-gateway.ts'
import { toToldDispute, ToldStripeDispute } from './stripe-disputes.ts'
import { openStripeBed } from './testing/stripe-bed.ts'
import { disputeLike } from './testing/stripe-shapes.ts'

async function openDisputeBed(): Promise<DisputeBed> {
  const bed = await openStripeBed()
  const gone = await openStripeBed()
  await gone.close()
  const { disputes, breakNext } = bed.double
  return {
    disputes: disputesOf(bed),
    open: bed.dispute,
    defence: 'evidence',
    documents: twoFiles('shipping_documentation', 'customer_communication'),
    statement: 'It was delivered on Monday.',
    keepsFiles: true,
    standing: (id) => {
      const { status, answers, documents } = disputes.of(id)
      const answered = status === 'under_review' ? 'defended' : status === 'lost' ? 'accepted' : 'not'
      return Promise.resolve({ answered, times: answers, files: [...documents.values()] })
    },
    end: (id) => disputes.rule(id, 'won'),
    breakNext,
    nobody: disputesOf(gone),
    close: bed.close,
  }
}

testDisputeContract('Stripe', openDisputeBed)

type Change = Record<string, unknown>
const toldOf = (change: Change = {}, type = 'charge.dispute.updated') =>
  toToldDispute(type, v.parse(ToldStripeDispute, disputeLike(change)))
const booked = (...amounts: number[]) => ({ balance_transactions: amounts.map((amount) => ({ amount })) })
const card = (change: Change) => ({
  payment_method_details: {
    type: 'card',
    card: { brand: 'visa', network: 'visa', case_type: 'chargeback', network_reason_code: '10.4', ...change },
  },
})

describe('what Stripe tells of a dispute', () => {
  it.each<[Stripe.Dispute.Status, string, string]>([
    ['warning_needs_response', 'inquiry', 'needs_response'],
    ['warning_under_review', 'inquiry', 'under_review'],
    ['warning_closed', 'inquiry', 'won'],
    ['needs_response', 'chargeback', 'needs_response'],
    ['under_review', 'chargeback', 'under_review'],
    ['won', 'chargeback', 'won'],
    ['lost', 'chargeback', 'lost'],
    ['prevented', 'chargeback', 'accepted'],
    ['appeal_needs_response', 'second_chargeback', 'needs_response'],
    ['appeal_under_review', 'second_chargeback', 'under_review'],
  ])('is by its status: %s', (status, stage, own) => {
    expect(toldOf({ status })).toMatchObject({ kind: 'dispute', stage, status: own })
  })

  it('is not understood if its status is a new one', () => {
    expect(toldOf({ status: 'constructor' })).toBeNull()
  })

  it('is as the fixture has it', () => {
    expect(toldOf()).toEqual({
      kind: 'dispute',
      disputeId: 'dp_1Pgc71B7WZ01zgkWMevJiAUx',
      stage: 'inquiry',
      status: 'needs_response',
      funds: null,
      reason: { category: 'fraud', code: '10.4', description: 'Fraud without the card, such as online' },
      respondBy: new Date(1_723_679_999_000),
      isDefensible: true,
      description: 'The issuer asks about the payment',
    })
  })

  it('of an appeal counts as the second chargeback, its end too', () => {
    const evidence = { appeal: { card: {} } }
    expect(toldOf({ status: 'won', evidence })).toMatchObject({ stage: 'second_chargeback', status: 'won' })
    expect(toldOf({ status: 'lost', evidence: { appeal: null } })).toMatchObject({ stage: 'chargeback' })
  })

  it('of one that was blocked before it began costs nothing', () => {
    expect(toldOf({ status: 'prevented', ...card({ case_type: 'block' }) })?.status).toBe('won')
  })

  it.each<[string, Change, string | null]>([
    ['charge.dispute.created', {}, null],
    ['charge.dispute.created', booked(-1000), 'withdrawn'],
    ['charge.dispute.funds_withdrawn', {}, 'withdrawn'],
    ['charge.dispute.closed', booked(-1000, 1000), 'returned'],
    ['charge.dispute.closed', booked(-1000), 'withdrawn'],
    ['charge.dispute.funds_reinstated', booked(-1000), 'returned'],
  ])('says where the money is: %s with %j', (type, change, funds) => {
    expect(toldOf({ status: 'lost', ...change }, type)?.funds).toBe(funds)
  })

  it.each([
    [null, null, null],
    [0, null, false],
    [1_764_000_000, new Date(1_764_000_000_000), true],
  ])('says until when it can be answered: %s', (due_by, respondBy, isDefensible) => {
    const evidence_details = { due_by, submission_count: 0 }
    expect(toldOf({ evidence_details })).toMatchObject({ respondBy, isDefensible })
  })

  it.each<[Change, object]>([
    [
      card({ network: 'mastercard', network_reason_code: '4855' }),
      { category: 'not_received', code: '4855' },
    ],
    [card({ network: null, brand: 'amex', network_reason_code: 'P08' }), { category: 'duplicate' }],
    [
      { ...card({ network_reason_code: null }), reason: 'subscription_canceled' },
      { category: 'cancelled', code: null, description: 'A recurring payment was cancelled' },
    ],
    [
      { ...card({ network_reason_code: '99.9' }), reason: 'unrecognized' },
      { category: 'fraud', code: '99.9', description: 'The card holder does not recognise it' },
    ],
    [
      { payment_method_details: undefined, reason: 'brand_new' },
      { category: 'other', code: null, description: 'brand new' },
    ],
  ])('has a reason by the scheme’s code, or else by Stripe’s: %j', (change, reason) => {
    expect(toldOf(change)?.reason).toMatchObject(reason)
  })
})

const request = () => ({ answerId: 'a'.repeat(24), signal: AbortSignal.timeout(3000) })
const files = twoFiles('receipt', 'uncategorized_file')

describe('an answer to a dispute at Stripe', () => {
  it('uploads its files to Stripe’s own server for them', async () => {
    const urls: string[] = []
    const { disputes } = createStripeGateway({
      account: { api_key: 'sk_test_right', merchant_account: 'acct_1', base_url: 'https://api.stripe.com' },
      send: ({ url }) => {
        urls.push(url)
        return Promise.reject(new NoAnswer('ECONNREFUSED', false))
      },
      onFault: () => undefined,
      settleMs: 1000,
    })
    const order = { ...request(), disputeId: 'dp_1', defence: 'evidence', statement: null }
    await disputes?.defend({ ...order, documents: files })
    await disputes?.defend({ ...order, documents: [] })
    expect(urls).toEqual(['https://files.stripe.com/v1/files', 'https://api.stripe.com/v1/disputes/dp_1'])
  })

  it('names its files and its words as Stripe has them, and its id', async () => {
    const bed = await openStripeBed()
    const disputeId = await bed.dispute()
    const order = { ...request(), disputeId, defence: 'evidence', documents: files }
    expect(await disputesOf(bed).defend({ ...order, statement: 'It arrived.' })).toEqual({ kind: 'taken' })
    const [first, second, last] = bed.double.requests.slice(-3)
    expect([first, second].map((one) => [one?.key, one?.params])).toMatchObject([
      [`${'a'.repeat(24)}-receipt`, { purpose: 'dispute_evidence', file: { name: 'delivery _note_.pdf' } }],
      [`${'a'.repeat(24)}-uncategorized_file`, { file: { name: 'letter.jpg', type: 'image/jpeg' } }],
    ])
    expect(last).toMatchObject({
      key: '',
      params: {
        evidence: { uncategorized_text: 'It arrived.' },
        submit: 'true',
        metadata: { answer_id: 'a'.repeat(24) },
      },
    })
    await bed.close()
  })

  it('of somebody else, in Stripe’s Dashboard, is not taken for ours', async () => {
    const bed = await openStripeBed()
    const disputeId = await bed.dispute()
    bed.double.disputes.apply('POST', `/v1/disputes/${disputeId}`, {
      evidence: { uncategorized_text: 'By hand' },
    })
    const order = { ...request(), disputeId, defence: 'evidence', documents: files, statement: null }
    expect(await disputesOf(bed).defend(order)).toEqual({
      kind: 'refused',
      message: 'This dispute is closed, or its evidence was submitted already.',
    })
    expect(bed.faults).toEqual([])
    await bed.close()
  })

  it('says what the key may not do, to the merchant and the operator', async () => {
    const bed = await openStripeBed({ mayAnswerDisputes: false })
    const disputeId = await bed.dispute()
    const refused = await disputesOf(bed).accept({ ...request(), disputeId })
    expect(refusalIn(refused)).toContain('"write" for Disputes and for Files')
    expect(String(bed.faults[0])).toContain('what that key may do')
    await bed.close()
  })

  it('sends no file of a type that Stripe has not, and names those that it has', async () => {
    const bed = await openStripeBed()
    const disputeId = await bed.dispute()
    const sent = bed.double.requests.length
    const order = { ...request(), disputeId, defence: 'evidence', statement: null }
    const poem: EvidenceFile = {
      type: 'poem',
      name: 'p.pdf',
      contentType: 'application/pdf',
      content: Buffer.of(1),
    }
    const refused = await disputesOf(bed).defend({ ...order, documents: [...files, poem] })
    expect(refusalIn(refused)).toMatch(/no document "poem".*as one of: receipt, /)
    expect(bed.double.requests).toHaveLength(sent)
    await bed.close()
  })

  it('is one defence, whose files depend on the reason', async () => {
    const bed = await openStripeBed()
    const reason = { category: 'not_received', code: null, description: '' } as const
    const answer = await disputesOf(bed).defencesOf({ ...request(), disputeId: 'dp_1', reason })
    if (answer.kind !== 'known') throw new Error(answer.kind)
    expect(answer.defences).toHaveLength(1)
    const { code, documents = [] } = answer.defences[0] ?? {}
    const needed = documents
      .filter(({ requirement }) => requirement === 'one_or_more')
      .map(({ type }) => type)
    expect(code).toBe('evidence')
    expect(needed).toEqual([
      ...['customer_communication', 'shipping_documentation', 'service_documentation'],
      'uncategorized_file',
    ])
    expect(documents).toHaveLength(9)
    await bed.close()
  })
})

const fault = (status: number, error: object) => ({
  status,
  body: JSON.stringify({ error: { type: 'invalid_request_error', ...error } }),
})
const page = (status: number) => ({ status, body: '<html></html>', type: 'text/html' })
const disputeAnswer = (change: Change) => ({
  status: 200,
  body: JSON.stringify(disputeLike({ id: 'dp_1', ...change })),
})

describe('what Stripe answers to an answer', () => {
  const answered = ({
    status,
    body,
    type = 'application/json',
  }: {
    status: number
    body: string
    type?: string
  }) => {
    const faults: Error[] = []
    const { disputes } = createStripeGateway({
      account: { api_key: 'sk_test_right', merchant_account: 'acct_1', base_url: 'https://api.stripe.com' },
      send: () => Promise.resolve({ status, body, headers: { 'content-type': type } }),
      onFault: (error) => faults.push(error),
      settleMs: 1000,
    })
    if (disputes === undefined) throw new Error('it has none')
    return { disputes, faults }
  }
  const order = () => ({ ...request(), disputeId: 'dp_1' })

  it.each([
    ['that it is lost', disputeAnswer({ status: 'lost' }), 'taken'],
    ['that it is open still', disputeAnswer({ status: 'needs_response' }), 'unknown'],
    ['another dispute', disputeAnswer({ id: 'dp_2', status: 'lost' }), 'unknown'],
    ['nothing', { status: 200, body: '{}' }, 'unknown'],
    ['200 with a page', page(200), 'unknown'],
    ['400', fault(400, { message: 'This dispute is already closed.' }), 'This dispute is already closed.'],
    ['400 without words', fault(400, {}), "See the dispute in Stripe's Dashboard"],
    ['401', fault(401, { message: 'Invalid API Key' }), '"write" for Disputes'],
    ['403', fault(403, { message: 'No permission' }), '"write" for Disputes'],
    ['404', fault(404, { code: 'resource_missing', message: 'No such dispute' }), 'No such dispute'],
    ['409', fault(409, { message: 'Lock timeout' }), 'unknown'],
    ['429', fault(429, { message: 'Rate limit' }), 'unreachable'],
    ['500', fault(500, { type: 'api_error', message: 'Unknown' }), 'unknown'],
    ['502 with a page', page(502), 'unknown'],
  ])('%s', async (_, given, words) => {
    expect(refusalIn(await answered(given).disputes.accept(order()))).toContain(words)
  })

  it('complains to the operator of the key alone, not of what a dispute takes no more', async () => {
    const late = answered(fault(400, { message: 'This dispute is already closed.' }))
    await late.disputes.accept(order())
    expect(late.faults).toEqual([])
    const closed = answered(fault(403, { message: 'No permission' }))
    await closed.disputes.accept(order())
    expect(closed.faults).toHaveLength(1)
  })

  it('is no file of ours if it has another size: no evidence of others is sent', async () => {
    const other = { id: 'file_1', object: 'file', purpose: 'dispute_evidence', size: 1 }
    const { disputes } = answered({ status: 200, body: JSON.stringify(other) })
    const defending = { ...order(), defence: 'evidence', documents: files, statement: null }
    expect(await disputes.defend(defending)).toEqual({ kind: 'unknown' })
  })
})
