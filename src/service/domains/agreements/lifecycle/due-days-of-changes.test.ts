import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { AgreementPaymentResource } from '../../../../contract/api/agreements/agreement-payment-resource.ts'
import { createSetClock } from '../../../testing/set-clock.ts'
import type { SetClock } from '../../../testing/set-clock.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { agreementCalls, agreementOf, debtor } from '../testing/agreement-calls.ts'
import type { AgreementCalls } from '../testing/agreement-calls.ts'

const DAY_MS = 86_400_000
const suspend = { action: 'suspend', reason_code: 'dispute' }
const daily = { amount_type: 'fixed', frequency: 'daily', point_in_period: 1 }

let service: TestService
let calls: AgreementCalls
let clock: SetClock

beforeEach(async () => {
  clock = createSetClock(Date.parse('2027-06-10T02:00:00Z'))
  service = await createTestService({ timeOfDay: clock.timeOfDay })
  calls = await agreementCalls(service)
})
afterEach(() => service.close())

/** Under an access token of that time. */
async function goForward(days: number): Promise<void> {
  clock.pass(days * DAY_MS)
  calls = await agreementCalls(service)
}

/** Collected day by day, and accepted in the bank on its first day, the 10th; the service has not heard of it yet. */
async function accepted(change: object = {}): Promise<string> {
  const terms = { ...daily, amount: '1.00' }
  const overrides = {
    type: 'recurring',
    payment_terms: terms,
    debtor: debtor('approve@sandbox.example'),
    ...change,
  }
  const { _id: id } = agreementOf(await calls.create(overrides))
  await service.runJob('send instructions')
  return id
}

/** The same, heard of, and collected for that day. */
async function collected(change: object = {}): Promise<string> {
  const id = await accepted(change)
  await service.runJob('receive notices')
  await service.runJob('collect due payments')
  await service.runJob('send payments')
  return id
}

const amend = (id: string) => calls.amend(id, { payment_terms: { ...daily, amount: '2.00' } })

/** Its history after its beginning, its next due day, and the due days and amounts of its payments. */
async function lookAt(id: string) {
  const { history, next_collection_date: next } = agreementOf(await calls.get(id))
  const authorization = `Bearer ${await service.accessToken()}`
  const page = await service.call({ url: `/agreements/${id}/payments`, headers: { authorization } })
  const payments = v.parse(v.array(AgreementPaymentResource), page.body.resource.data)
  return {
    types: history?.slice(2).map(({ type }) => type),
    next,
    payments: payments.map(({ due_on: dueOn, amount }) => [dueOn, amount]).sort(),
  }
}

describe('due days while it was suspended', () => {
  it('are skipped when it is released, which the history says', async () => {
    const id = await collected()
    await calls.changeStatus(id, suspend)
    await goForward(3)
    await calls.changeStatus(id, { action: 'release' })
    const { types, next } = await lookAt(id)
    expect(types).toEqual(['suspended', 'collection_skipped', 'released'])
    expect(next).toBe('2027-06-13')
  })

  it('are said to be skipped also when it expires', async () => {
    const id = await collected({ end_date: '2027-06-12' })
    await calls.changeStatus(id, suspend)
    await goForward(3)
    await service.runJob('end agreements')
    expect((await lookAt(id)).types).toEqual(['suspended', 'collection_skipped', 'expired'])
  })

  it('are said to be skipped also when an amendment comes between', async () => {
    const id = await collected({ debtor: debtor() })
    await calls.answerAsDebtor(id, 'accept')
    await service.runJob('collect due payments')
    await amend(id)
    await calls.answerAsDebtor(id, 'suspend')
    await goForward(3)
    await calls.answerAsDebtor(id, 'accept_amendment')
    await calls.answerAsDebtor(id, 'release')
    const { types } = await lookAt(id)
    expect(types).toEqual(['amendment_requested', 'suspended', 'collection_skipped', 'amended', 'released'])
  })
})

describe('a day that was collected is not due again', () => {
  it('after a release on it', async () => {
    const id = await collected()
    await calls.changeStatus(id, suspend)
    await calls.changeStatus(id, { action: 'release' })
    await service.runJob('collect due payments')
    const { types, next } = await lookAt(id)
    expect(types).toEqual(['suspended', 'released'])
    expect(next).toBe('2027-06-11')
  })

  it('after an amendment on it', async () => {
    const id = await collected()
    await amend(id)
    await calls.exchange()
    await service.runJob('collect due payments')
    const { types, next } = await lookAt(id)
    expect(types).toEqual(['amendment_requested', 'amended'])
    expect(next).toBe('2027-06-11')
  })

  it('after amendments on it to terms without due days and back', async () => {
    const id = await collected()
    const byHand = { amount_type: 'variable', maximum_amount: '9.00', frequency: 'daily' }
    for (const payment_terms of [byHand, { ...daily, amount: '1.00' }]) {
      await calls.amend(id, { payment_terms })
      await service.runJob('send instructions')
      await service.runJob('receive notices')
      await service.runJob('collect due payments')
    }
    const { types, next, payments } = await lookAt(id)
    expect(types).toEqual(['amendment_requested', 'amended', 'amendment_requested', 'amended'])
    expect([next, payments]).toEqual(['2027-06-11', [['2027-06-10', 1]]])
  })
})

const days = (...numbers: number[]) => numbers.map((number) => [`2027-06-${String(number)}`, 1])

describe('due days between what the debtor did in its bank and its hearing', () => {
  it('are collected after an acceptance', async () => {
    const id = await accepted()
    await goForward(2)
    await service.runJob('receive notices')
    await service.runJob('collect due payments')
    expect(await lookAt(id)).toEqual({ types: [], next: '2027-06-13', payments: days(10, 11, 12) })
  })

  it('are collected up to the last day of an agreement that has ended meanwhile', async () => {
    const id = await accepted({ end_date: '2027-06-11' })
    await goForward(3)
    for (const job of ['receive notices', 'end agreements', 'collect due payments', 'end agreements'])
      await service.runJob(job)
    expect(await lookAt(id)).toMatchObject({ types: ['expired'], payments: days(10, 11) })
  })

  it('are skipped where they are more than 5 days ago, which the history says', async () => {
    const id = await accepted()
    await goForward(6)
    await service.runJob('receive notices')
    await service.runJob('collect due payments')
    const { types, payments } = await lookAt(id)
    expect({ types, payments }).toEqual({
      types: ['collection_skipped'],
      payments: days(11, 12, 13, 14, 15, 16),
    })
  })

  it('are collected after a release, and what fell due before it is skipped', async () => {
    const id = await collected({ debtor: debtor() })
    await calls.answerAsDebtor(id, 'accept')
    await service.runJob('collect due payments')
    await calls.answerAsDebtor(id, 'suspend')
    await goForward(2)
    const url = `/sandbox/bank/agreements/${id}/answers`
    await service.call({ method: 'POST', url, payload: { answer: 'release' } })
    await goForward(2)
    await service.runJob('receive notices')
    await service.runJob('collect due payments')
    const { types, payments } = await lookAt(id)
    expect(types).toEqual(['suspended', 'collection_skipped', 'released'])
    expect(payments).toEqual(days(10, 12, 13, 14))
  })
})

it('a due day on which the service was down is made up for by the terms from before an amendment', async () => {
  const id = await collected()
  await amend(id)
  await service.runJob('send instructions')
  await goForward(1)
  await service.runJob('receive notices')
  expect(await lookAt(id)).toEqual({
    types: ['amendment_requested', 'amended'],
    next: '2027-06-12',
    payments: days(10, 11),
  })
})
