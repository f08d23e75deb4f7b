import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../../platform/outbound/no-answer.ts'
import type { EvidenceFile } from '../gateway.ts'
import { disputesOf, refusalIn, testDisputeContract, twoFiles } from '../testing/dispute-contract.ts'
import type { DisputeBed } from '../testing/dispute-contract.ts'
import { adyenDisputes, fraudWarningOf, toToldDispute } from './adyen-disputes.ts'
import { openAdyenBed } from './testing/adyen-bed.ts'

async function openDisputeBed(): Promise<DisputeBed> {
  const bed = await openAdyenBed()
  const gone = await openAdyenBed()
  await gone.close()
  const { double } = bed
  return {
    disputes: disputesOf(bed),
    open: bed.dispute,
    defence: 'GoodsWereAsDescribed',
    documents: twoFiles('GoodsWereAsDescribed', 'TIDorInvoice'),
    statement: null,
    keepsFiles: true,
    standing: (id) => {
      const { state, answers, documents } = double.disputes.of(id)
      const answered = state === 'accepted' || state === 'defended' ? state : 'not'
      return Promise.resolve({ answered, times: answers, files: [...documents.values()] })
    },
    end: (id) => double.disputes.rule(id, 'expired'),
    breakNext: double.breakNext,
    nobody: disputesOf(gone),
    close: bed.close,
  }
}

testDisputeContract('Adyen', openDisputeBed)

const item = (eventCode: string, additionalData: object = {}, change: object = {}) => ({
  eventCode,
  pspReference: 'DISPUTE',
  paymentMethod: 'visa',
  reason: '',
  additionalData,
  ...change,
})

describe('each event of a dispute says its stage, its status and where the money is', () => {
  it.each([
    ['REQUEST_FOR_INFORMATION', 'inquiry', 'needs_response', null],
    ['NOTIFICATION_OF_CHARGEBACK', 'chargeback', 'needs_response', null],
    ['CHARGEBACK', 'chargeback', 'needs_response', 'withdrawn'],
    ['INFORMATION_SUPPLIED', 'chargeback', 'under_review', null],
    ['CHARGEBACK_REVERSED', 'chargeback', 'under_review', 'returned'],
    ['ISSUER_COMMENTS', 'chargeback', null, null],
    ['ISSUER_RESPONSE_TIMEFRAME_EXPIRED', 'chargeback', 'won', 'returned'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'chargeback', 'lost', null],
    ['SECOND_CHARGEBACK', 'second_chargeback', 'lost', 'withdrawn'],
    ['PREARBITRATION_OPEN', 'second_chargeback', 'needs_response', null],
    ['PREARBITRATION_ACCEPTED', 'second_chargeback', 'accepted', 'withdrawn'],
    ['PREARBITRATION_DECLINED', 'second_chargeback', 'under_review', null],
    ['PREARBITRATION_ISSUER_WITHDRAWN', 'second_chargeback', 'won', 'returned'],
    ['PREARBITRATION_WON', 'second_chargeback', 'won', 'returned'],
    ['PREARBITRATION_LOST', 'second_chargeback', 'lost', 'withdrawn'],
    ['SCHEME_ARBITRATION', 'second_chargeback', 'under_review', null],
    ['SCHEME_ARBITRATION_WON', 'second_chargeback', 'won', 'returned'],
    ['SCHEME_ARBITRATION_LOST', 'second_chargeback', 'lost', 'withdrawn'],
  ])('%s', (eventCode, stage, status, funds) => {
    expect(toToldDispute(item(eventCode))).toMatchObject({ disputeId: 'DISPUTE', stage, status, funds })
  })

  it.each([
    ['Unresponded', 'needs_response'],
    ['Undefended', 'needs_response'],
    ['Responded', 'under_review'],
    ['Pending', 'under_review'],
    ['Expired', 'lost'],
    ['Lost', 'lost'],
    ['Accepted', 'accepted'],
    ['Won', 'won'],
    ['Unheard of', 'needs_response'],
    ['constructor', 'needs_response'],
  ])('and its disputeStatus %s counts more', (disputeStatus, status) => {
    expect(toToldDispute(item('CHARGEBACK', { disputeStatus }))?.status).toBe(status)
  })

  it.each<[string, object, string]>([
    ['an answer to what the issuer asked', { rfiReasonCode: '30', disputeStatus: 'Responded' }, 'inquiry'],
    ['the end of what the issuer asked', { rfiReasonCode: '30', disputeStatus: 'Expired' }, 'inquiry'],
    ['an answer to a chargeback', { chargebackReasonCode: '10.4', disputeStatus: 'Pending' }, 'chargeback'],
  ])('of an event that is sent at several stages the codes tell: %s', (_, facts, stage) => {
    expect(toToldDispute(item('INFORMATION_SUPPLIED', facts))?.stage).toBe(stage)
    expect(toToldDispute(item('DISPUTE_DEFENSE_PERIOD_ENDED', facts))?.stage).toBe(stage)
  })

  it('tells until when, and whether, it can be answered', () => {
    const facts = { defensePeriodEndsAt: '2026-12-11T10:00:00+01:00', defendable: 'true' }
    const until = new Date('2026-12-11T09:00:00.000Z')
    expect(toToldDispute(item('CHARGEBACK', facts))).toMatchObject({ respondBy: until, isDefensible: true })
    expect(toToldDispute(item('CHARGEBACK', { defendable: false }))).toMatchObject({
      respondBy: null,
      isDefensible: false,
    })
    expect(toToldDispute(item('CHARGEBACK', { defensePeriodEndsAt: 'soon' }))).toMatchObject({
      respondBy: null,
      isDefensible: null,
    })
  })

  it('is under review at once if Adyen has defended it by itself', () => {
    const told = toToldDispute(item('NOTIFICATION_OF_CHARGEBACK', { autoDefended: 'true' }))
    expect(told?.status).toBe('under_review')
    expect(told?.description).toBe('The card holder disputes the payment; Adyen has defended it by itself')
  })

  it('has what the issuer comments, without a card number, and changes no status by it', () => {
    const facts = {
      'issuerComments.type': 'preArbitration',
      'issuerComments.explanation': 'Never heard of this shop',
      disputeStatus: 'Lost',
    }
    const told = toToldDispute(item('ISSUER_COMMENTS', facts))
    expect(told).toMatchObject({ stage: 'second_chargeback', status: null })
    expect(told?.description).toBe('The issuer comments: Never heard of this shop')
    const leaky = { 'issuerComments.explanation': 'Card 4111 1111 1111 1111 was stolen' }
    expect(toToldDispute(item('ISSUER_COMMENTS', leaky))?.description).not.toContain('4111')
  })

  it('is no dispute if it is of something else', () => {
    for (const code of ['CAPTURE', 'NOTIFICATION_OF_FRAUD', 'toString', 'NEW_EVENT'])
      expect(toToldDispute(item(code))).toBeNull()
  })
})

