import { describe, expect, it } from 'vitest'
import { madeAgreement, madeTerms } from '../testing/made-agreement.ts'
import { moved } from './move.ts'

const monthly = madeTerms({ frequency: 'monthly', pointInPeriod: 5 })
const collected = madeAgreement({ type: 'recurring', terms: monthly, startDate: '2026-11-01' })

describe('an accepted agreement', () => {
  it.each([
    ['2026-11-04', '2026-11-05'],
    ['2026-11-05', '2026-11-05'],
    ['2026-11-06', '2026-12-05'],
  ])('is collected from the day of its acceptance on: accepted %s, due %s', (day, dueOn) => {
    const [change] = moved({ ...collected, status: 'created' }, { action: 'accept', by: 'debtor', day })
    expect(change?.facts.nextDueOn).toBe(dueOn)
  })

  it('without a point in its periods is not collected', () => {
    const agreement = madeAgreement({ status: 'created' })
    expect(
      moved(agreement, { action: 'accept', by: 'debtor', day: '2026-11-22' })[0]?.facts.nextDueOn,
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
    const changes = moved(agreement, { action: 'release', by: 'creditor', day })
    expect(changes.map(({ type }) => type)).toEqual(types)
    expect(changes.at(-1)?.facts.nextDueOn).toBe(next)
  })

  it('whose last due day was collected has none left', () => {
    const ending = { ...suspended, endDate: '2026-12-31', nextDueOn: null, dueDaysDoneUntil: '2026-12-05' }
    const [release] = moved(ending, { action: 'release', by: 'creditor', day: '2026-12-05' })
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
    const [change] = moved({ ...collected, status }, { action, by, day: '2026-11-22' })
    expect(change?.instruction).toEqual(instruction)
  })
})
