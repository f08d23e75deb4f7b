import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import { keptPlanOf } from '../../../testing/plan-of.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { statusesFor } from '../charge.ts'
import { madeAttempt } from '../testing/made-charge.ts'
import { beginFollowUp } from '../statements/movement-sql.ts'
import { attemptValuesOf } from '../statements/movement-values.ts'
import { noteEndedHolds } from '../statements/ended-holds-sql.ts'
import { findEndedHolds } from '../statements/unfinished-sql.ts'
import { lookForUnfinished, seeUnfinished } from './look-for-unfinished.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

const run = (name: string, sql: string, ...values: unknown[]) =>
  service.database.run(testStatement<Record<string, unknown>>(name, sql), values)
const look = () => lookForUnfinished(service.database)()
const endHold = (id: string) =>
  run('t_end_hold', "UPDATE charges SET hold_expires_at = now() - interval '1 second' WHERE id = $1", id)
const minutesLater = (id: string, minutes: number) =>
  run(
    't_minutes_later',
    'UPDATE charges SET release_from = release_from - make_interval(mins => $2) WHERE id = $1',
    id,
    minutes,
  )
const withoutGateway = (id: string) =>
  run(
    't_without_gateway',
    `UPDATE charges SET payment_source = (payment_source::jsonb || '{"gateway_type":"gone"}')::json WHERE id = $1`,
    id,
  )
/** How many updates of charges, by the connection that asks, needed no new entry in any index. */
const updatesSoFar = testStatement<{ in_place: number }>(
  't_updates',
  `SELECT pg_stat_get_xact_tuples_hot_updated('charges'::regclass)::integer AS in_place`,
)
const ofEndedHolds = ['release ended holds']

describe('the look for ended holds', () => {
  it('sees one whose time is over, and none that could not be released just now', async () => {
    const { _id } = await service.authorise()
    expect(await look()).toEqual([])
    await endHold(_id)
    expect(await look()).toEqual(ofEndedHolds)
    await withoutGateway(_id)
    await service.runJob('release ended holds')
    expect((await calls.read(_id)).status).toBe('pending')
    expect(await look()).toEqual([])
    await minutesLater(_id, 1)
    expect(await look()).toEqual(ofEndedHolds)
    await service.runJob('release ended holds')
    expect(await look()).toEqual([])
  })

  it('sees none at which something is under way; once that has failed, the hold is released', async () => {
    const { _id } = await service.authorise({ amount: '10000.00' })
    const answer = await calls.capture(_id, { amount: '9000.69' })
    expect(answer.body.error?.code).toBe('outcome_unknown')
    await endHold(_id)
    await service.runJob('release ended holds')
    expect(await look()).not.toContain('release ended holds')
    expect(await run('t_from', 'SELECT release_from::text FROM charges WHERE id = $1', _id)).toEqual([
      { release_from: 'infinity' },
    ])
    await service.runJob('resolve attempts')
    expect(await look()).toEqual(ofEndedHolds)
    await service.runJob('release ended holds')
    expect(await calls.read(_id)).toMatchObject({ status: 'cancelled' })
  })

  it('sees none whose time is no longer over, as the clock was set back, also after a capture that was declined', async () => {
    const { _id } = await service.authorise({ amount: '10000.00' })
    await run('t_tried', 'UPDATE charges SET releases_tried = 1 WHERE id = $1', _id)
    expect((await calls.capture(_id, { amount: '9000.51' })).status).toBe(422)
    await minutesLater(_id, 2)
    expect(await look()).toEqual([])
  })
})

it('a capture that begins changes no index of charges', async () => {
  const { _id } = await service.authorise()
  const [row] = await run('t_version', 'SELECT version FROM charges WHERE id = $1', _id)
  const values = {
    ...attemptValuesOf(_id, { ...madeAttempt({ id: 'begun', type: 'capture' }), idempotentRequest: null }),
    version: Number(row?.['version']),
    allowed: statusesFor('capture'),
    is_hold_over: false,
  }
  const counts = await service.database.transaction(async (queries) => {
    const before = await queries.run(updatesSoFar, [])
    await queries.run(beginFollowUp, values)
    return [...before, ...(await queries.run(updatesSoFar, []))]
  })
  const [before, after] = counts
  expect(after?.in_place).toBe(Number(before?.in_place) + 1)
})

describe('the statements by which ended holds are found', () => {
  const MANY = `
    INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source,
                         hold_expires_at, releases_tried, release_from)
    SELECT 'waits-' || n, 'm', 'g' || n % 3, '', 'pending', true, 100, 'AUD', '{}', '{}', now() - interval '1 day', 9,
           now() + interval '1 hour' FROM generate_series(1, 5000) n;
    ANALYZE charges`
  it('read no hold that waits', async () => {
    await service.database.script(MANY)
    expect(await look()).toEqual([])
    for (const one of [seeUnfinished, findEndedHolds])
      expect(await keptPlanOf<never, object>(service.database, { ...one, toParameters: () => [] })).toMatch(
        /charges_to_release[^\n]*\n *Index Cond: \(\(gateway_id = \S+ AND \(release_from <= now\(\)\)\)/,
      )
    for (const one of [seeUnfinished, noteEndedHolds])
      expect(await keptPlanOf<never, object>(service.database, { ...one, toParameters: () => [] })).toMatch(
        /charges_held[^\n]*\n *Index Cond: \(hold_expires_at <= now\(\)\)/,
      )
  })
})
