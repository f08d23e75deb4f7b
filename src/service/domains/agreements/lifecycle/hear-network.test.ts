import { expect, it } from 'vitest'
import type { Agreement } from '../agreement.ts'
import { madeAgreement } from '../testing/made-agreement.ts'
import { createNetworkDouble } from '../testing/network-double.ts'
import { createHearNetwork } from './hear-network.ts'

const NOW = Date.parse('2026-12-01T01:00:00.000Z')

/** Hears of a debtor who has cancelled; answers with the changes that were recorded. */
async function hearCancel(overrides: Partial<Agreement>) {
  const agreement = madeAgreement({ type: 'recurring', ...overrides })
  const { network, notices, acknowledged } = createNetworkDouble()
  notices.push({ id: 'cancelled', agreementId: agreement.id, answer: 'cancel', amendmentId: null })
  const recorded: string[] = []
  const { hear } = createHearNetwork({
    store: { find: () => Promise.resolve(agreement), isNoticeApplied: () => Promise.resolve(false) },
    instructions: { add: () => Promise.resolve(true), isWaiting: () => Promise.resolve(false) },
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
  return { isAllHeard: await hear(), recorded, acknowledged }
}

it.each([
  ['active', '2026-12-01'],
  ['active', '2026-11-30'],
] as const)(
  'an answer waits while the agreement is %s and the payment of %s is still to be collected',
  async (status, nextDueOn) => {
    const { isAllHeard, recorded, acknowledged } = await hearCancel({ status, nextDueOn })
    expect({ isAllHeard, recorded, acknowledged }).toEqual({
      isAllHeard: false,
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
  const { isAllHeard, recorded, acknowledged } = await hearCancel({ status, nextDueOn })
  expect({ isAllHeard, recorded }).toEqual({ isAllHeard: true, recorded: ['cancelled'] })
  expect(acknowledged).toEqual(['cancelled'])
})