describe('the reason of a dispute', () => {
  it.each<[object, object, object]>([
    [
      { chargebackReasonCode: '10.4', chargebackSchemeCode: 'visa' },
      {},
      { category: 'fraud', code: '10.4', description: 'Fraud without the card, such as online' },
    ],
    [
      { chargebackReasonCode: ' 4853', chargebackSchemeCode: 'mc' },
      { reason: 'Payment.TxId=300000000524534724 dispute' },
      { category: 'not_as_described', code: '4853' },
    ],
    [{ chargebackReasonCode: 'c08', chargebackSchemeCode: 'amex' }, {}, { category: 'not_received' }],
    [{ rfiReasonCode: '6341', rfiSchemeCode: 'mc' }, {}, { category: 'fraud', code: '6341' }],
    [{ chargebackReasonCode: '513' }, { paymentMethod: 'jcb' }, { category: 'cancelled', code: '513' }],
    [
      { chargebackReasonCode: '99.9', chargebackSchemeCode: 'visa' },
      { reason: 'Something new' },
      { category: 'other', code: '99.9', description: 'Something new' },
    ],
    [
      { chargebackReasonCode: '99.9' },
      {},
      { category: 'other', code: '99.9', description: 'The gateway gives no reason.' },
    ],
    [{}, { reason: 'Fraud' }, { category: 'other', code: null, description: 'Fraud' }],
  ])('of %j and %j', (facts, change, reason) => {
    expect(toToldDispute(item('CHARGEBACK', facts, change))?.reason).toMatchObject(reason)
  })

  it('is left open where Adyen says nothing of it', () => {
    expect(toToldDispute(item('PREARBITRATION_WON', {}))?.reason).toBeNull()
    expect(toToldDispute({ ...item('PREARBITRATION_WON'), additionalData: null })?.reason).toBeNull()
  })

  it('holds no card number', () => {
    const told = toToldDispute(item('CHARGEBACK', {}, { reason: 'Stolen: 4111111111111111' }))
    expect(JSON.stringify(told)).not.toContain('4111')
  })
})

