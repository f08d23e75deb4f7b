import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { News } from '../gateway.ts'
import { readAdyenNotifications, signatureOf } from './adyen-notifications.ts'
import { SIGNING_KEY, signedNotification } from './testing/signed-notification.ts'
import type { ToldItem } from './testing/double-ledger.ts'

const OTHER_KEY = SIGNING_KEY.replaceAll('4', '5')
const secrets = { signingKeys: [SIGNING_KEY], user: 'svc-1', password: 'right' }
const account = { merchant_account: 'Acme', base_url: 'https://checkout-test.adyen.com/v72' }
const now = new Date('2026-11-27T12:00:00.000Z')

const capture: ToldItem = {
  eventCode: 'CAPTURE',
  eventDate: '2026-11-27T10:00:00+01:00',
  merchantAccountCode: 'Acme',
  merchantReference: 'our-attempt',
  originalReference: 'SALE',
  pspReference: 'MOVEMENT',
  paymentMethod: 'visa',
  amount: { currency: 'AUD', value: 1000 },
  reason: '',
  success: 'true',
}

interface Change {
  items?: readonly ToldItem[]
  signs?: string
  accepts?: readonly string[]
  headers?: Record<string, string>
  body?: (body: string) => string
  at?: { merchant_account: string; base_url: string }
}

function read({ items = [capture], signs, accepts, headers, body, at = account }: Change = {}) {
  const signed = signedNotification(items, {
    ...secrets,
    ...(signs !== undefined && { signingKeys: [signs] }),
  })
  const request = {
    headers: { ...signed.headers, ...headers },
    body: Buffer.from(body?.(signed.body) ?? signed.body),
    now,
  }
  return readAdyenNotifications(at, request, { ...secrets, ...(accepts && { signingKeys: accepts }) })
}

const saysOf = (news: readonly News[] | null) => news?.map(({ says }) => says)

describe('the signature of an item', () => {
  it("is the one of Adyen's documentation", () => {
    // docs.adyen.com, "Verify HMAC signatures": the example of its own libraries' tests.
    const item = {
      pspReference: 'pspReference',
      originalReference: 'originalReference',
      merchantAccountCode: 'merchantAccount',
      merchantReference: 'reference',
      amount: { currency: 'EUR', value: 1000 },
      eventCode: 'EVENT',
      success: 'true',
    }
    const key = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00'
    expect(signatureOf(item, key)).toBe('ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc=')
  })
})

describe('a notification of Adyen is read', () => {
  it('with what it says, its own key and our ids', () => {
    expect(read()).toMatchObject([
      {
        key: 'CAPTURE MOVEMENT true',
        name: 'CAPTURE',
        at: new Date('2026-11-27T09:00:00.000Z'),
        attemptId: 'our-attempt',
        saleId: 'SALE',
        externalId: 'MOVEMENT',
        amount: 1000,
        currency: 'AUD',
        says: { kind: 'movement', type: 'capture', isDone: true, description: 'Carried out' },
      },
    ])
  })

  it('with each of its items, in their order', () => {
    const items = [capture, { ...capture, pspReference: 'SECOND' }]
    expect(read({ items })?.map(({ externalId }) => externalId)).toEqual(['MOVEMENT', 'SECOND'])
  })

  it('of a test configuration as saying nothing: its payment is none', () => {
    const items = [{ ...capture, eventCode: 'AUTHORISATION', pspReference: 'test_AUTHORISATION_1' }]
    expect(read({ items })?.map(({ says }) => says)).toEqual([{ kind: 'nothing' }])
  })

  it('while one signing key is replaced, by the new one and the one before', () => {
    expect(read({ signs: OTHER_KEY, accepts: [SIGNING_KEY, OTHER_KEY] })).toHaveLength(1)
    expect(read({ signs: SIGNING_KEY, accepts: [SIGNING_KEY, OTHER_KEY] })).toHaveLength(1)
  })

  it('without its signature being kept', () => {
    expect(JSON.stringify(read())).not.toContain(signatureOf(capture, SIGNING_KEY))
  })
})

const CRYPTOGRAM = 'AAABAWFlmQAAAABjRWWZEEFgFz8='

