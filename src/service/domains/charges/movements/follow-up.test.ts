import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

describe('a capture or cancel that cannot be', () => {
  it.each([['0'], ['0.00'], ['-1'], ['1.001'], ['abc'], [true], [null]])(
    'a capture of %j: 400, unchanged',
    async (amount) => {
      const held = await service.authorise()
      expect((await calls.capture(held._id, { amount })).status).toBe(400)
      expect(await calls.read(held._id)).toEqual(held)
    },
  )

  it('a misspelt amount does not capture everything', async () => {
    const held = await service.authorise()
    expect(await calls.capture(held._id, { Amount: '1' })).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'Amount' }] } },
    })
    expect(await calls.read(held._id)).toEqual(held)
  })

  it.each([['null'], ['[]'], ['"10"'], ['0']])(
    'the body %s is no amount: 400, unchanged',
    async (payload) => {
      const held = await service.authorise()
      const headers = { ...calls.secret(), 'content-type': 'application/json' }
      const url = `/v1/charges/${held._id}/capture`
      expect((await service.call({ method: 'POST', url, headers, payload })).status).toBe(400)
      expect(await calls.read(held._id)).toEqual(held)
    },
  )

  it('more than was authorised: 422, unchanged', async () => {
    const held = await service.authorise()
    expect((await calls.capture(held._id, { amount: '10.01' })).body.error?.code).toBe(
      'amount_exceeds_authorised',
    )
    expect(await calls.read(held._id)).toEqual(held)
  })

  it.each([
    ['complete', 'capture'],
    ['cancelled', 'cancel'],
  ] as const)('a charge that is %s takes neither', async (_status, end) => {
    const { _id } = await service.authorise()
    await calls[end](_id)
    const ended = await calls.read(_id)
    for (const again of [calls.capture, calls.cancel]) {
      expect(await again(_id)).toMatchObject({
        status: 422,
        body: { error: { code: 'unfulfilled_condition' } },
      })
    }
    expect(await calls.read(_id)).toEqual(ended)
  })

  it("another merchant's charge is not there", async () => {
    const other = await service.makeMerchant()
    const { _id } = await service.authorise({}, other)
    expect((await calls.capture(_id)).status).toBe(404)
    expect((await calls.cancel(_id)).status).toBe(404)
    expect((await service.call({ url: `/v1/charges/${_id}`, headers: calls.secret() })).status).toBe(404)
  })

  it.each([['6b01799184f819f4cecbe1a75'], ['6b0'], ['6B01799184F819F4CECBE1A7'], ['%00'], ['x'.repeat(24)]])(
    'the id %s: 400',
    async (id) => {
      expect((await calls.capture(id)).status).toBe(400)
    },
  )
})

describe('a race', () => {
  it('of 100 captures of one charge has one winner, and the gateway sees one', async () => {
    const { _id } = await service.authorise()
    const answers = await Promise.all(Array.from({ length: 100 }, () => calls.capture(_id)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.every((status) => [201, 409, 422].includes(status))).toBe(true)
    expect((await calls.read(_id)).transactions.filter(({ type }) => type === 'capture')).toHaveLength(1)
    const ledger = testStatement<{ kind: string; result: string }>(
      't_ledger',
      'SELECT kind, result FROM sandbox_gateway.operations WHERE hold_id = $1 ORDER BY created_at',
    )
    const [sale] = (await calls.read(_id)).transactions
    expect(await service.database.run(ledger, [sale?.external_id])).toEqual([
      { kind: 'sale', result: 'approved' },
      { kind: 'capture', result: 'approved' },
    ])
  })

  it('of captures and cancels has one winner', async () => {
    const { _id } = await service.authorise()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? calls.capture : calls.cancel)(_id)),
    )
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  })
})
