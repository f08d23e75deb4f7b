import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

let service: TestService
let calls: ChargeCalls
const sell = async (amount: string) =>
  calls.sell({ amount, currency: 'AUD', token: await service.tokenise() })
const endHold = testStatement(
  't_end_hold',
  "UPDATE charges SET hold_expires_at = now() - interval '1 second', updated_at = created_at - interval '1 minute' WHERE id = $1",
)

beforeEach(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterEach(() => service.close())

describe('a sale that got no answer', () => {
  it('is pending once the gateway says that it was applied', async () => {
    const answer = await sell('9000.68')
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
      body: { error: { code: 'outcome_unknown' } },
    })
    const { _id } = chargeOf(answer)
    expect((await calls.read(_id)).status).toBe('processing')
    await service.runJob('resolve attempts')
    expect(await calls.read(_id)).toMatchObject({
      status: 'pending',
      transactions: [{ status: 'pending', gateway_specific_code: '00' }],
    })
    expect((await calls.capture(_id, { amount: '1' })).status).toBe(201)
  })

  it('is failed once the gateway says that it never came', async () => {
    const { _id } = chargeOf(await sell('9000.69'))
    await service.runJob('resolve attempts')
    expect(await calls.read(_id)).toMatchObject({
      status: 'failed',
      transactions: [
        {
          status: 'failed',
          error_code: 'gateway_unavailable',
          error_message:
            'The gateway never received this, and nothing was moved. Its token is used up: make a new charge, with a new token and a new Idempotency-Key.',
        },
      ],
    })
  })

  it('keeps nothing of the card', async () => {
    await sell('9000.68')
    const kept = testStatement(
      't_left',
      'SELECT token_hash FROM payment_source_tokens WHERE card_ccv IS NOT NULL',
    )
    expect(await service.database.run(kept, [])).toEqual([])
  })
})

describe('a capture that got no answer', () => {
  it('blocks others until the gateway has said what it did', async () => {
    const { _id } = await service.authorise({ amount: '9500.00' })
    expect((await calls.capture(_id, { amount: '9000.68' })).body.error?.code).toBe('outcome_unknown')
    for (const again of [calls.capture, calls.cancel]) {
      expect(await again(_id)).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
    }
    await service.runJob('resolve attempts')
    expect(await calls.read(_id)).toMatchObject({
      status: 'complete',
      transactions: [{}, { type: 'capture', status: 'complete', amount: 9000.68 }],
    })
  })

  it('leaves the hold to be captured again if it never came', async () => {
    const { _id } = await service.authorise({ amount: '9500.00' })
    await calls.capture(_id, { amount: '9000.69' })
    await service.runJob('resolve attempts')
    expect(await calls.read(_id)).toMatchObject({ status: 'pending', __v: 0 })
    expect((await calls.capture(_id)).status).toBe(201)
  })
})

describe('a gateway that throws', () => {
  it('may have done it: the outcome is unknown, and asked for', async () => {
    const broken = () => Promise.reject(new Error('connection reset'))
    await service.close()
    service = await createTestService({
      gateways: {
        sandbox: {
          authorise: broken,
          capture: broken,
          cancel: broken,
          refund: broken,
          outcomeOf: () => Promise.resolve({ kind: 'not_received' }),
        },
      },
    })
    calls = chargeCalls(service)
    const answer = await sell('10.00')
    expect(answer.body.error?.code).toBe('outcome_unknown')
    await service.runJob('resolve attempts')
    expect((await calls.read(chargeOf(answer)._id)).status).toBe('failed')
  })
})