const request = () => ({ answerId: 'a'.repeat(24), signal: AbortSignal.timeout(3000) })

describe('an answer to a dispute at Adyen', () => {
  it('goes to the Disputes API of the same platform as the payments', async () => {
    const urls: string[] = []
    const at = (base_url: string) =>
      adyenDisputes({
        account: { api_key: 'right', merchant_account: 'Acme', base_url },
        sendRequest: ({ url }) => {
          urls.push(url)
          return Promise.reject(new NoAnswer('ECONNREFUSED', false))
        },
        onFault: () => undefined,
      })
    for (const base of [
      'https://checkout-test.adyen.com/v72',
      'https://1797a841fbb37ca7-Acme-checkout-live.adyenpayments.com/checkout/v72',
      'http://127.0.0.1:4000/v72',
    ])
      expect(await at(base).accept({ ...request(), disputeId: 'D' })).toEqual({ kind: 'unreachable' })
    expect(urls).toEqual([
      'https://ca-test.adyen.com/ca/services/DisputeService/v30/acceptDispute',
      'https://ca-live.adyen.com/ca/services/DisputeService/v30/acceptDispute',
      'http://127.0.0.1:4000/ca/services/DisputeService/v30/acceptDispute',
    ])
  })

  it('says which role the API key lacks', async () => {
    const bed = await openAdyenBed({ mayAnswerDisputes: false })
    const disputeId = await bed.dispute()
    const accepted = await disputesOf(bed).accept({ ...request(), disputeId })
    const defences = await disputesOf(bed).defencesOf({ ...request(), disputeId, reason: null })
    for (const answer of [accepted, defences])
      expect(refusalIn(answer)).toContain('role "API dispute management"')
    expect(bed.faults).toHaveLength(2)
    for (const fault of bed.faults) expect(String(fault)).toContain('check its API key, roles')
    await bed.close()
  })

  it('has Adyen’s words where a document is missing, or is of a strange type', async () => {
    const bed = await openAdyenBed()
    const disputeId = await bed.dispute()
    const defend = (
      defence: string,
      documents: readonly EvidenceFile[] = [],
      statement: string | null = null,
    ) => disputesOf(bed).defend({ ...request(), disputeId, defence, documents, statement })
    expect(await defend('GoodsNotReturned')).toEqual({
      kind: 'refused',
      message: 'Required defense documents are missing',
    })
    expect(await defend('GoodsNotReturned', twoFiles('GoodsNotReturned', 'Poem'))).toEqual({
      kind: 'refused',
      message: 'Unknown document type Poem',
    })
    expect(bed.double.disputes.of(disputeId).answers).toBe(0)
    await bed.close()
  })

  it('takes no statement, says so, and sends nothing', async () => {
    const bed = await openAdyenBed()
    const disputeId = await bed.dispute()
    const sent = bed.double.requests.length
    const files = twoFiles('GoodsWereAsDescribed', 'TIDorInvoice')
    const order = { ...request(), disputeId, defence: 'GoodsWereAsDescribed', documents: files }
    const refused = await disputesOf(bed).defend({ ...order, statement: 'We delivered.' })
    expect(refusalIn(refused)).toContain('Put the statement into one of the documents')
    expect(bed.double.requests).toHaveLength(sent)
    expect(await disputesOf(bed).defend({ ...order, statement: ' ' })).toEqual({ kind: 'taken' })
    await bed.close()
  })

  it('is offered in words, with what each defence requires', async () => {
    const bed = await openAdyenBed()
    const disputeId = await bed.dispute()
    const answer = await disputesOf(bed).defencesOf({ ...request(), disputeId, reason: null })
    expect(answer).toMatchObject({
      kind: 'known',
      defences: [
        {
          code: 'GoodsNotReturned',
          description: 'Goods not returned',
          documents: [
            {
              type: 'TIDorInvoice',
              description: 'Receipt or invoice of the payment',
              requirement: 'optional',
            },
            { type: 'GoodsNotReturned', description: 'Goods not returned', requirement: 'required' },
          ],
        },
        { documents: [{ requirement: 'one_or_more' }, { requirement: 'one_or_more' }] },
        {
          documents: [{ requirement: 'optional' }, { requirement: 'required' }, { requirement: 'optional' }],
        },
      ],
    })
    await bed.close()
  })
})

