import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { createServiceAt, GATEWAYS } from './testing/service-at.ts'
import type { ServiceAt } from './testing/service-at.ts'

let there: ServiceAt
let held: ChargeResource

/** What moves charges. */
const TABLES = ['charges', 'attempts', 'event_outbox']
const backUp = () =>
  there.service.database.script(
    TABLES.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table};`).join(''),
  )
const restore = () =>
  there.service.database.script(`
    ${TABLES.toReversed()
      .map((table) => `DELETE FROM ${table};`)
      .join('')}
    ${TABLES.map((table) => `INSERT INTO ${table} SELECT * FROM kept_${table};`).join('')}`)
const forget = () =>
  there.service.database.script(TABLES.map((table) => `DROP TABLE kept_${table};`).join(''))

async function ask(what: 'capture' | 'refunds', amount: string, key: string): Promise<number> {
  const url = `/v1/charges/${held._id}/${what}`
  const headers = { ...there.calls.secret(), 'idempotency-key': key }
  return (await there.service.call({ method: 'POST', url, headers, payload: { amount } })).status
}
const books = () => there.booksOf(held.transactions[0]?._id ?? '')
const taken = { held: 0, taken: 10_000 }

describe.each(GATEWAYS)('a request to %s repeated after a restore', (name) => {
  beforeAll(async () => {
    there = await createServiceAt(name)
  })
  afterAll(() => there.close())
  beforeEach(async () => {
    held = await there.hold()
  })
  afterEach(forget)

  it('is not paid back twice, whatever comes first', async () => {
    await there.calls.capture(held._id)
    await backUp()
    for (const again of [false, true]) {
      if (again) await restore()
      const refunds = [
        ['40.00', 'one'],
        ['10.00', 'other'],
      ] as const
      for (const [amount, key] of again ? refunds.toReversed() : refunds)
        expect(await ask('refunds', amount, key)).toBe(201)
    }
    expect(await books()).toEqual([{ ...taken, refunded: 5000 }])
    expect((await there.calls.read(held._id)).statistics.total_refunded_amount).toBe(50)
  })

  it('is refunded again under another key or amount', async () => {
    await there.calls.capture(held._id)
    await backUp()
    await ask('refunds', '10.00', 'third')
    await restore()
    for (const [amount, key] of [
      ['10.00', 'fourth'],
      ['20.00', 'third'],
    ] as const)
      expect(await ask('refunds', amount, key)).toBe(201)
    expect(await books()).toEqual([{ ...taken, refunded: 4000 }])
  })

  it('is captured by the same attempt', async () => {
    await backUp()
    const ids: (string | undefined)[] = []
    for (const again of [false, true]) {
      if (again) await restore()
      await ask('capture', '60.00', 'fifth')
      ids.push((await there.calls.read(held._id)).transactions.at(-1)?._id)
    }
    expect(ids[1]).toBe(ids[0])
    expect(await books()).toEqual([{ held: 0, taken: 6000, refunded: 0 }])
  })
})
