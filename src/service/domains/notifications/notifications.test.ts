import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createServiceAtAdyen } from '../gateways/testing/service-at-adyen.ts'
import type { ServiceAtAdyen } from '../gateways/testing/service-at-adyen.ts'
import type { ToldItem } from '../gateways/adyen/testing/double-ledger.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { findChargesToAttend } from '../charges/needs-attention.ts'
import { findToSee, listNotifications, replayNotification } from './notification-store.ts'
import type { NotificationState } from './notification.ts'

let adyen: ServiceAtAdyen
beforeAll(async () => {
  adyen = await createServiceAtAdyen()
})
afterAll(() => adyen.close())
afterEach(() => void adyen.double.ledger.told.splice(0))

const rowsKept = testStatement<{ state: NotificationState; name: string; why: string | null; sent: object }>(
  't_notifications',
  'SELECT state, name, why, sent FROM gateway_notifications ORDER BY received_at DESC, id DESC',
)
const letHourPass = testStatement(
  't_hour_of_notifications',
  `UPDATE gateway_notifications SET received_at = received_at - interval '1 hour', try_after = now() - interval '1 second'
   WHERE state = 'waiting'`,
)
const makeDue = testStatement(
  't_due_notifications',
  `UPDATE gateway_notifications SET try_after = now() - interval '1 second' WHERE state = 'waiting'`,
)
const eventsOf = testStatement<{ type: string; actor: string; facts: object }>(
  't_events_of_charge',
  'SELECT type, actor, facts FROM event_outbox WHERE subject = $1 ORDER BY created_at, id',
)

const kept = () => adyen.service.database.run(rowsKept, [])
const workOff = async () => {
  await adyen.service.database.run(makeDue, [])
  await adyen.service.runJob('hear gateways')
}
const afterAnHour = async () => {
  await adyen.service.database.run(letHourPass, [])
  await adyen.service.runJob('hear gateways')
}
const statusOf = async (id: string) => (await adyen.calls.read(id)).status
const needs = () => findChargesToAttend(adyen.service.database, adyen.service.merchant.merchant.id)

/** A hold that was captured; its sale's id, which is the payment's reference at Adyen. */
async function captured(amount = '100.00') {
  const { _id, transactions } = await adyen.hold()
  await adyen.calls.capture(_id, { amount })
  await adyen.tell()
  return { id: _id, reference: transactions[0]?._id ?? '' }
}

describe('a captured charge whose capture fails later', () => {
  it('is pending again, with its reversal, and the capture is shown as failed', async () => {
    const { id, reference } = await captured('60.00')
    expect(await statusOf(id)).toBe('complete')
    adyen.double.ledger.failLater(reference, 'captures')
    await adyen.tell()
    const charge = await adyen.calls.read(id)
    expect(charge).toMatchObject({ status: 'pending', capture: false, __v: 2 })
    const [sale, capture, reversal] = charge.transactions
    expect(sale).toMatchObject({ type: 'sale', status: 'pending' })
    expect(capture).toMatchObject({ type: 'capture', status: 'failed', error_code: 'transaction_declined' })
    expect(reversal).toMatchObject({ type: 'reversal', status: 'complete', amount: 60, origin: 'gateway' })
    expect(reversal?.reverses).toBe(capture?._id)
  })

  it('has one event that says so, by the gateway, and needs attention until it is captured again', async () => {
    const { id, reference } = await captured()
    adyen.double.ledger.failLater(reference, 'captures')
    await adyen.tell()
    expect((await adyen.service.database.run(eventsOf, [id])).at(-1)).toEqual({
      type: 'charge.capture_failed',
      actor: 'gateway',
      facts: {
        attempt: 'reversal',
        outcome: 'approved',
        amount: 10_000,
        currency: 'AUD',
        status: 'pending',
        reverses: 'capture',
      },
    })
    const found = (await needs()).find(({ kind }) => kind === 'failed_later')
    expect(found?.items).toContainEqual(expect.objectContaining({ id, words: 'capture', cents: 10_000 }))
    await adyen.calls.capture(id, { amount: '100.00' })
    await adyen.tell()
    expect(await statusOf(id)).toBe('complete')
    const left = (await needs()).flatMap(({ items }) => items).map((item) => item.id)
    expect(left).not.toContain(id)
    expect(adyen.double.ledger.booksOf(reference)).toEqual([{ held: 0, taken: 10_000, refunded: 0 }])
  })

  it('is cancelled if the hold was over at Adyen before that, however long ago Adyen said so', async () => {
    const { _id: id, transactions } = await adyen.hold()
    await adyen.tell()
    adyen.double.ledger.expire(transactions[0]?._id ?? '')
    expect((await adyen.calls.capture(id, { amount: '60.00' })).status).toBe(201)
    const [expired, ...refused] = adyen.double.ledger.told.splice(0)
    await adyen.tell(expired === undefined ? [] : [expired])
    await afterAnHour()
    expect(await statusOf(id)).toBe('complete')
    expect(await kept()).toContainEqual(expect.objectContaining({ name: 'EXPIRE', state: 'done' }))
    await adyen.tell(refused)
    expect(await statusOf(id)).toBe('cancelled')
  })

  it('that was taken at once has failed', async () => {
    const { _id, transactions } = await adyen.sell()
    adyen.double.ledger.failLater(transactions[0]?._id ?? '', 'captures')
    await adyen.tell()
    const charge = await adyen.calls.read(_id)
    expect(charge.status).toBe('failed')
    expect(charge.transactions.map(({ type, status }) => [type, status])).toEqual([
      ['sale', 'failed'],
      ['reversal', 'complete'],
    ])
  })
})

