import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import type { DebtorAnswer } from '../payment-network/payment-network.ts'
import { historyOf } from './agreement-store.ts'
import type { Agreement } from './agreement.ts'
import { addInstruction } from './instruction-store.ts'
import { receiveNotices } from './notices.ts'
import { agreementOf } from './testing/agreement-calls.ts'
import { createNetworkDouble } from './testing/network-double.ts'
import { createNetworkService } from './testing/network-service.ts'
import type { NetworkService } from './testing/network-service.ts'
import { storeAgreement, testDeps } from './testing/test-deps.ts'

const DAY_MS = 86_400_000
const suspend = { action: 'suspend', reason_code: 'dispute' }

const NOW = Date.parse('2026-12-01T01:00:00.000Z')
const instructionsOf = testStatement<{ kind: string }>(
  't_instructions_of_agreement',
  "SELECT content->>'kind' AS kind FROM network_instructions WHERE agreement_id = $1",
)

let database: Database
beforeAll(async () => {
  database = await createMigratedDatabase()
})
afterAll(() => database.close())

/** Hears what a debtor did; returns the changes, and the instructions that the network gets in answer. */
async function receive(answer: DebtorAnswer, overrides: Partial<Agreement>) {
  const { network, notices, acknowledged } = createNetworkDouble()
  const deps = testDeps({ database, network }, () => NOW)
  const { createId } = deps
  const { id } = await storeAgreement(
    deps,
    { type: 'recurring', ...overrides },
    { type: 'accepted', by: 'debtor' },
  )
  const notice = createId()
  notices.push({ id: notice, agreementId: id, answer, amendmentId: null, at: new Date(NOW) })
  const isComplete = await receiveNotices(deps, new AbortController().signal)
  return {
    isComplete,
    recorded: (await historyOf(database, id)).slice(1).map(({ type }) => type),
    told: (await database.run(instructionsOf, [id])).map(({ kind }) => kind),
    isAcknowledged: acknowledged.includes(notice),
  }
}

it.each([
  ['active', '2026-12-01'],
  ['active', '2026-11-30'],
] as const)(
  'an answer waits while the agreement is %s and the payment of %s is still to be collected',
  async (status, nextDueOn) => {
    const { isComplete, recorded, isAcknowledged } = await receive('cancel', { status, nextDueOn })
    expect({ isComplete, recorded, isAcknowledged }).toEqual({
      isComplete: false,
      recorded: [],
      isAcknowledged: false,
    })
  },
)

it.each([
  ['active', '2026-12-02'],
  ['active', null],
  ['suspended', '2026-11-30'],
] as const)('an answer is taken while the agreement is %s and due next on %s', async (status, nextDueOn) => {
  const { isComplete, recorded, isAcknowledged } = await receive('cancel', { status, nextDueOn })
  expect({ isComplete, recorded }).toEqual({ isComplete: true, recorded: ['cancelled'] })
  expect(isAcknowledged).toBe(true)
})

it('after a release by the debtor of what the merchant has suspended, the network is told so', async () => {
  const received = await receive('release', { status: 'suspended', suspendedBy: 'creditor' })
  expect(received).toMatchObject({ recorded: [], told: ['suspend'], isAcknowledged: true })
})

it.each([
  ['suspended', 'both', []],
  ['suspended', 'debtor', []],
  ['cancelled', null, ['cancel']],
] as const)(
  'a needless suspension of one that is %s (by %s): the network is told %j',
  async (status, suspendedBy, told) => {
    expect(await receive('suspend', { status, suspendedBy })).toMatchObject({
      recorded: [],
      told,
      isAcknowledged: true,
    })
  },
)

describe('a service', () => {
  let bed: NetworkService
  let service: NetworkService['service']
  let double: NetworkService['double']
  let calls: NetworkService['calls']
  beforeEach(async () => {
    bed = await createNetworkService()
    ;({ service, double, calls } = bed)
  })
  afterEach(() => bed.close())

  describe('that hears', () => {
    it('applies a notice once, however often it comes', async () => {
      const id = await bed.makeCreated()
      await bed.hear(id, 'accept', 'twice')
      double.acknowledged.length = 0
      await service.runJob('receive notices')
      expect(await bed.historyOf(id)).toEqual(['created', 'accepted'])
      expect(double.acknowledged).toEqual(['twice'])
    })

    it('logs what comes too late, and tells the bank how it stands', async () => {
      const id = await bed.makeCreated()
      await bed.goForward(6 * DAY_MS)
      await service.runJob('end agreements')
      await service.runJob('send instructions')
      await bed.hear(id, 'accept', 'late')
      await service.runJob('send instructions')
      expect(await bed.statusOf(id)).toBe('cancelled')
      expect(double.acknowledged).toContain('late')
      expect(service.logged()).toContain('comes too late')
      expect(bed.toldKinds()).toEqual(['create', 'cancel', 'cancel'])
    })

    it('acknowledges and logs a notice of an unknown agreement', async () => {
      await bed.hear('0'.repeat(24), 'accept', 'lost')
      expect(double.acknowledged).toEqual(['lost'])
      expect(service.logged()).toContain('is not known')
    })
  })

  const MINUTE_MS = 60_000

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

  describe('with crossing changes', () => {
    it('suspends again what the debtor had suspended too', async () => {
      const id = await bed.makeActive()
      await calls.changeStatus(id, suspend)
      await service.runJob('send instructions')
      double.answerWith(() => ({ kind: 'refused', message: 'The payer has suspended it.' }))
      await calls.changeStatus(id, { action: 'release' })
      await service.runJob('send instructions')
      expect(agreementOf(await calls.get(id))).toMatchObject({ status: 'suspended', suspended_by: 'debtor' })
      await bed.hear(id, 'release', 'released')
      expect(await bed.statusOf(id)).toBe('active')
    })

    it("takes the debtor's release once its suspension is known", async () => {
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
      expect(await bed.statusOf(id)).toBe('suspended')
      await service.runJob('receive notices')
      expect(double.acknowledged).toContain('early')
      expect(await bed.statusOf(id)).toBe('active')
    })

    it('shows both suspensions, and the merchant releases first', async () => {
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

    it('shows both suspensions, and the debtor releases first', async () => {
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

    it('corrects nothing once the agreement has changed again', async () => {
      const id = await bed.makeActive()
      const add = (revision: number) =>
        addInstruction(
          service.database,
          { id, revision },
          { id: `instead-${String(revision)}`, content: { kind: 'suspend' } },
          new Date(),
        )
      expect([await add(0), await add(1)]).toEqual([false, true])
      await service.runJob('send instructions')
      expect(double.told.map((one) => one.id)).not.toContain('instead-0')
    })
  })
})