describe('an authorisation', () => {
  const sale = { ...capture, eventCode: 'AUTHORISATION', originalReference: '' }
  const refused = (reason: string) => saysOf(read({ items: [{ ...sale, success: 'false', reason }] }))

  it('that was refused for want of authentication says nothing: it is tried once more', () => {
    expect(refused('Authentication required')).toEqual([{ kind: 'nothing' }])
  })

  it.each([
    ['3D Not Authenticated', 'authentication_failed'],
    ['RReq not received from DS', 'authentication_failed'],
    ['Expired Card', 'expired_card'],
    ['Words of tomorrow', 'do_not_honour'],
  ])('that was refused by the words "%s" is for %s', (words, reason) => {
    expect(refused(words)).toMatchObject([{ kind: 'movement', isDone: false, reason }])
  })

  it('says what the card holder’s bank has said, where the account has Adyen add it', () => {
    const additionalData = {
      ...{ threeDSVersion: '2.2.0', threeDAuthenticatedResponse: 'Y', eci: '05', liabilityShift: 'true' },
      ...{ cavv: CRYPTOGRAM, 'threeds2.threeDS2Result.authenticationValue': CRYPTOGRAM },
    }
    const news = read({ items: [{ ...sale, additionalData }] })
    expect(news?.[0]?.sent).toMatchObject({ additionalData: { eci: '05' } })
    expect(JSON.stringify(news)).not.toContain(CRYPTOGRAM)
    expect(saysOf(news)?.[0]).toMatchObject({
      isDone: true,
      authentication: { version: '2.2.0', transStatus: 'Y', eci: '05', flow: null, isLiabilityShifted: true },
    })
    expect(saysOf(read({ items: [sale] }))?.[0]).toMatchObject({ isDone: true, authentication: undefined })
  })
})

describe('a notification is refused', () => {
  const replaced = (from: string, to: string) => (body: string) => body.replace(from, to)
  it.each<[string, Change]>([
    ['that another key signed', { signs: OTHER_KEY }],
    ['while no key is set up', { accepts: [] }],
    ['with another amount than was signed', { body: replaced('"value":1000', '"value":100000') }],
    ['with another event than was signed', { body: replaced('"CAPTURE"', '"REFUND"') }],
    ['with another outcome than was signed', { body: replaced('"success":"true"', '"success":"false"') }],
    ['of another payment than was signed', { body: replaced('"SALE"', '"OTHER"') }],
    ['without a signature', { body: replaced('hmacSignature', 'hmac') }],
    ['with another password', { headers: { authorization: `Basic ${btoa('svc-1:wrong')}` } }],
    ['without a password', { headers: { authorization: '' } }],
    ['in which a name stands twice', { body: replaced('"live":', '"live":"true","live":') }],
    ['that is no JSON', { body: (body) => body.slice(1) }],
    ['that is empty', { body: () => '' }],
    ['that has no item', { items: [] }],
    ['of another kind', { body: () => '{"type":"ach.notificationOfChange","data":{}}' }],
  ])('%s', (_words, change) => {
    expect(read(change)).toBeNull()
  })

  it('of which one item alone is not signed', () => {
    const body = (both: string) => both.replace('"SECOND"', '"FORGED"')
    expect(read({ items: [capture, { ...capture, pspReference: 'SECOND' }], body })).toBeNull()
  })
})

describe('news that is signed, and not understood', () => {
  it.each<[string, ToldItem, Change, string]>([
    [
      'of another account',
      { ...capture, merchantAccountCode: 'Other' },
      {},
      'It is of another merchant account',
    ],
    [
      'of an unknown event',
      { ...capture, eventCode: 'NEW_EVENT' },
      {},
      'does not know Adyen’s event NEW_EVENT',
    ],
    ['without a payment', { ...capture, pspReference: '' }, {}, 'not as its schemas say: pspReference'],
    [
      'of the live platform',
      capture,
      { body: (body) => body.replace('"live":"false"', '"live":"true"') },
      'Adyen’s live platform',
    ],
    [
      'of the test platform',
      capture,
      { at: { ...account, base_url: 'https://x-checkout-live.adyenpayments.com/checkout/v72' } },
      'Adyen’s test platform',
    ],
  ])('is told as such: %s', (_words, item, change, why) => {
    const [says] = saysOf(read({ ...change, items: [item] })) ?? []
    expect(says?.kind === 'unknown' ? says.why.replaceAll("'", '’') : says).toContain(why)
  })
})

const Example = v.looseObject({ eventCode: v.string() })
const examples = v.parse(
  v.array(Example),
  JSON.parse(readFileSync(join(import.meta.dirname, 'testing/webhook-examples.json'), 'utf8')),
)