describe('what Adyen only received', () => {
  it('and does not refund is complete again', async () => {
    const { id, reference } = await captured()
    await adyen.calls.refund(id, { amount: '100.00' })
    expect(await statusOf(id)).toBe('refunded')
    adyen.double.ledger.failLater(reference, 'refunds')
    await adyen.tell()
    expect(await adyen.calls.read(id)).toMatchObject({
      status: 'complete',
      statistics: { total_refunded_amount: 0, full_refund: false },
    })
    expect((await adyen.calls.refund(id, { amount: '100.00' })).status).toBe(201)
  })

  it('and does not cancel is pending again', async () => {
    const { _id } = await adyen.hold()
    adyen.double.ledger.refuseNext()
    await adyen.calls.cancel(_id)
    expect(await statusOf(_id)).toBe('cancelled')
    await adyen.tell()
    expect(await statusOf(_id)).toBe('pending')
    expect((await adyen.calls.cancel(_id)).status).toBe(200)
  })

  it('and releases, as its time is over there, is cancelled as expired', async () => {
    const { _id, transactions } = await adyen.hold()
    adyen.double.ledger.expire(transactions[0]?._id ?? '')
    await adyen.tell()
    const charge = await adyen.calls.read(_id)
    expect(charge.status).toBe('cancelled')
    expect(charge.transactions.at(-1)).toMatchObject({ type: 'cancel', origin: 'gateway' })
    const capture = await adyen.calls.capture(_id, { amount: '1.00' })
    expect(capture.body.error?.code).toBe('authorisation_expired')
  })
})

describe('what is done by hand at Adyen', () => {
  it.each([
    [['captures'], 'complete', [['capture', 100]]],
    [['cancels'], 'cancelled', [['cancel', 100]]],
    [
      ['captures', 'refunds'],
      'refunded',
      [
        ['capture', 100],
        ['refund', 100],
      ],
    ],
  ] as const)('%j leaves the charge %s, with its transactions', async (hands, status, transactions) => {
    const { _id, external_id } = await adyen.hold()
    for (const hand of hands) {
      const amount = { currency: 'AUD', value: 10_000 }
      const body = { merchantAccount: 'Acme', reference: 'by hand' }
      adyen.double.ledger.apply(
        `/payments/${external_id ?? ''}/${hand}`,
        hand === 'cancels' ? body : { ...body, amount },
      )
    }
    await adyen.tell()
    const charge = await adyen.calls.read(_id)
    expect(charge.status).toBe(status)
    const told = charge.transactions.filter(({ origin }) => origin === 'gateway')
    expect(told.map(({ type, amount }) => [type, amount])).toEqual(transactions)
  })
})

