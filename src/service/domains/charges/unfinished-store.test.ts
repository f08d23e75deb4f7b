import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { keptPlanOf } from '../../testing/plan-of.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { statusesFor } from './charge.ts'
import { madeAttempt, cents, madeCharge } from './testing/made-charge.ts'
import { beginFollowUp, insertFollowUp } from './attempt-store.ts'
import { attemptValues } from './attempt-store.ts'
import { writeReleaseFrom } from './unfinished-store.ts'
import { endedHolds } from './unfinished-store.ts'
import { jobsWithWork, selectJobsWithWork } from './unfinished-store.ts'
import { randomBytes } from 'node:crypto'
import type { Database } from '../../platform/database/database.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { findChargesToAttend } from './needs-attention.ts'
import { findDueAttempts, findEndedHolds, noteEndedHolds } from './unfinished-store.ts'

describe('holds:', () => {
  let service: TestService
  let calls: ChargeCalls
  beforeAll(async () => {
    service = await createTestService()
    calls = chargeCalls(service)
  })
  afterAll(() => service.close())

  const run = (name: string, sql: string, ...values: unknown[]) =>
    service.database.run(testStatement<Record<string, unknown>>(name, sql), values)
  const look = () => jobsWithWork(service.database)
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

  describe('the check for ended holds', () => {
    it('sees one unless its release has just failed', async () => {
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

    it('sees none that has an open attempt', async () => {
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

    it('sees none that the clock has un-ended', async () => {
      const { _id } = await service.authorise({ amount: '10000.00' })
      await run('t_tried', 'UPDATE charges SET release_attempts = 1 WHERE id = $1', _id)
      expect((await calls.capture(_id, { amount: '9000.51' })).status).toBe(422)
      await minutesLater(_id, 2)
      expect(await look()).toEqual([])
    })
  })

  it('a capture that begins changes no index of charges', async () => {
    const { _id } = await service.authorise()
    const [row] = await run('t_version', 'SELECT version FROM charges WHERE id = $1', _id)
    const values = {
      ...attemptValues(_id, {
        ...madeAttempt({ id: 'begun' }),
        type: 'capture',
        reason: null,
        idempotentRequest: null,
      }),
      version: Number(row?.['version']),
      dispute_sums: 0,
      allowed: statusesFor('capture'),
      is_hold_over: false,
    }
    const counts = await service.database.transaction(async (queries) => {
      const before = await queries.run(updatesSoFar, [])
      await queries.run(insertFollowUp, values)
      return [...before, ...(await queries.run(updatesSoFar, []))]
    })
    const [before, after] = counts
    expect(after?.in_place).toBe(Number(before?.in_place) + 1)
  })

  describe('the statements by which ended holds are found', () => {
    const MANY = `
    INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source,
                         hold_expires_at, release_attempts, release_from)
    SELECT 'waits-' || n, 'm', 'g' || n % 3, '', 'pending', true, 100, 'AUD', '{}', '{}', now() - interval '1 day', 9,
           now() + interval '1 hour' FROM generate_series(1, 5000) n;
    ANALYZE charges`
    it('read no hold that waits', async () => {
      await service.database.script(MANY)
      expect(await look()).toEqual([])
      for (const one of [selectJobsWithWork, endedHolds])
        expect(await keptPlanOf<never, object>(service.database, { ...one, toParameters: () => [] })).toMatch(
          /charges_to_release[^\n]*\n *Index Cond: \(\(gateway_id = \S+ AND \(release_from <= now\(\)\)\)/,
        )
      for (const one of [selectJobsWithWork, writeReleaseFrom])
        expect(await keptPlanOf<never, object>(service.database, { ...one, toParameters: () => [] })).toMatch(
          /charges_held[^\n]*\n *Index Cond: \(hold_expires_at <= now\(\)\)/,
        )
    })
  })
})

describe('what is due', () => {
  /** More than were looked at once, of the service or of the dashboard. */
  const MANY = 5001

  let database: Database
  beforeAll(async () => {
    database = await createMigratedDatabase()
    await database.run(addCharges, ['greedy', 20, MANY])
    await database.run(addRefunds, ['greedy'])
    await database.run(makeDue, ['greedy', 90])
    await addUnknown('other', 10)
    await database.script('ANALYZE charges; ANALYZE attempts')
  })
  afterAll(() => database.close())

  const addCharges = testStatement<{ id: string; gateway_id: string }>(
    't_add_charges',
    `INSERT INTO charges (id, merchant_id, gateway_id, token_hash, status, pre_auth, amount, currency, customer, payment_source)
   SELECT $1 || '-' || n, $1, $1 || '-' || n % $2::int, '', 'complete', true, 100, 'AUD', '{}', '{}'
   FROM generate_series(1, $3::int) n RETURNING id, gateway_id`,
  )
  /** As the store begins them, which would take seconds. */
  const addRefunds = testStatement(
    't_add_refunds',
    `INSERT INTO attempts (id, charge_id, gateway_id, type, amount, outcome, ask_after)
   SELECT 'of-' || id, id, gateway_id, 'refund', 100, 'open', now() FROM charges WHERE merchant_id = $1`,
  )
  const makeDue = testStatement(
    't_make_due',
    `UPDATE attempts SET created_at = now() - interval '1 hour', ask_after = now() - $2::int * interval '1 second'
   WHERE charge_id LIKE $1 || '-%'`,
  )

  /** A refund without an outcome, of a charge at a merchant's one gateway account, which is due to be asked for. */
  async function addUnknown(merchantId: string, dueForSeconds: number) {
    const [charge] = await database.run(addCharges, [merchantId, 1, 1])
    await beginFollowUp(
      database,
      madeCharge({
        id: charge?.id ?? '',
        merchantId,
        gatewayId: charge?.gateway_id ?? '',
        status: 'complete',
        version: 0,
      }),
      {
        id: randomBytes(12).toString('hex'),
        type: 'refund',
        reason: null,
        amount: cents('1.00'),
        userId: null,
        sourceIp: null,
        reference: null,
        idempotentRequest: null,
      },
    )
    await database.run(makeDue, [merchantId, dueForSeconds])
  }

  const endHolds = testStatement(
    't_end_holds',
    `UPDATE charges SET status = 'pending', open_attempt_id = NULL, updated_at = now() - interval '1 hour',
          hold_expires_at = now() - CASE WHEN merchant_id = 'greedy' THEN 90 ELSE 10 END * interval '1 second' + random() * interval '1 second'`,
  )

  const find = async (targets: ReadonlyMap<string, number>, findDue = findDueAttempts, max = 96) => {
    const found = await findDue(database, { max, eachTarget: 16, targets })
    const countOf = (merchant: string) => found.filter(({ merchantId }) => merchantId === merchant).length
    return { greedy: countOf('greedy'), other: countOf('other') }
  }
  const accounts = (capacity: number) =>
    new Map(Array.from({ length: 20 }, (_, at) => [`greedy-${at}`, capacity]))

  it('finds an attempt of one merchant beside however many of another', async () => {
    expect(await find(new Map())).toEqual({ greedy: 191, other: 1 })
  })

  it('finds it beside accounts that may be asked one thing at a time', async () => {
    expect(await find(accounts(1))).toEqual({ greedy: 20, other: 1 })
  })

  it('finds nothing at accounts without capacity', async () => {
    expect(await find(accounts(0))).toEqual({ greedy: 0, other: 1 })
  })

  it('finds of each account the longest due', async () => {
    await database.script(
      `UPDATE attempts SET ask_after = ask_after - interval '1 hour' WHERE charge_id = 'greedy-4999'`,
    )
    const found = await findDueAttempts(database, { max: 96, eachTarget: 16, targets: accounts(1) })
    const [row] = await database.run(
      testStatement<{ id: string }>('t_of', 'SELECT id FROM attempts WHERE charge_id = $1'),
      ['greedy-4999'],
    )
    expect(found.filter(({ targetId }) => targetId === 'greedy-19')).toEqual([
      { id: row?.id, merchantId: 'greedy', targetId: 'greedy-19' },
    ])
  })

  it('finds it where less may begin than the other merchant has accounts', async () => {
    expect(await find(new Map(), findDueAttempts, 4)).toEqual({ greedy: 7, other: 1 })
  })

  it('finds it where less may begin than there are merchants at slow accounts', async () => {
    const slow = ['slow-a', 'slow-b', 'slow-c', 'slow-d', 'slow-e']
    for (const merchant of slow) await addUnknown(merchant, 60)
    const targets = new Map([...accounts(0), ...slow.map((merchant) => [`${merchant}-0`, 1] as const)])
    expect(await find(targets, findDueAttempts, 2)).toEqual({ greedy: 0, other: 1 })
  })

  it('shows a merchant its unknown outcomes beside however many of another', async () => {
    expect(await findChargesToAttend(database, 'other')).toMatchObject([
      { kind: 'follow_up_unknown', count: 1 },
    ])
  })

  it('finds an ended hold beside many at busy or slow accounts', async () => {
    await database.run(endHolds, [])
    while ((await noteEndedHolds(database)) > 0);
    expect(await find(accounts(4), findEndedHolds)).toEqual({ greedy: 80, other: 1 })
    expect(await find(accounts(1), findEndedHolds)).toEqual({ greedy: 20, other: 1 })
    expect(await find(accounts(0), findEndedHolds)).toEqual({ greedy: 0, other: 1 })
    expect(await find(accounts(1), findEndedHolds, 4)).toEqual({ greedy: 8, other: 1 })
  })
})
