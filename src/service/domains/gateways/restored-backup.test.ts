import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { createServiceAtAdyen } from './testing/service-at-adyen.ts'
import type { ServiceAtAdyen } from './testing/service-at-adyen.ts'

let adyen: ServiceAtAdyen
let held: ChargeResource

beforeAll(async () => {
  adyen = await createServiceAtAdyen()
})
afterAll(() => adyen.close())
beforeEach(async () => {
  held = await adyen.hold()
})

/** What moves charges. */
const TABLES = ['charges', 'attempts', 'event_outbox']
const backUp = () =>
  adyen.service.database.script(
    TABLES.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table};`).join(''),
  )
const restore = () =>
  adyen.service.database.script(`
    ${TABLES.toReversed()
      .map((table) => `DELETE FROM ${table};`)
      .join('')}
    ${TABLES.map((table) => `INSERT INTO ${table} SELECT * FROM kept_${table};`).join('')}`)
afterEach(() => adyen.service.database.script(TABLES.map((table) => `DROP TABLE kept_${table};`).join('')))

async function ask(what: 'capture' | 'refunds', amount: string, key: string): Promise<number> {
  const url = `/v1/charges/${held._id}/${what}`
  const headers = { ...adyen.calls.secret(), 'idempotency-key': key }
  return (await adyen.service.call({ method: 'POST', url, headers, payload: { amount } })).status
}
const books = () => adyen.double.ledger.booksOf(held.transactions[0]?._id ?? '')
const taken = { held: 0, taken: 10_000 }

describe('a request repeated after a restore', () => {
  it('is not paid back twice, whatever comes first', async () => {
    await adyen.calls.capture(held._id)
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
    expect(books()).toEqual([{ ...taken, refunded: 5000 }])
    expect((await adyen.calls.read(held._id)).statistics.total_refunded_amount).toBe(50)
  })

  it('is refunded again under another key or amount', async () => {
    await adyen.calls.capture(held._id)
    await backUp()
    await ask('refunds', '10.00', 'third')
    await restore()
    for (const [amount, key] of [
      ['10.00', 'fourth'],
      ['20.00', 'third'],
    ] as const)
      expect(await ask('refunds', amount, key)).toBe(201)
    expect(books()).toEqual([{ ...taken, refunded: 4000 }])
  })

  it('is captured under the same key of Adyen', async () => {
    await backUp()
    await ask('capture', '60.00', 'fifth')
    await restore()
    await ask('capture', '60.00', 'fifth')
    const [one, other] = adyen.double.requests.slice(-2)
    expect(one?.key).toBe(other?.key)
  })
})
