import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agreementOf } from './testing/agreement-calls.ts'
import { createNetworkService } from './testing/network-service.ts'
import type { NetworkService } from './testing/network-service.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const suspend = { action: 'suspend', reason_code: 'dispute' }
const release = { action: 'release' }
const cancel = { action: 'cancel', reason_code: 'contract_ended' }
const newTerms = { payment_terms: { amount_type: 'fixed', amount: '12.50' } }
const silent = () => ({ kind: 'unknown' }) as const
const done = () => ({ kind: 'done' }) as const
const Paid = v.looseObject({ _id: v.string() })

let bed: NetworkService
let service: NetworkService['service']
let double: NetworkService['double']
let calls: NetworkService['calls']
beforeEach(async () => {
  bed = await createNetworkService()
  ;({ service, double, calls } = bed)
  double.payWith({ kind: 'settled', reference: 'n' })
})
afterEach(() => bed.close())

/** What was said about it until it was accepted is forgotten. */
async function makeActive(change: object = {}): Promise<string> {
  const id = await bed.makeActive(change)
  double.arrived.length = 0
  return id
}

async function pay(id: string): Promise<string> {
  const { status, body } = await calls.pay(id, { amount: '10.00', reference: 'r' })
  expect(status).toBe(201)
  return v.parse(Paid, body.resource.data)._id
}

/** Runs the jobs that speak to the network as a service does, payments first, for so long. */
async function goOn(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await service.runJob('send payments')
    await service.runJob('send instructions')
    await bed.goForward(SECOND)
  }
}

async function suspended(): Promise<string> {
  const id = await makeActive()
  await calls.changeStatus(id, suspend)
  await goOn(1)
  double.arrived.length = 0
  return id
}

describe('the network hears in order', () => {
  it('a payment is sent after the release before it', async () => {
    const id = await suspended()
    await calls.changeStatus(id, release)
    await pay(id)
    await goOn(3)
    expect(double.arrived).toEqual(['release', 'pay'])
  })

  it('a payment waits for a release of unknown outcome', async () => {
    const id = await suspended()
    double.answerWith(silent)
    await calls.changeStatus(id, release)
    await pay(id)
    await goOn(40)
    expect(new Set(double.arrived)).toEqual(new Set(['release']))
    double.answerWith(done)
    await goOn(120)
    expect(double.arrived.filter((kind) => kind === 'pay')).toHaveLength(1)
    expect(double.arrived.at(-1)).toBe('pay')
  })

  it.each([
    ['a suspension', 'suspend', (id: string) => calls.changeStatus(id, suspend)],
    ['a cancellation', 'cancel', (id: string) => calls.changeStatus(id, cancel)],
    ['an amendment', 'amend', (id: string) => calls.amend(id, newTerms)],
  ])('%s is sent after the payments before it', async (_, kind, change) => {
    const id = await makeActive()
    await pay(id)
    await pay(id)
    await change(id)
    await service.runJob('send instructions')
    await goOn(3)
    expect(double.arrived).toEqual(['pay', 'pay', kind])
  })

  it('a suspension waits for a payment of unknown outcome', async () => {
    const id = await makeActive()
    double.payWith({ kind: 'unknown' })
    await pay(id)
    await goOn(1)
    await calls.changeStatus(id, suspend)
    await goOn(20)
    expect(double.arrived).toEqual(['pay'])
    double.payWith({ kind: 'settled', reference: 'n' })
    await service.runJob('ask after payments')
    await goOn(30)
    expect(double.arrived).toEqual(['pay', 'suspend'])
  })

  it('release, payment, suspension, release, payment', async () => {
    const id = await suspended()
    await calls.changeStatus(id, release)
    await pay(id)
    await calls.changeStatus(id, suspend)
    await calls.changeStatus(id, release)
    await pay(id)
    await goOn(12)
    expect(double.arrived).toEqual(['release', 'pay', 'suspend', 'release', 'pay'])
  })

  it('a long queue is worked off as fast as the network answers', async () => {
    const id = await makeActive()
    double.answerWith(silent)
    const expected: string[] = []
    for (let round = 0; round < 12; round += 1) {
      await pay(id)
      await calls.changeStatus(id, suspend)
      await calls.changeStatus(id, release)
      expected.push('pay', 'suspend', 'release')
    }
    await bed.goForward(10 * SECOND)
    double.answerWith(done)
    await goOn(expected.length)
    expect(double.arrived).toEqual(expected)
  })

  it('the end is told after the payment of the last day', async () => {
    const id = await makeActive()
    const today = agreementOf(await calls.get(id)).start_date
    await calls.changeStatus(id, cancel)
    const last = await makeActive({
      type: 'recurring',
      payment_terms: { amount_type: 'fixed', amount: '10.00', frequency: 'daily', point_in_period: 1 },
      end_date: today,
    })
    await bed.goForward(DAY)
    await service.runJob('collect due payments')
    await service.runJob('end agreements')
    expect(agreementOf(await calls.get(last)).status).toBe('expired')
    double.arrived.length = 0
    await service.runJob('send instructions')
    await goOn(3)
    expect(double.arrived.filter((kind) => kind !== 'cancel')).toEqual(['pay', 'expire'])
  })
})

describe('waiting has an end', () => {
  it('a payment is sent a day after an unanswered release', async () => {
    const id = await suspended()
    double.answerWith(silent)
    await calls.changeStatus(id, release)
    const payment = await pay(id)
    await goOn(1)
    await bed.goForward(DAY)
    await service.runJob('send payments')
    expect(double.arrived.at(-1)).toBe('pay')
    expect(await statusOf(payment)).toBe('settled')
  })

  it('a suspension is sent five minutes after an unanswered payment', async () => {
    const id = await makeActive()
    double.payWith({ kind: 'unknown' })
    await pay(id)
    await service.runJob('send payments')
    await calls.changeStatus(id, suspend)
    await goOn(1)
    expect(double.arrived).toEqual(['pay'])
    await bed.goForward(5 * MINUTE)
    await service.runJob('send instructions')
    expect(double.arrived).toEqual(['pay', 'suspend'])
  })

  it('an agreement whose release is unanswered holds up no other', async () => {
    const [waiting, other] = [await suspended(), await makeActive()]
    double.answerWith(silent)
    await calls.changeStatus(waiting, release)
    const payment = await pay(waiting)
    const paid = await pay(other)
    await goOn(2)
    expect([await statusOf(payment), await statusOf(paid)]).toEqual(['received', 'settled'])
  })

  it('a description that the network does not answer holds up no payment', async () => {
    const id = await makeActive()
    double.answerWith(silent)
    await calls.amend(id, { description: 'Another' })
    const payment = await pay(id)
    await goOn(1)
    expect(await statusOf(payment)).toBe('settled')
  })
})

async function statusOf(payment: string): Promise<unknown> {
  const { body } = await service.call({
    url: `/payments/${payment}`,
    headers: { authorization: `Bearer ${await service.accessToken()}` },
  })
  return v.parse(v.looseObject({ status: v.string() }), body.resource.data).status
}
