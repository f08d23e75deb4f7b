import { describe, expect, it } from 'vitest'
import { nextState } from '../../platform/state-machine.ts'
import { agreementMoves, decideMove } from './agreement.ts'
import type { Agreement, AgreementAction, AgreementState, Party } from './agreement.ts'
import { madeAgreement, madeTerms } from './testing/made-agreement.ts'

const monthly = madeTerms({ frequency: 'monthly', pointInPeriod: 5 })
const collected = madeAgreement({ type: 'recurring', terms: monthly, startDate: '2026-11-01' })

const TODAY = '2026-12-01'

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
  madeAgreement({ status, suspendedBy: status === 'suspended' ? 'creditor' : null })

describe('an accepted agreement', () => {
  it.each([
    ['2026-11-04', '2026-11-05'],
    ['2026-11-05', '2026-11-05'],
    ['2026-11-06', '2026-12-05'],
  ])('is collected from its acceptance on: accepted %s, due %s', (day, dueOn) => {
    const [change] = decideMove({ ...collected, status: 'created' }, { action: 'accept', by: 'debtor', day })
    expect(change?.facts.nextDueOn).toBe(dueOn)
  })

  it('without a point in its periods is not collected', () => {
    const agreement = madeAgreement({ status: 'created' })
    expect(
      decideMove(agreement, { action: 'accept', by: 'debtor', day: '2026-11-22' })[0]?.facts.nextDueOn,
    ).toBeNull()
  })
})

describe('a released agreement', () => {
  const suspended = { ...collected, status: 'suspended', suspendedBy: 'creditor' } as const
  it.each([
    ['2026-12-05', '2026-11-05', '2026-12-04', ['released'], '2026-12-05'],
    ['2026-12-05', '2026-11-05', '2026-12-05', ['released'], '2026-12-05'],
    ['2026-12-05', '2026-11-05', '2026-12-06', ['collection_skipped', 'released'], '2027-01-05'],
    ['2027-01-05', '2026-12-05', '2026-12-05', ['released'], '2027-01-05'],
  ])('due %s, done until %s and released %s: %j, next %s', (nextDueOn, done, day, types, next) => {
    const agreement = { ...suspended, nextDueOn, dueDaysDoneUntil: done }
    const changes = decideMove(agreement, { action: 'release', by: 'creditor', day })
    expect(changes.map(({ type }) => type)).toEqual(types)
    expect(changes.at(-1)?.facts.nextDueOn).toBe(next)
  })

  it('whose last due day was collected has none left', () => {
    const ending = { ...suspended, endDate: '2026-12-31', nextDueOn: null, dueDaysDoneUntil: '2026-12-05' }
    const [release] = decideMove(ending, { action: 'release', by: 'creditor', day: '2026-12-05' })
    expect(release?.facts.nextDueOn).toBeNull()
  })
})

describe('what the network is told', () => {
  it.each([
    ['created', 'lapse', 'service', { kind: 'cancel' }],
    ['created', 'cancel', 'creditor', { kind: 'cancel' }],
    ['active', 'suspend', 'creditor', { kind: 'suspend' }],
    ['active', 'expire', 'service', { kind: 'expire' }],
    ['active', 'suspend', 'debtor', null],
    ['active', 'cancel', 'debtor', null],
  ] as const)('of one that is %s by %s of the %s', (status, action, by, instruction) => {
    const [change] = decideMove({ ...collected, status }, { action, by, day: '2026-11-22' })
    expect(change?.instruction).toEqual(instruction)
  })
})

describe.each(STATES)('an agreement that is %s', (state) => {
  it.each(actions)('goes by %s where the table says', (action) => {
    const [change] = decideMove(inState(state), { action, by: ACTIONS[action], day: TODAY }).slice(-1)
    expect(change?.facts.status ?? null).toBe(nextState(agreementMoves, state, action))
  })
})

describe('a suspension', () => {
  it.each([
    ['creditor', 'creditor', true],
    ['debtor', 'debtor', true],
    ['creditor', 'debtor', false],
    ['debtor', 'creditor', false],
  ] as const)('by the %s is released by the %s: %s', (suspendedBy, by, isReleased) => {
    const agreement = { ...inState('suspended'), suspendedBy }
    expect(decideMove(agreement, { action: 'release', by, day: TODAY }).length > 0).toBe(isReleased)
  })
})
