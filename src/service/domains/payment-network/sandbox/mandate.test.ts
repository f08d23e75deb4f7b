import { describe, expect, it } from 'vitest'
import type { DebtorAnswer, Instruction } from '../payment-network.ts'
import { creationFor } from '../testing/network-bed.ts'
import { answer, follow, maxAmountOf, toOffer } from './mandate.ts'
import type { Mandate } from './mandate.ts'

const NOW = Date.parse('2026-11-22T00:00:00Z')
const { type, purpose, mandate: terms } = creationFor({ name: 'Grace', type: 'person' })
const offer = toOffer({ ...terms, responseRequiredBy: new Date(NOW + 1000) })
const states = ['created', 'active', 'suspended', 'cancelled', 'expired'] as const

const mandateIn = (status: Mandate['status'], change: Partial<Mandate> = {}): Mandate => ({
  id: 'agreement',
  status,
  suspendedBy: null,
  type,
  purpose,
  creditorName: 'Acme Power',
  debtorName: 'Grace',
  offer,
  pendingAmendment: null,
  acceptsAmendments: false,
  createdAt: new Date(NOW),
  ...change,
})
type Simple = 'suspend' | 'release' | 'cancel' | 'expire'
const told = (mandate: Mandate, kind: Simple) => follow(mandate, { kind, id: 'i', agreementId: mandate.id })

describe('a mandate at the bank', () => {
  it.each<[DebtorAnswer, (string | null)[]]>([
    ['accept', ['active', null, null, null, null]],
    ['decline', ['cancelled', null, null, null, null]],
    ['suspend', [null, 'suspended', null, null, null]],
    ['release', [null, null, 'active', null, null]],
    ['cancel', [null, 'cancelled', 'cancelled', null, null]],
  ])('the payer can %s: from created, active, suspended, cancelled, expired to %o', (given, expected) => {
    const reached = states.map(
      (status) => answer(mandateIn(status, { suspendedBy: 'debtor' }), given, NOW).mandate?.status ?? null,
    )
    expect(reached).toEqual(expected)
  })

  it.each<[Simple, (string | null)[]]>([
    ['suspend', [null, 'suspended', null, null, null]],
    ['release', [null, 'active', 'active', null, null]],
    ['cancel', ['cancelled', 'cancelled', 'cancelled', 'cancelled', 'expired']],
    ['expire', ['expired', 'expired', 'expired', 'cancelled', 'expired']],
  ])('follows %s: from created, active, suspended, cancelled, expired to %o', (kind, expected) => {
    const reached = states.map(
      (status) => told(mandateIn(status, { suspendedBy: 'creditor' }), kind).mandate?.status ?? null,
    )
    expect(reached).toEqual(expected)
  })

  it.each(['debtor', 'creditor'] as const)('that the %s suspended is released by it alone', (by) => {
    const suspended = mandateIn('suspended', { suspendedBy: by })
    expect(answer(suspended, 'release', NOW).refusal === null).toBe(by === 'debtor')
    expect(told(suspended, 'release').refusal === null).toBe(by === 'creditor')
    const active = mandateIn('active')
    const after = by === 'debtor' ? answer(active, 'suspend', NOW) : told(active, 'suspend')
    expect(after.mandate?.suspendedBy).toBe(by)
  })

  it('takes no answer once the time for it is over, to itself or to an amendment', () => {
    const asked = mandateIn('active', { pendingAmendment: { id: 'a', offer } })
    for (const [mandate, given] of [
      [mandateIn('created'), 'accept'],
      [mandateIn('created'), 'decline'],
      [asked, 'accept_amendment'],
      [asked, 'decline_amendment'],
    ] as const) {
      expect(answer(mandate, given, NOW + 999).refusal).toBeNull()
      expect(answer(mandate, given, NOW + 1000).refusal).toBe('The time for an answer is over.')
    }
  })

  const described = {
    kind: 'describe',
    id: 'i',
    agreementId: 'agreement',
    description: 'New',
    shortDescription: null,
  } as const
  const amended = {
    kind: 'amend',
    id: 'i',
    agreementId: 'agreement',
    amendmentId: 'b',
    mandate: terms,
  } as const
  it.each<[string, Exclude<Instruction, { kind: 'create' }>, boolean[]]>([
    ['describe', described, [true, true, true, false, false]],
    ['amend', amended, [false, true, false, false, false]],
  ])('follows %s if created, active, suspended, cancelled, expired: %o', (_, instruction, expected) => {
    expect(states.map((status) => follow(mandateIn(status), instruction).refusal === null)).toEqual(expected)
  })

  it('keeps new words when an older amendment is accepted', () => {
    const asked = mandateIn('active', { pendingAmendment: { id: 'a', offer } })
    const { mandate } = follow(asked, described)
    if (mandate === null) throw new Error('the new words were refused')
    expect(mandate.pendingAmendment?.offer.description).toBe('New')
    expect(answer(mandate, 'accept_amendment', NOW).mandate?.offer.description).toBe('New')
  })

  it('has one amendment pending at a time, and none once it has ended', () => {
    const asked = mandateIn('active', { pendingAmendment: { id: 'a', offer } })
    expect(follow(asked, amended).refusal).toMatch(/waits/)
    expect(told(asked, 'suspend').mandate?.pendingAmendment?.id).toBe('a')
    expect(told(asked, 'cancel').mandate?.pendingAmendment).toBeNull()
    const withdrawn = follow(asked, {
      kind: 'withdraw_amendment',
      id: 'i',
      agreementId: 'agreement',
      amendmentId: 'a',
    })
    expect(withdrawn.mandate?.pendingAmendment).toBeNull()
  })
})

it.each([
  [{ amount: 40 }, 4000],
  [{ maximum_amount: 19.99 }, 1999],
  [{ amount: 40, first_payment: { date: '2026-11-22', amount: 55.1 } }, 5510],
  [{ amount: 40, last_payment: { date: '2026-11-22', amount: 0.29 } }, 4000],
  [{ amount: 40, last_payment: { date: '2026-11-22', amount: 9_999_999.99 } }, 999_999_999],
])('the most that %o allows is %i cents', (change, max) => {
  expect(maxAmountOf({ ...terms.terms, maximum_amount: null, ...change })).toBe(max)
})
