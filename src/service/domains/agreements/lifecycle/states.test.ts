import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../platform/database/database.ts'
import { createIds } from '../../../platform/identifiers.ts'
import { nextState } from '../../../platform/state-machine.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { writeEvent } from '../../events/write-event.ts'
import { createAgreementStore } from '../agreement-store.ts'
import type { AgreementStore } from '../agreement-store.ts'
import { agreementMoves } from '../agreement.ts'
import type { Agreement, AgreementAction, AgreementState, Party } from '../agreement.ts'
import { madeAgreement } from '../testing/made-agreement.ts'
import { createEndByTime } from './end-by-time.ts'
import { createInstructionStore } from './instruction-store.ts'
import { moved } from './move.ts'
import { createRecordDecisions } from './record-decisions.ts'

const NOW = Date.parse('2026-12-01T00:00:00.000Z')
const TODAY = '2026-12-01'
const timeOfDay = { epochMs: () => NOW }
const createId = createIds(timeOfDay)

let database: Database
let store: AgreementStore
beforeAll(async () => {
  database = await createMigratedDatabase()
  store = createAgreementStore(database, writeEvent)
})
afterAll(() => database.close())

const STATES = ['created', 'active', 'suspended', 'cancelled', 'expired'] as const satisfies AgreementState[]
const ACTIONS: Readonly<Record<AgreementAction, Party>> = {
  accept: 'debtor',
  decline: 'debtor',
  lapse: 'service',
  suspend: 'creditor',
  release: 'creditor',
  cancel: 'creditor',
  expire: 'service',
}
const actions = Object.keys(ACTIONS).filter((one): one is AgreementAction => one in ACTIONS)

const inState = (status: AgreementState): Agreement =>
  madeAgreement({ id: createId(), status, suspendedBy: status === 'suspended' ? 'creditor' : null })

async function added(agreement: Agreement): Promise<Agreement> {
  const sealed = { masterKeyId: 'k', wrappedDataKey: randomBytes(8), text: randomBytes(8) }
  const change = { id: createId(), type: 'created', by: 'creditor', at: new Date(NOW) } as const
  return store.add(agreement, sealed, { ...change, noticeId: null, reason: null, instruction: null })
}

describe.each(STATES)('an agreement that is %s', (state) => {
  it.each(actions)('goes by %s where the table says', (action) => {
    const [change] = moved(inState(state), { action, by: ACTIONS[action], day: TODAY }).slice(-1)
    expect(change?.facts.status ?? null).toBe(nextState(agreementMoves, state, action))
  })

  it.each(['lapse', 'expire'] as const)(
    'is found for %s in the database where the table says',
    async (action) => {
      const { id } = await added({
        ...inState(state),
        endDate: action === 'expire' ? '2026-11-30' : null,
        responseRequiredBy: new Date(action === 'lapse' ? NOW - 1 : NOW + 1),
      })
      const recordDecisions = createRecordDecisions({ database, store, createId, timeOfDay })
      const receiveNotices = () => Promise.resolve(true)
      const instructions = createInstructionStore(database)
      await createEndByTime({
        database,
        receiveNotices,
        instructions,
        recordDecisions,
        createId,
        timeOfDay,
      })()
      expect((await store.find(id))?.status).toBe(nextState(agreementMoves, state, action) ?? state)
    },
  )
})

describe('what was suspended', () => {
  it.each([
    ['creditor', 'creditor', true],
    ['debtor', 'debtor', true],
    ['creditor', 'debtor', false],
    ['debtor', 'creditor', false],
  ] as const)('by the %s is released by the %s: %s', (suspendedBy, by, isReleased) => {
    const agreement = { ...inState('suspended'), suspendedBy }
    expect(moved(agreement, { action: 'release', by, day: TODAY }).length > 0).toBe(isReleased)
  })
})

describe('a change', () => {
  it('of an agreement that has changed since it was read is not written', async () => {
    const agreement = await added(inState('active'))
    const recordDecisions = createRecordDecisions({ database, store, createId, timeOfDay })
    const decisions = moved(agreement, { action: 'suspend', by: 'creditor', day: TODAY })
    expect((await recordDecisions(agreement, decisions))?.revision).toBe(1)
    expect(await recordDecisions(agreement, decisions)).toBeNull()
    expect((await store.history(agreement.id)).map(({ type }) => type)).toEqual(['created', 'suspended'])
  })

  it('for a notice is written once', async () => {
    const first = await added(inState('active'))
    const recordDecisions = createRecordDecisions({ database, store, createId, timeOfDay })
    const suspended = await recordDecisions(
      first,
      moved(first, { action: 'suspend', by: 'debtor', day: TODAY }),
      'n1',
    )
    if (suspended === null) throw new Error('it was not suspended')
    const cancelled = moved(suspended, { action: 'cancel', by: 'debtor', day: TODAY })
    expect(await recordDecisions(suspended, cancelled, 'n1')).toBeNull()
    expect((await store.find(first.id))?.status).toBe('suspended')
  })
})