describe("each example of Adyen's schemas", () => {
  const movement = (type: string, isDone: boolean) => ({ kind: 'movement', type, isDone })
  const dispute = (stage: string, status: string | null, more: object = {}) => ({
    kind: 'dispute',
    stage,
    status,
    ...more,
  })
  const nothing = { kind: 'nothing' }
  const SAYS: Readonly<Record<string, object>> = {
    AUTHORISATION: movement('sale', true),
    AUTHORISATION_ADJUSTMENT: { kind: 'authorisation_changed' },
    CANCELLATION: movement('cancel', true),
    CANCEL_OR_REFUND: movement('cancel', true),
    CAPTURE: movement('capture', true),
    CAPTURE_FAILED: movement('capture', false),
    EXPIRE: { kind: 'hold_ended' },
    REFUND: movement('refund', false),
    REFUNDED_REVERSED: movement('refund', false),
    REFUND_FAILED: movement('refund', false),
    TECHNICAL_CANCEL: movement('cancel', true),
    CHARGEBACK: dispute('chargeback', 'needs_response', {
      disputeId: 'QFQTPCQ8HXSKGK82',
      funds: 'withdrawn',
      reason: { category: 'not_as_described', code: '4853' },
      respondBy: new Date('2021-07-31T01:03:07.000Z'),
      isDefensible: true,
    }),
    CHARGEBACK_REVERSED: dispute('chargeback', 'under_review', { funds: 'returned' }),
    DISPUTE_DEFENSE_PERIOD_ENDED: dispute('chargeback', 'lost', { reason: { category: 'fraud' } }),
    INFORMATION_SUPPLIED: dispute('chargeback', 'under_review', { reason: { category: 'not_as_described' } }),
    ISSUER_COMMENTS: dispute('chargeback', null, { description: 'The issuer comments: some_text' }),
    ISSUER_RESPONSE_TIMEFRAME_EXPIRED: dispute('chargeback', 'won', { reason: { category: 'not_received' } }),
    NOTIFICATION_OF_CHARGEBACK: dispute('chargeback', 'under_review', { funds: null, isDefensible: false }),
    NOTIFICATION_OF_FRAUD: { kind: 'warning' },
    PREARBITRATION_LOST: dispute('second_chargeback', 'lost'),
    PREARBITRATION_WON: dispute('second_chargeback', 'won', { reason: null }),
    REQUEST_FOR_INFORMATION: dispute('inquiry', 'needs_response', { reason: null, respondBy: null }),
    SECOND_CHARGEBACK: dispute('second_chargeback', 'lost', { reason: { category: 'not_as_described' } }),
  }

  it.each(examples)('says what it says: $eventCode', (example) => {
    const additionalData = {
      ...v.parse(v.optional(v.looseObject({}), {}), example['additionalData']),
      hmacSignature: signatureOf(example, SIGNING_KEY),
    }
    const body = JSON.stringify({
      live: 'false',
      notificationItems: [{ NotificationRequestItem: { ...example, additionalData } }],
    })
    const { headers } = signedNotification([], secrets)
    const at = { ...account, merchant_account: String(example['merchantAccountCode']) }
    const news = readAdyenNotifications(at, { headers, body: Buffer.from(body), now }, secrets)
    expect(saysOf(news)).toMatchObject([SAYS[example.eventCode] ?? nothing])
  })
})

describe('news of a dispute', () => {
  const chargeback = { ...capture, eventCode: 'CHARGEBACK', pspReference: 'DISPUTE' }

  it('has the payment that is named, and no other', () => {
    expect(read({ items: [chargeback] })).toMatchObject([{ saleId: 'SALE', attemptId: 'our-attempt' }])
    const second = { ...chargeback, eventCode: 'SECOND_CHARGEBACK', originalReference: '' }
    expect(read({ items: [second] })).toMatchObject([
      { saleId: null, attemptId: 'our-attempt', externalId: 'DISPUTE', says: { disputeId: 'DISPUTE' } },
    ])
  })

  it('has no deadline that no calendar of ours has', () => {
    const until = (defensePeriodEndsAt: string) =>
      read({ items: [{ ...chargeback, additionalData: { defensePeriodEndsAt } }] })
    expect(until('2026-12-01T10:00:00+01:00')).toMatchObject([
      { says: { respondBy: new Date('2026-12-01T09:00:00Z') } },
    ])
    expect(until('-200000-01-01T00:00:00Z')).toMatchObject([{ says: { respondBy: null } }])
  })

  it('is other news when the same event comes of a later day, and the same when it comes twice', () => {
    const later = { ...chargeback, eventDate: '2026-11-28T10:00:00+01:00' }
    const [first, again, next] = read({ items: [chargeback, chargeback, later] }) ?? []
    expect(again?.key).toBe(first?.key)
    expect(next?.key).not.toBe(first?.key)
  })
})
