import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agreementOf } from '../testing/agreement-calls.ts'
import { createNetworkService } from '../testing/network-service.ts'
import type { NetworkService } from '../testing/network-service.ts'
import { createInstructionStore } from './instruction-store.ts'

const MINUTE_MS = 60_000
const suspend = { action: 'suspend', reason_code: 'dispute' }

let bed: NetworkService
let service: NetworkService['service']
let double: NetworkService['double']
let calls: NetworkService['calls']
beforeEach(async () => {
  bed = await createNetworkService()
  ;({ service, double, calls } = bed)
})
afterEach(() => bed.close())

/** By the merchant, and at the same time by the debtor: its bank refuses the merchant's. */
async function suspendedByBoth(): Promise<string> {
  const id = await bed.makeActive()
  await calls.changeStatus(id, suspend)
  double.answerWith(({ kind }) =>
    kind === 'suspend' ? { kind: 'refused', message: 'It is suspended already.' } : { kind: 'done' },
  )
  await service.runJob('send instructions')
  await bed.hear(id, 'suspend', 'suspended')
  double.answerWith(() => ({ kind: 'done' }))
  expect(agreementOf(await calls.get(id))).toMatchObject({ status: 'suspended', suspended_by: 'both' })
  return id
}

const stateOf = async (id: string) => agreementOf(await calls.get(id)).status

describe("where the debtor's and the merchant's changes cross", () => {
  it('suspends again what the merchant has released, and the debtor has suspended as well', async () => {
    const id = await bed.makeActive()
    await calls.changeStatus(id, suspend)
    await service.runJob('send instructions')
    double.answerWith(() => ({ kind: 'refused', message: 'The payer has suspended it.' }))
    await calls.changeStatus(id, { action: 'release' })
    await service.runJob('send instructions')
    expect(agreementOf(await calls.get(id))).toMatchObject({ status: 'suspended', suspended_by: 'debtor' })
    await bed.hear(id, 'release', 'released')
    expect(await stateOf(id)).toBe('active')
  })

  it("takes the debtor's release once the network has said that the debtor suspends it as well", async () => {
    const id = await bed.makeActive()
    await calls.changeStatus(id, suspend)
    await service.runJob('send instructions')
    double.answerWith(() => ({ kind: 'unreachable' }))
    await calls.changeStatus(id, { action: 'release' })
    await service.runJob('send instructions')
    await bed.hear(id, 'release', 'early')
    expect(double.acknowledged).not.toContain('early')
    double.answerWith(() => ({ kind: 'refused', message: 'The payer has suspended it.' }))
    await bed.goForward(MINUTE_MS)
    await service.runJob('send instructions')
    expect(await stateOf(id)).toBe('suspended')
    await service.runJob('receive notices')
    expect(double.acknowledged).toContain('early')
    expect(await stateOf(id)).toBe('active')
  })

  it('says that both have suspended it, and each releases its own: first the merchant', async () => {
    const id = await suspendedByBoth()
    const released = await calls.changeStatus(id, { action: 'release' })
    expect(agreementOf(released)).toMatchObject({
      status: 'suspended',
      suspended_by: 'debtor',
      reason_code: null,
    })
    await bed.hear(id, 'release', 'released')
    expect(agreementOf(await calls.get(id))).toMatchObject({ status: 'active', suspended_by: null })
  })

  it('says that both have suspended it, and each releases its own: first the debtor', async () => {
    const id = await suspendedByBoth()
    await bed.hear(id, 'release', 'released')
    const left = agreementOf(await calls.get(id))
    expect(left).toMatchObject({ status: 'suspended', suspended_by: 'creditor', reason_code: 'dispute' })
    await service.runJob('send instructions')
    expect(double.told.at(-1)?.kind).toBe('suspend')
    const released = agreementOf(await calls.changeStatus(id, { action: 'release' }))
    expect(released).toMatchObject({ status: 'active', suspended_by: null })
    const { history } = agreementOf(await calls.get(id))
    expect(history?.slice(2).map(({ type, by, status }) => [type, by, status])).toEqual([
      ['suspended', 'creditor', 'suspended'],
      ['suspended', 'debtor', 'suspended'],
      ['released', 'debtor', 'suspended'],
      ['released', 'creditor', 'active'],
    ])
  })

  it('tells nothing instead of an answer once the agreement has changed again', async () => {
    const id = await bed.makeActive()
    const instructions = createInstructionStore(service.database)
    const add = (revision: number) =>
      instructions.add(
        { id, revision },
        { id: `instead-${String(revision)}`, content: { kind: 'suspend' } },
        new Date(),
      )
    expect([await add(0), await add(1)]).toEqual([false, true])
    await service.runJob('send instructions')
    expect(double.told.map((one) => one.id)).not.toContain('instead-0')
  })
})