describe('a hold whose time is over', () => {
  it('is not captured or cancelled any more', async () => {
    const { _id } = await service.authorise()
    await service.database.run(endHold, [_id])
    for (const late of [calls.capture, calls.cancel]) {
      expect(await late(_id)).toMatchObject({
        status: 422,
        body: { error: { code: 'authorisation_expired' } },
      })
    }
    expect((await calls.read(_id)).status).toBe('pending')
  })

  it('is released by itself, and stays expired', async () => {
    const { _id } = await service.authorise()
    await service.database.run(endHold, [_id])
    await service.runJob('release ended holds')
    expect(await calls.read(_id)).toMatchObject({
      status: 'cancelled',
      transactions: [
        { type: 'sale', status: 'cancelled', status_code: 'authorisation_expired' },
        { type: 'cancel', status: 'complete' },
      ],
    })
    expect((await calls.capture(_id)).body.error?.code).toBe('authorisation_expired')
  })

  it('is released once, however many do so at the same time', async () => {
    const { _id } = await service.authorise()
    await service.database.run(endHold, [_id])
    await Promise.all(Array.from({ length: 8 }, () => service.runJob('release ended holds')))
    expect((await calls.read(_id)).transactions).toHaveLength(2)
  })

  it('is captured or released at its edge, never both', async () => {
    const held = await Promise.all(Array.from({ length: 12 }, () => service.authorise()))
    const ends = held.map(async ({ _id }) => {
      const racing = calls.capture(_id)
      await service.database.run(endHold, [_id])
      await Promise.all([racing, service.runJob('release ended holds')])
    })
    await Promise.all(ends)
    await service.runJob('release ended holds')
    for (const { _id } of held) {
      const { status, transactions } = await calls.read(_id)
      const settled = transactions.filter(({ type, status: done }) => type !== 'sale' && done === 'complete')
      expect(['complete', 'cancelled']).toContain(status)
      expect(settled.map(({ type }) => type)).toEqual([status === 'complete' ? 'capture' : 'cancel'])
    }
  })
})

const triedBefore = testStatement(
  't_tried_before',
  'UPDATE charges SET release_attempts = $2, updated_at = now() - make_interval(secs => $3) WHERE id = $1',
)
const withoutGateway = testStatement(
  't_without_gateway',
  `UPDATE charges SET payment_source = (payment_source::jsonb || '{"gateway_type":"gone"}')::json WHERE id = $1`,
)
const minuteLater = testStatement(
  't_minute_later',
  "UPDATE charges SET release_from = release_from - interval '1 minute' WHERE id = $1",
)
const releases = testStatement<{ count: number }>(
  't_releases',
  "SELECT count(*)::integer AS count FROM attempts WHERE charge_id = $1 AND reason = 'authorisation_expired'",
)
const timesTried = async (id: string) => (await service.database.run(releases, [id]))[0]?.count ?? 0

describe('an ended hold that could not be released', () => {
  it.each([
    ['never, a moment ago', 0, 0, 'cancelled'],
    ['once, 59 s ago', 1, 59, 'pending'],
    ['once, 61 s ago', 1, 61, 'cancelled'],
    ['three times, 239 s ago', 3, 239, 'pending'],
    ['three times, 241 s ago', 3, 241, 'cancelled'],
    ['12 times, a day ago but for a second', 12, 86_399, 'pending'],
    ['4,000 times, a day ago but for a second', 4000, 86_399, 'pending'],
    ['4,000 times, a day and a second ago', 4000, 86_401, 'cancelled'],
  ])('tried %s', async (_, tried, seconds, status) => {
    const { _id } = await service.authorise()
    await service.database.run(endHold, [_id])
    await service.database.run(triedBefore, [_id, tried, seconds])
    await service.runJob('release ended holds')
    expect((await calls.read(_id)).status).toBe(status)
  })

  it('is tried 11 times in its first day', async () => {
    const { _id } = await service.authorise()
    await service.database.run(withoutGateway, [_id])
    await service.database.run(endHold, [_id])
    const triedAt: number[] = []
    for (let minute = 0; minute < 1440; minute += 1) {
      const before = await timesTried(_id)
      await service.runJob('release ended holds')
      if ((await timesTried(_id)) > before) triedAt.push(minute)
      await service.database.run(minuteLater, [_id])
    }
    expect(triedAt).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023])
  })
})
