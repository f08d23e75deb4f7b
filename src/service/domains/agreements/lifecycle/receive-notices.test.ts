import { expect, it } from 'vitest'
import type { DebtorAnswer } from '../../payment-network/payment-network.ts'
import type { Agreement } from '../agreement.ts'
import { madeAgreement } from '../testing/made-agreement.ts'
import { createNetworkDouble } from '../testing/network-double.ts'
import { createNoticeReceiver } from './receive-notices.ts'

const NOW = Date.parse('2026-12-01T01:00:00.000Z')

/** Records what a debtor did; returns the changes, and the instructions that the network gets in answer. */
async function receive(answer: DebtorAnswer, overrides: Partial<Agreement>) {
  const agreement = madeAgreement({ type: 'recurring', ...overrides })
  const { network, notices, acknowledged } = createNetworkDouble()
  notices.push({ id: 'notice', agreementId: agreement.id, answer, amendmentId: null, at: new Date(NOW) })
  const recorded: string[] = []
  const told: string[] = []
  const receiver = createNoticeReceiver({
    store: { find: () => Promise.resolve(agreement), isNoticeApplied: () => Promise.resolve(false) },
    instructions: {
      add: (_, { content }) => Promise.resolve(told.push(content.kind) > 0),
      isWaiting: () => Promise.resolve(false),
    },
    network,
    recordDecisions: (one, decisions) => {
      recorded.push(...decisions.map(({ type }) => type))
      return Promise.resolve(one)
    },
    createId: () => 'id',
    timeOfDay: { epochMs: () => NOW },
    warn: () => undefined,
    onFault: (error) => {
      throw error
    },
  })
  return { isComplete: await receiver.receive(), recorded, told, acknowledged }
}

it.each([
  ['active', '2026-12-01'],
  ['active', '2026-11-30'],
] as const)(
  'an answer waits while the agreement is %s and the payment of %s is still to be collected',
  async (status, nextDueOn) => {
    const { isComplete, recorded, acknowledged } = await receive('cancel', { status, nextDueOn })
    expect({ isComplete, recorded, acknowledged }).toEqual({
      isComplete: false,
      recorded: [],
      acknowledged: [],
    })
  },
)

it.each([
  ['active', '2026-12-02'],
  ['active', null],
  ['suspended', '2026-11-30'],
] as const)('an answer is taken while the agreement is %s and due next on %s', async (status, nextDueOn) => {
  const { isComplete, recorded, acknowledged } = await receive('cancel', { status, nextDueOn })
  expect({ isComplete, recorded }).toEqual({ isComplete: true, recorded: ['cancelled'] })
  expect(acknowledged).toEqual(['notice'])
})

it('after a release by the debtor of what the merchant has suspended, the network is told so', async () => {
  const received = await receive('release', { status: 'suspended', suspendedBy: 'creditor' })
  expect(received).toMatchObject({ recorded: [], told: ['suspend'], acknowledged: ['notice'] })
})

it.each([
  ['suspended', 'both', []],
  ['suspended', 'debtor', []],
  ['cancelled', null, ['cancel']],
] as const)(
  'after a suspension by the debtor that changes nothing, of an agreement that is %s (by: %s), the network is told %j',
  async (status, suspendedBy, told) => {
    expect(await receive('suspend', { status, suspendedBy })).toMatchObject({
      recorded: [],
      told,
      acknowledged: ['notice'],
    })
  },
)
