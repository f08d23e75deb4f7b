import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import type { Database } from '../../platform/database/database.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { Answer, TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { changeAgreement } from './agreement-store.ts'
import type { Agreement } from './agreement.ts'
import { readPayment } from './payments.ts'
import { agreementCalls } from './testing/agreement-calls.ts'
import { cents, madeTerms } from './testing/made-agreement.ts'
import { openPaymentsBed } from './testing/payments-bed.ts'
import type { PaymentsBed } from './testing/payments-bed.ts'

let bed: PaymentsBed
beforeAll(async () => {
  bed = await openPaymentsBed('2026-11-25T01:00:00Z')
})
afterAll(() => bed.close())

const request = { amount: cents('10.00'), reference: 'r', last_payment: false }
const pay = (agreement: Agreement) => bed.accept(agreement, request)
const RACERS = 64

/** How many of many requests at once were accepted, and the codes of the others. */
async function race(agreement: Agreement, beside: () => Promise<unknown> = () => Promise.resolve()) {
  const asked = Array.from({ length: RACERS }, () => pay(agreement))
  const [results] = await Promise.all([Promise.allSettled(asked), beside()])
  const refused = results.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  return { accepted: RACERS - refused.length, refused }
}

describe('of 64 payments at once', () => {
  it.each([
    ['one of a oneoff', { type: 'oneoff' } as const, 1],
    ['seven of at most seven', { maxPayments: 7 }, 7],
    [
      'three of three in a period',
      { type: 'recurring', terms: madeTerms({ frequency: 'weekly', countPerPeriod: 3 }) } as const,
      3,
    ],
    [
      'one after its day',
      { type: 'recurring', terms: madeTerms({ frequency: 'monthly', pointInPeriod: 25 }) } as const,
      1,
    ],
  ])('%s is accepted', async (_, overrides, max) => {
    const agreement = await bed.makeAgreement(overrides)
    const { accepted, refused } = await race(agreement)
    expect(accepted).toBe(max)
    expect(await bed.paymentsOf(agreement.id)).toHaveLength(max)
    for (const error of refused) expect(error).toMatchObject({ code: 'outside_terms' })
  })

  it('none is accepted once the agreement is cancelled', async () => {
    const agreement = await bed.makeAgreement()
    const change = {
      type: 'cancelled',
      by: 'creditor',
      noticeId: null,
      reason: null,
      facts: { status: 'cancelled' },
      instruction: null,
    } as const
    const cancel = () =>
      changeAgreement(bed.database, agreement, {
        ...change,
        id: bed.deps.createId(),
        at: new Date(),
      })
    const { accepted, refused } = await race(agreement, cancel)
    expect(await bed.paymentsOf(agreement.id)).toHaveLength(accepted)
    for (const error of refused) expect(error).toMatchObject({ code: 'unfulfilled_condition' })
    await expect(pay(agreement)).rejects.toMatchObject({ code: 'unfulfilled_condition' })
  })
})

it('a payment that has failed does not count', async () => {
  const agreement = await bed.makeAgreement({ type: 'oneoff' }, 'insufficient')
  const { id } = await pay(agreement)
  await bed.send()
  expect(await readPayment(bed.deps, agreement.merchantId, id)).toMatchObject({ status: 'failed' })
  expect(await pay(agreement)).toMatchObject({ status: 'received' })
})

