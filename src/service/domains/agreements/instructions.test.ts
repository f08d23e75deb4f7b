import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agreementOf } from './testing/agreement-calls.ts'
import { createNetworkService } from './testing/network-service.ts'
import type { NetworkService } from './testing/network-service.ts'

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

const typesOf = async (id: string) => agreementOf(await calls.get(id)).history?.map(({ type }) => type)
const kinds = () => double.told.map(({ kind }) => kind)

describe('the network', () => {
  it('is told one thing after the other, with the sealed accounts', async () => {
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
    'is told again with the same id while %s, later each time',
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

  it('may refuse an agreement, which is cancelled', async () => {
    double.answerWith(() => ({ kind: 'refused', message: 'No PayTo at this bank.' }))
    const agreement = agreementOf(await calls.get(await created()))
    expect(agreement).toMatchObject({ status: 'cancelled', reason: 'No PayTo at this bank.' })
    expect(agreement.history?.at(-1)).toMatchObject({ type: 'cancelled', by: 'service' })
  })

  it('may refuse an amendment, which is dropped', async () => {
    const id = await created()
    await bed.hear(id, 'accept')
    double.answerWith(() => ({ kind: 'refused', message: 'no' }))
    await calls.amend(id, newTerms)
    await service.runJob('send instructions')
    expect((await typesOf(id))?.at(-1)).toBe('amendment_declined')
  })
})
