import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayAt } from '../terms/day.ts'
import { agreementOf } from '../testing/agreement-calls.ts'
import { createNetworkService } from '../testing/network-service.ts'
import type { NetworkService } from '../testing/network-service.ts'

const DAY_MS = 86_400_000
const suspend = { action: 'suspend', reason_code: 'dispute' }
const newTerms = { payment_terms: { amount_type: 'fixed', amount: '12.50' } }

let bed: NetworkService
let service: NetworkService['service']
let double: NetworkService['double']
let calls: NetworkService['calls']
beforeEach(async () => {
  bed = await createNetworkService()
  ;({ service, double, calls } = bed)
})
afterEach(() => bed.close())

async function created(change: object = {}): Promise<string> {
  const { _id: id } = agreementOf(await calls.create(change))
  await service.runJob('send instructions')
  return id
}

const stateOf = async (id: string) => agreementOf(await calls.get(id)).status
const typesOf = async (id: string) => agreementOf(await calls.get(id)).history?.map(({ type }) => type)
const kinds = () => double.told.map(({ kind }) => kind)

describe('telling the network', () => {
  it('tells of each agreement one thing after the other, with the accounts that are sealed', async () => {
    const id = await created()
    await bed.hear(id, 'accept')
    await calls.changeStatus(id, suspend)
    await calls.changeStatus(id, { action: 'release' })
    await service.runJob('send instructions')
    await service.runJob('send instructions')
    expect(kinds()).toEqual(['create', 'suspend', 'release'])
    expect(double.told[0]).toMatchObject({
      debtor: { pay_id: { value: 'grace@example.com' } },
      creditor: { account: { bsb: '802985', account_number: '123456789' } },
    })
  })

  it.each(['unreachable', 'unknown'] as const)(
    'repeats with the same id what is %s, later each time',
    async (kind) => {
      double.answerWith(() => ({ kind }))
      await created()
      await service.runJob('send instructions')
      expect(double.told).toHaveLength(1)
      await bed.goForward(1100)
      await service.runJob('send instructions')
      await bed.goForward(1100)
      await service.runJob('send instructions')
      expect(double.told).toHaveLength(2)
      double.answerWith(() => ({ kind: 'done' }))
      await bed.goForward(DAY_MS)
      await service.runJob('send instructions')
      await service.runJob('send instructions')
      expect(new Set(double.told.map(({ id }) => id)).size).toBe(1)
      expect(double.told).toHaveLength(3)
    },
  )

  it('cancels what the network does not take', async () => {
    double.answerWith(() => ({ kind: 'refused', message: 'No PayTo at this bank.' }))
    const agreement = agreementOf(await calls.get(await created()))
    expect(agreement).toMatchObject({ status: 'cancelled', reason: 'No PayTo at this bank.' })
    expect(agreement.history?.at(-1)).toMatchObject({ type: 'cancelled', by: 'service' })
  })

  it('drops an amendment that the network does not take', async () => {
    const id = await created()
    await bed.hear(id, 'accept')
    double.answerWith(() => ({ kind: 'refused', message: 'no' }))
    await calls.amend(id, newTerms)
    await service.runJob('send instructions')
    expect((await typesOf(id))?.at(-1)).toBe('amendment_declined')
  })
})

describe('hearing the network', () => {
  it('applies a notice once, however often it comes', async () => {
    const id = await created()
    await bed.hear(id, 'accept', 'twice')
    double.acknowledged.length = 0
    await service.runJob('receive notices')
    expect(await typesOf(id)).toEqual(['created', 'accepted'])
    expect(double.acknowledged).toEqual(['twice'])
  })

  it('acknowledges and logs what the state does not take, and tells the network how it is', async () => {
    const id = await created()
    await bed.goForward(6 * DAY_MS)
    await service.runJob('end agreements')
    await service.runJob('send instructions')
    await bed.hear(id, 'accept', 'late')
    await service.runJob('send instructions')
    expect(await stateOf(id)).toBe('cancelled')
    expect(double.acknowledged).toContain('late')
    expect(service.logged()).toContain('comes too late')
    expect(kinds()).toEqual(['create', 'cancel', 'cancel'])
  })

  it('acknowledges and logs a notice of an agreement that is not known', async () => {
    await bed.hear('0'.repeat(24), 'accept', 'lost')
    expect(double.acknowledged).toEqual(['lost'])
    expect(service.logged()).toContain('is not known')
  })
})

describe('by time', () => {
  it('an agreement without an answer lapses after 5 days', async () => {
    const id = await created()
    await service.runJob('end agreements')
    expect(await stateOf(id)).toBe('created')
    await bed.goForward(5 * DAY_MS + 1000)
    await service.runJob('end agreements')
    expect(await stateOf(id)).toBe('cancelled')
    expect((await typesOf(id))?.at(-1)).toBe('lapsed')
  })

  it('nothing lapses that was answered in time, though the answer is heard late', async () => {
    const [id, amendedId] = [await created(), await created()]
    await bed.hear(amendedId, 'accept')
    await calls.amend(amendedId, newTerms)
    await service.runJob('send instructions')
    const at = new Date()
    double.notices.push({ id: 'one', agreementId: id, answer: 'accept', amendmentId: null, at })
    const asked = double.told.at(-1)
    const amendmentId = asked?.kind === 'amend' ? asked.amendmentId : null
    double.notices.push({ id: 'two', agreementId: amendedId, answer: 'accept_amendment', amendmentId, at })
    await bed.goForward(6 * DAY_MS)
    await service.runJob('end agreements')
    expect(await typesOf(id)).toEqual(['created', 'accepted'])
    expect((await typesOf(amendedId))?.at(-1)).toBe('amended')
  })

  it('an agreement expires when its last day is over, and the network is told', async () => {
    const today = dayAt(Date.now())
    const id = await created({ end_date: today })
    await bed.hear(id, 'accept')
    await service.runJob('end agreements')
    expect(await stateOf(id)).toBe('active')
    await bed.goForward(DAY_MS)
    await service.runJob('end agreements')
    await service.runJob('send instructions')
    expect(await stateOf(id)).toBe('expired')
    expect(kinds().at(-1)).toBe('expire')
  })

  it('an amendment without an answer lapses, and is withdrawn', async () => {
    const id = await created()
    await bed.hear(id, 'accept')
    await calls.amend(id, newTerms)
    await service.runJob('send instructions')
    await bed.goForward(5 * DAY_MS + 1000)
    await service.runJob('end agreements')
    await service.runJob('send instructions')
    expect((await typesOf(id))?.at(-1)).toBe('amendment_lapsed')
    expect(agreementOf(await calls.get(id))).toMatchObject({ status: 'active', pending_amendment: null })
    expect(kinds().at(-1)).toBe('withdraw_amendment')
  })
})