it('nobody sees or makes payments of another merchant', async () => {
  const agreement = await bed.makeAgreement()
  const { id } = await pay(agreement)
  const other = '6b0179918a1c5e0b3d2f4aff'
  await expect(readPayment(bed.deps, other, id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(bed.accept({ ...agreement, merchantId: other }, request)).rejects.toMatchObject({
    code: 'not_found',
  })
})

describe('a repeated request', () => {
  let service: TestService
  let authorization: string
  beforeAll(async () => {
    service = await createTestService()
    authorization = `Bearer ${await service.accessToken()}`
  })
  afterAll(() => service.close())

  const invoice = { amount: '4.00', reference: 'invoice-1' }
  const AT_MOST_TEN = { amount_type: 'variable', maximum_amount: '10.00' }

  async function makeAgreement(change: object = {}): Promise<string> {
    const { createActive } = await agreementCalls(service)
    const { _id: id } = await createActive({ payment_terms: AT_MOST_TEN, ...change })
    return id
  }

  const requestOf = (agreementId: string, key: string, payload: object = invoice) => ({
    method: 'POST' as const,
    url: `/agreements/${agreementId}/payments`,
    headers: { authorization, 'idempotency-key': key },
    payload,
  })
  const pay = (...request: Parameters<typeof requestOf>) => service.call(requestOf(...request))
  const paymentOf = ({ body }: Answer) => v.parse(AgreementPaymentResource, body.resource.data)
  const isReplayed = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true'

  async function paymentsOf(agreementId: string): Promise<unknown[]> {
    const url = `/agreements/${agreementId}/payments`
    const { body } = await service.call({ url, headers: { authorization } })
    return v.parse(v.array(v.unknown()), body.resource.data)
  }

  /** A database whose process is killed as soon as its next transaction is written. */
  function cutAfterCommit(database: Database): Database & { arm: () => void } {
    let state: 'alive' | 'armed' | 'dead' = 'alive'
    const unlessDead = <Result>(work: () => Promise<Result>) =>
      state === 'dead' ? Promise.reject(new Error('the process is dead')) : work()
    return {
      ...database,
      run: (statement, values) => unlessDead(() => database.run(statement, values)),
      transaction: (work) =>
        unlessDead(async () => {
          const result = await database.transaction(work)
          if (state === 'armed') state = 'dead'
          return unlessDead(() => Promise.resolve(result))
        }),
      arm: () => {
        state = 'armed'
      },
    }
  }

  it('answers its payment after a process was killed before it answered', async () => {
    const agreementId = await makeAgreement()
    const database = cutAfterCommit(service.database)
    const killed = await createTestService({ database })
    database.arm()
    const cut = await killed.raw(requestOf(agreementId, 'killed'))
    expect(cut.statusCode).toBe(500)
    expect(await paymentsOf(agreementId)).toHaveLength(1)

    const again = await pay(agreementId, 'killed')
    expect([again.status, isReplayed(again)]).toEqual([201, true])
    expect(await paymentsOf(agreementId)).toEqual([paymentOf(again)])
  })

  it('answers as at first though the payment has settled meanwhile', async () => {
    const agreementId = await makeAgreement({ type: 'oneoff' })
    const first = await pay(agreementId, 'settled')
    await service.runJob('send payments')
    const again = await pay(agreementId, 'settled')
    expect([again.status, again.body, isReplayed(again)]).toEqual([201, first.body, true])
    expect(paymentOf(again).status).toBe('received')
  })

  it('makes one payment of many at once under one key', async () => {
    const agreementId = await makeAgreement({ type: 'oneoff' })
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(agreementId, 'at-once')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map((one) => paymentOf(one)._id)).size).toBe(1)
    expect(answers.filter((one) => !isReplayed(one))).toHaveLength(1)
  })

  it('refuses another request under the key', async () => {
    const agreementId = await makeAgreement()
    await pay(agreementId, 'other')
    const other = await pay(agreementId, 'other', { ...invoice, amount: '5.00' })
    expect(other).toMatchObject({ status: 422, body: { error: { code: 'idempotency_key_reused' } } })
    expect(await paymentsOf(agreementId)).toHaveLength(1)
  })

  it('makes one payment of one key at once for several agreements', async () => {
    const agreements = await Promise.all(Array.from({ length: 4 }, () => makeAgreement()))
    const answers = await Promise.all(agreements.map((id) => pay(id, 'several')))
    const statuses = answers.map(({ status, body }) => body.error?.code ?? status)
    expect(statuses.filter((one) => one === 201)).toHaveLength(1)
    expect(statuses.filter((one) => one === 'idempotency_key_reused')).toHaveLength(3)
  })

  it('lets the key of a payment that was refused come again', async () => {
    const agreementId = await makeAgreement()
    const refused = await pay(agreementId, 'refused', { ...invoice, amount: '11.00' })
    expect(refused).toMatchObject({ status: 422, body: { error: { code: 'outside_terms' } } })
    const next = await pay(agreementId, 'refused')
    expect([next.status, isReplayed(next)]).toEqual([201, false])
  })

  it('forgets the key after 30 days', async () => {
    const agreementId = await makeAgreement()
    await pay(agreementId, 'old')
    const { id } = service.merchant.merchant
    const kept = createHash('sha256').update(`${id} POST /agreements/:id/payments old`).digest('hex')
    const setAge = testStatement(
      't_age_payment',
      "UPDATE agreement_payments SET created_at = now() - $2::integer * interval '1 day' WHERE idempotency_key_hash = $1",
    )
    for (const [days, isKnown] of [
      [29, true],
      [31, false],
    ] as const) {
      await service.database.run(setAge, [kept, days])
      await service.runJob('forget old payment requests')
      expect(isReplayed(await pay(agreementId, 'old'))).toBe(isKnown)
    }
  })
})
