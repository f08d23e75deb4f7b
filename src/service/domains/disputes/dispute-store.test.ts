import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Amount } from '../../../contract/api/fields/amount.ts'
import type { Database } from '../../platform/database/database.ts'
import { positionOf } from '../../platform/listing/cursor.ts'
import type { Position } from '../../platform/listing/cursor.ts'
import { pageOf } from '../../platform/listing/page-query.ts'
import { keptPlanOf } from '../../testing/plan-of.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { NOTHING_TOLD, stateOf } from './dispute.ts'
import type { Happening } from './dispute.ts'
import {
  dueListFor,
  disputeListFor,
  findChargeOf,
  listDisputes,
  placeIn,
  writeEntry,
} from './dispute-store.ts'

/** A merchant with 10,000 disputes: of each status, and of 5,000 charges. */
const FILL = `
  INSERT INTO disputes (id, merchant_id, charge_id, gateway_id, gateway_type, external_id, status, stage, amount, currency,
                        funds_withdrawn, respond_by, created_at)
  SELECT lpad(to_hex(n), 24, '0'), 'm1', 'c' || n % 5000, 'g1', 'adyen', 'd' || n,
         (ARRAY['needs_response', 'under_review', 'won', 'lost', 'accepted'])[1 + n % 5], 'chargeback', 1000, 'AUD', true,
         now() + n * interval '1 minute', now() - n * interval '1 minute'
  FROM generate_series(1, 10000) n;
  ANALYZE disputes;`

let filled: Database
beforeAll(async () => {
  filled = await createMigratedDatabase()
  await filled.script(FILL)
})
afterAll(() => filled.close())

const NONE = { status: null, charge_id: null, due_before: null }

it.each([
  ['nothing', () => keptPlanOf(filled, disputeListFor(NONE)), 'disputes_of_merchant'],
  ['status', () => keptPlanOf(filled, disputeListFor({ ...NONE, status: 'won' })), 'disputes_by_status'],
  ['charge', () => keptPlanOf(filled, disputeListFor({ ...NONE, charge_id: 'c1' })), 'disputes_of_charge'],
  ['need of a response', () => keptPlanOf(filled, dueListFor(NONE)), 'disputes_by_'],
  ['deadline', () => keptPlanOf(filled, dueListFor({ ...NONE, due_before: new Date() })), 'disputes_by_'],
])('a list by %s reads no more than an index leads to', async (_, planOf, index) => {
  const plan = await planOf()
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan on disputes')
})

const HAPPENING: Happening = {
  ...NOTHING_TOLD,
  ...{ at: new Date('2026-11-21T10:00:00Z'), externalId: 'stage-1', stage: 'chargeback', description: '' },
}

/** A dispute to which that happened, at a gateway where nothing else is. */
async function written(id: string, happenings: readonly Happening[], merchantId = 'm2') {
  const dispute = {
    ...{ id: id.padStart(24, 'f'), merchantId, chargeId: `charge-${id}`, gatewayId: 'g2' },
    ...{ gatewayType: 'adyen', currency: 'AUD', answer: null },
  }
  for (const [place, happening] of happenings.entries()) {
    const entry = { id: `${id}-${place}`, newsKey: String(place), happening, change: null }
    const state = stateOf(happenings.slice(0, place + 1), v.parse(Amount, '10.00'))
    await filled.transaction((queries) => writeEntry(queries, { ...dispute, state, entry }))
  }
}

it('a charge is found by the id of every stage of its dispute, at that gateway alone', async () => {
  const second = { ...HAPPENING, externalId: 'stage-2', stage: 'second_chargeback' } as const
  await written('a1', [HAPPENING, second])
  for (const id of ['stage-1', 'stage-2']) expect(await findChargeOf(filled, 'g2', id)).toBe('charge-a1')
  expect(await findChargeOf(filled, 'g2', 'stage-3')).toBeNull()
  expect(await findChargeOf(filled, 'g1', 'stage-1')).toBeNull()
})

describe('a list of those that need a response', () => {
  const ANY = {
    status: 'needs_response',
    reference: null,
    from: null,
    to: null,
    chargeId: null,
    dueBefore: null,
  }
  const list = async (change: object, limit = 10, merchantId = 'm3') => {
    const filter = { ...ANY, after: null, limit, skip: 0, ...change }
    const { shown, next } = await pageOf(
      filter,
      (page) => listDisputes(filled, merchantId, page),
      placeIn(filter),
    )
    return { ids: shown.map(({ id }) => id.slice(-2)), after: positionOf(next ?? '') }
  }
  beforeAll(async () => {
    const due = (day: number | null) => [
      { ...HAPPENING, respondBy: day === null ? null : new Date(Date.UTC(2026, 11, day)) },
    ]
    for (const [id, day] of [
      ['d1', 9],
      ['d2', null],
      ['d3', 3],
      ['d4', 3],
      ['d5', 6],
    ] as const)
      await written(id, due(day), 'm3')
    await written('d6', [{ ...HAPPENING, status: 'won' }], 'm3')
  })

  it('has the nearest deadline first, and those without one last', async () => {
    expect((await list({})).ids).toEqual(['d3', 'd4', 'd5', 'd1', 'd2'])
  })

  it('goes on in that order page by page', async () => {
    const pages: string[][] = []
    let after: Position | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ after }, 2)
      pages.push(page.ids)
      after = page.after
    } while (after !== null)
    expect(pages).toEqual([['d3', 'd4'], ['d5', 'd1'], ['d2']])
  })

  it('goes on page by page though a gateway has told of deadlines long ago and far away', async () => {
    for (const [id, year] of [
      ['e1', 9999],
      ['e2', 1000],
    ] as const)
      await written(id, [{ ...HAPPENING, respondBy: new Date(Date.UTC(year, 0)) }], 'm4')
    await written('e3', [HAPPENING], 'm4')
    const first = await list({}, 1, 'm4')
    const second = await list({ after: first.after }, 1, 'm4')
    const third = await list({ after: second.after }, 1, 'm4')
    expect([first, second, third].flatMap(({ ids }) => ids)).toEqual(['e2', 'e1', 'e3'])
  })

  it('is the same where a deadline is asked for, and ends before it', async () => {
    const dueBefore = new Date(Date.UTC(2026, 11, 9))
    expect((await list({ status: null, dueBefore })).ids).toEqual(['d3', 'd4', 'd5'])
    expect((await list({ status: 'won', dueBefore })).ids).toEqual([])
  })

  it('is narrowed by a charge, and by when they were opened', async () => {
    expect((await list({ chargeId: 'charge-d5' })).ids).toEqual(['d5'])
    expect((await list({ from: new Date(Date.UTC(2999, 0)) })).ids).toEqual([])
    expect((await list({ to: new Date(0) })).ids).toEqual([])
  })
})
