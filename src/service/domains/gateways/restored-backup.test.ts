import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { startAdyenDouble } from './adyen/testing/adyen-double.ts'
import type { AdyenDouble } from './adyen/testing/adyen-double.ts'

let service: TestService
let calls: ChargeCalls
let double: AdyenDouble
let gatewayId: string
let held: ChargeResource

beforeAll(async () => {
  double = await startAdyenDouble({ apiKey: 'right' })
  service = await createTestService({ gatewayTimeoutMs: 5000 })
  calls = chargeCalls(service)
  const credentials = { api_key: 'right', merchant_account: 'Acme', base_url: double.baseUrl }
  const gateway = { name: 'Adyen', type: 'adyen', isDefault: true, credentials }
  gatewayId = (await service.merchants.addGateway(service.merchant.merchant.id, gateway)) ?? ''
})
afterAll(async () => {
  await service.close()
  await double.close()
})
beforeEach(async () => {
  const token = await service.tokenise({ gateway_id: gatewayId })
  held = chargeOf(await calls.sell({ amount: '100.00', currency: 'AUD', token }))
})

/** What moves charges. */
const TABLES = ['charges', 'attempts', 'event_outbox']
const backUp = () =>
  service.database.script(TABLES.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table};`).join(''))
const restore = () =>
  service.database.script(`
    ${TABLES.toReversed()
      .map((table) => `DELETE FROM ${table};`)
      .join('')}
    ${TABLES.map((table) => `INSERT INTO ${table} SELECT * FROM kept_${table};`).join('')}`)
afterEach(() => service.database.script(TABLES.map((table) => `DROP TABLE kept_${table};`).join('')))

async function ask(what: 'capture' | 'refunds', amount: string, key: string): Promise<number> {
  const url = `/v1/charges/${held._id}/${what}`
  const headers = { ...calls.secret(), 'idempotency-key': key }
  return (await service.call({ method: 'POST', url, headers, payload: { amount } })).status
}
const books = () => double.ledger.booksOf(held.transactions[0]?._id ?? '')
const taken = { held: 0, taken: 10_000 }

describe('what was moved after a backup that was restored, asked for again under its Idempotency-Key', () => {
  it('is not paid back twice, whatever comes first', async () => {
    await calls.capture(held._id)
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
    expect((await calls.read(held._id)).statistics.total_refunded_amount).toBe(50)
  })

  it('is paid back again where another key, or another amount, makes it another refund', async () => {
    await calls.capture(held._id)
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
    const [one, other] = double.requests.slice(-2)
    expect(one?.key).toBe(other?.key)
  })
})