describe('news in any order', () => {
  it('twice, in one notification and in two, changes a charge once', async () => {
    const { id, reference } = await captured()
    adyen.double.ledger.failLater(reference, 'captures')
    const items = adyen.double.ledger.told.splice(0)
    await adyen.notify([...items, ...items])
    await adyen.tell(items)
    expect((await adyen.calls.read(id)).transactions.map(({ type }) => type)).toEqual([
      'sale',
      'capture',
      'reversal',
    ])
  })

  it('backwards waits until it fits', async () => {
    const { _id, external_id: payment } = await adyen.hold()
    adyen.double.ledger.told.splice(0)
    for (const what of ['captures', 'refunds'])
      adyen.double.ledger.apply(`/payments/${payment ?? ''}/${what}`, {
        merchantAccount: 'Acme',
        reference: 'by hand',
        amount: { currency: 'AUD', value: 10_000 },
      })
    const [capture, refund] = adyen.double.ledger.told.splice(0)
    await adyen.tell(refund === undefined ? [] : [refund])
    expect(await statusOf(_id)).toBe('pending')
    await adyen.tell(capture === undefined ? [] : [capture])
    await workOff()
    expect(await statusOf(_id)).toBe('refunded')
  })

  it('of a dispute is heard before the capture that it disputes is known', async () => {
    const { _id, transactions } = await adyen.hold()
    adyen.double.disputes.open(transactions[0]?._id ?? '')
    await adyen.tell()
    await workOff()
    expect(await adyen.calls.read(_id)).toMatchObject({
      status: 'pending',
      statistics: { total_disputed_amount: 100, total_charged_back_amount: 100 },
    })
    expect(await listNotifications(adyen.service.database, 'waiting')).toEqual([])
  })

  it('of a sale that got no answer gives it its outcome', async () => {
    adyen.double.breakNext('silence after applying')
    const charge = await adyen.hold().catch(() => null)
    const [item] = adyen.double.ledger.told
    expect(charge?.status ?? 'processing').toBe('processing')
    await adyen.tell()
    const found = await adyen.service.database.run(findByAttempt, [item?.merchantReference ?? ''])
    expect(await statusOf(found[0]?.charge_id ?? '')).toBe('pending')
  })
})

const findByAttempt = testStatement<{ charge_id: string }>(
  't_charge_of_attempt',
  'SELECT charge_id FROM attempts WHERE id = $1',
)