const fault = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ status, errorCode: '000', message, errorType: 'validation' }),
})
const result = (disputeServiceResult: object) => ({
  status: 200,
  body: JSON.stringify({ disputeServiceResult }),
})
const page = (status: number) => ({ status, body: '<html></html>', type: 'text/html' })

describe('what Adyen answers to an answer', () => {
  const answered = ({
    status,
    body,
    type = 'application/json',
  }: {
    status: number
    body: string
    type?: string
  }) =>
    adyenDisputes({
      account: { api_key: 'right', merchant_account: 'Acme', base_url: 'http://127.0.0.1:4000/v72' },
      sendRequest: () => Promise.resolve({ status, body, headers: { 'content-type': type } }),
      onFault: () => undefined,
    })

  it.each([
    ['success', result({ success: true }), 'taken'],
    ['no success', result({ success: false, errorMessage: 'Dispute not found.' }), 'Dispute not found.'],
    ['no success and no words', result({ success: false }), "See the dispute in Adyen's Customer Area"],
    ['that it was accepted before', result({ success: false, errorMessage: 'Already accepted' }), 'taken'],
    ['nothing', { status: 200, body: '{}' }, 'unknown'],
    ['another object', { status: 200, body: '{"resultCode":"Authorised"}' }, 'unknown'],
    ['200 with a page', page(200), 'unknown'],
    ['400', fault(400, 'Required field missing'), 'Required field missing'],
    ['401', fault(401, 'Unauthorized'), 'role "API dispute management"'],
    ['403', fault(403, 'Not allowed'), 'role "API dispute management"'],
    ['403 with a page', page(403), 'unknown'],
    ['404 with a page', page(404), 'unknown'],
    ['422', fault(422, 'Unable to process'), 'Unable to process'],
    ['429', fault(429, 'Too many requests'), 'unknown'],
    ['500', fault(500, 'Internal error'), 'unknown'],
    ['502 with a page', page(502), 'unknown'],
  ])('%s', async (_, given, words) => {
    const { accept, defencesOf } = answered(given)
    const answer = await accept({ ...request(), disputeId: 'D' })
    expect(refusalIn(answer)).toContain(words)
    const { kind } = await defencesOf({ ...request(), disputeId: 'D', reason: null })
    expect(['known', 'refused', 'unreachable']).toContain(kind)
  })

  it.each([
    ['Dispute has already been defended', 'accepted: no', 'defended: yes'],
    ['Dispute has already been accepted', 'accepted: yes', 'defended: no'],
    ['The dispute was accepted already', 'accepted: yes', 'defended: no'],
    ['Already responded', 'accepted: no', 'defended: yes'],
    ['Dispute cannot be accepted: it has already been defended', 'accepted: no', 'defended: yes'],
    ['Dispute cannot be accepted. It was defended already', 'accepted: no', 'defended: yes'],
    ['Already accepted; it can no longer be defended', 'accepted: yes', 'defended: no'],
    ['The defense period is already over', 'accepted: no', 'defended: no'],
  ])('“%s” means %s, %s', async (errorMessage, ...means) => {
    const { accept, defend } = answered(result({ success: false, errorMessage }))
    const order = { ...request(), disputeId: 'D' }
    const files = { defence: 'GoodsNotReturned', statement: null, documents: [] }
    const yes = (kind: string) => (kind === 'taken' ? 'yes' : 'no')
    const accepted = await accept(order)
    const defended = await defend({ ...order, ...files })
    expect([`accepted: ${yes(accepted.kind)}`, `defended: ${yes(defended.kind)}`]).toEqual(means)
  })

  it('is shown without card numbers, and cut where it is long', async () => {
    const errorMessage = `Card 4111 1111 1111 1111 is unknown. ${'Please wait. '.repeat(100)}`
    const answer = await answered(result({ success: false, errorMessage })).accept({
      ...request(),
      disputeId: 'D',
    })
    expect(refusalIn(answer)).not.toContain('4111')
    expect(refusalIn(answer).length).toBeLessThan(510)
  })
})

describe('that an issuer reports fraud', () => {
  it('is a warning in words, and opens no dispute', () => {
    const says = fraudWarningOf(
      item('NOTIFICATION_OF_FRAUD', {}, { reason: 'Fraudulent Use of Account Number' }),
    )
    expect(says).toMatchObject({ kind: 'warning' })
    expect(says.kind === 'warning' && says.why).toContain('reports this payment as fraud ("Fraudulent Use')
  })
})