describe('news that does not fit', () => {
  const unknownPayment = (overrides: Partial<ToldItem> = {}): ToldItem => ({
    eventCode: 'CAPTURE',
    eventDate: '2026-11-27T10:00:00+01:00',
    merchantAccountCode: 'Acme',
    merchantReference: 'order of another system',
    originalReference: 'NOBODYSPAYMENT',
    pspReference: `MOVEMENT${String(Math.random())}`,
    paymentMethod: 'visa',
    amount: { currency: 'AUD', value: 1000 },
    reason: '',
    success: 'true',
    ...overrides,
  })

  it('of an unknown payment waits for an hour, and is then for the operator alone', async () => {
    const ofNobody = async () =>
      (await kept()).find(({ sent }) => JSON.stringify(sent).includes('NOBODYSPAYMENT'))
    await adyen.tell([unknownPayment()])
    expect(await ofNobody()).toMatchObject({ state: 'waiting' })
    await afterAnHour()
    const given = await ofNobody()
    expect(given?.state).toBe('unexplained')
    expect(given?.why).toContain('No charge')
    expect(await findToSee(adyen.service.database, adyen.service.merchant.merchant.id, 10)).toEqual([])
  })

  it('of a second capture changes nothing, and is seen on the dashboard after an hour', async () => {
    const { id, reference } = await captured()
    const { external_id: payment } = await adyen.calls.read(id)
    await adyen.tell([unknownPayment({ originalReference: payment ?? '' })])
    await afterAnHour()
    expect(await statusOf(id)).toBe('complete')
    const seen = await findToSee(adyen.service.database, adyen.service.merchant.merchant.id, 10)
    expect(seen.map(({ charge_id }) => charge_id)).toContain(id)
    expect(adyen.double.ledger.booksOf(reference)).toEqual([{ held: 0, taken: 10_000, refunded: 0 }])
  })

  it('of fraud that the issuer reports changes nothing, opens no dispute, and is seen on the dashboard at once', async () => {
    const { id } = await captured()
    const { external_id: payment } = await adyen.calls.read(id)
    const fraud = { eventCode: 'NOTIFICATION_OF_FRAUD', originalReference: payment ?? '' }
    await adyen.tell([unknownPayment(fraud)])
    const charge = await adyen.calls.read(id)
    expect(charge).toMatchObject({ status: 'complete', statistics: { total_disputed_amount: 0 } })
    const seen = await findToSee(adyen.service.database, adyen.service.merchant.merchant.id, 10)
    expect(seen.map(({ charge_id }) => charge_id)).toContain(id)
    const row = (await kept()).find(({ sent }) => JSON.stringify(sent).includes('NOTIFICATION_OF_FRAUD'))
    expect(row?.why).toContain('reports this payment as fraud')
  })

  it('that can not be understood is kept, seen, and keeps no other from being heard', async () => {
    const { id, reference } = await captured()
    adyen.double.ledger.failLater(reference, 'captures')
    const [failed] = adyen.double.ledger.told.splice(0)
    await adyen.tell([unknownPayment({ eventCode: 'UNHEARD_OF' }), ...(failed === undefined ? [] : [failed])])
    expect(await statusOf(id)).toBe('pending')
    const unclear = await listNotifications(adyen.service.database, 'not_understood')
    expect(unclear.map(({ name }) => name)).toContain('UNHEARD_OF')
    const metrics = await adyen.service.raw({ url: '/metrics' })
    expect(metrics.body).toMatch(/svc_gateway_notifications\{gateway="adyen",state="not_understood"\} [1-9]/)
  })

  it('of which words were cut off in the middle of a character is kept', async () => {
    const broken = unknownPayment({ pspReference: 'CUTOFF', reason: 'Signed by 👍'.slice(0, -1) + '\0' })
    expect((await adyen.notify([broken])).statusCode).toBe(200)
    const sent = (await kept()).map((one) => JSON.stringify(one.sent)).find((one) => one.includes('CUTOFF'))
    expect(sent).toContain('Signed by \ufffd\ufffd')
  })

  it.each(['constructor', 'toString'])('of an event %s is not understood', async (eventCode) => {
    await adyen.tell([unknownPayment({ eventCode })])
    const unclear = await listNotifications(adyen.service.database, 'not_understood')
    expect(unclear.map(({ name }) => name)).toContain(eventCode)
  })

  it('is worked off again when an operator replays it', async () => {
    await adyen.tell([unknownPayment({ eventCode: 'UNHEARD_OF_TOO' })])
    const [unclear] = await listNotifications(adyen.service.database, 'not_understood')
    expect(await replayNotification(adyen.service.database, unclear?.id ?? '')).toBe(true)
    expect((await listNotifications(adyen.service.database, 'waiting')).map(({ id }) => id)).toContain(
      unclear?.id,
    )
    await adyen.service.runJob('hear gateways')
    expect(await replayNotification(adyen.service.database, 'nothing')).toBe(false)
  })

  it('is kept without a card number', async () => {
    await adyen.tell([unknownPayment({ reason: 'Card 5555 4444 3333 1111 is blocked' })])
    const text = JSON.stringify(await kept())
    expect(text).toContain('[card number]')
    expect(text).not.toContain('5555')
  })
})

describe('a notification is refused', () => {
  const REFUSED = { status: 401, error: { code: 'unauthorized' } }
  it('in the same words, whoever it is for and whatever is wrong with it', async () => {
    const unknown = '0123456789abcdef01234567'
    await captured()
    const before = (await kept()).length
    const answers = await Promise.all([
      adyen.notify(undefined, { body: (body) => body.replace('"true"', '"false"') }),
      adyen.notify([], {}),
      adyen.notify(undefined, { headers: { authorization: 'Basic d3Jvbmc6d3Jvbmc=' } }),
      adyen.notify(undefined, { gatewayId: unknown }),
      adyen.notify(undefined, { gatewayId: 'no-id' }),
      adyen.notify(undefined, { body: () => 'no JSON' }),
    ])
    const bodies = answers.map(({ body }) => body)
    for (const body of bodies) expect(JSON.parse(body)).toMatchObject(REFUSED)
    expect(new Set(bodies).size).toBe(1)
    expect((await kept()).length).toBe(before)
  })

  it('that is longer than any gateway sends', async () => {
    const { statusCode } = await adyen.notify(undefined, { body: () => 'x'.repeat(300_000) })
    expect(statusCode).toBe(413)
  })

  it('and the log says so without what was sent', async () => {
    await adyen.notify([], { body: () => 'a secret of somebody' })
    expect(adyen.service.logged()).toContain('a notification was refused')
    expect(adyen.service.logged()).not.toContain('a secret of somebody')
  })

  it('and one that is kept is acknowledged in the words that Adyen waits for', async () => {
    await adyen.hold()
    const { statusCode, body } = await adyen.notify()
    expect([statusCode, body]).toEqual([200, '[accepted]'])
  })
})
