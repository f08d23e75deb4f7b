import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const send = (key: string, url: string, payload: string) =>
  service.call({
    method: 'POST',
    url,
    headers: {
      'x-user-secret-key': service.merchant.secretKey,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    payload,
  })
const refund = (id: string, payload: string) => send(`refund-${id}`, `/v1/charges/${id}/refunds`, payload)

/** A charge that was captured, so that parts of it can be refunded. */
async function captured(): Promise<string> {
  const { _id: id } = await service.authorise({ amount: '100.00' })
  await send(`capture-${id}`, `/v1/charges/${id}/capture`, '')
  return id
}

const FIRST = '{"amount":12,"reference":"Café A"}'

describe('the same request under a key', () => {
  it.each([
    ['names in another order', '{"reference":"Café A","amount":12}'],
    ['white space between', ' {\n "amount" : 12 ,\t"reference":"Café A" } '],
    ['another spelling of a number', '{"amount":12.0,"reference":"Café A"}'],
    ['a number with an exponent', '{"amount":1.2e1,"reference":"Café A"}'],
    ['escapes in a text', String.raw`{"amount":12,"reference":"\u0043af\u00e9 A"}`],
    ['escapes in a name', String.raw`{"\u0061mount":12,"reference":"Café A"}`],
  ])('is told by what its JSON means: %s', async (_, repeated) => {
    const id = await captured()
    const first = await refund(id, FIRST)
    expect(first.status).toBe(201)
    const again = await refund(id, repeated)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
  })

  it.each([
    ['an amount as a text', FIRST, '{"amount":"12","reference":"Café A"}'],
    [
      'another normal form of Unicode',
      FIRST,
      JSON.stringify({ amount: 12, reference: 'Café A'.normalize('NFD') }),
    ],
    ['null where a field was left out', '{"amount":12}', '{"amount":12,"reference":null}'],
    ['another amount', FIRST, '{"amount":12.01,"reference":"Café A"}'],
  ])('is not one with %s', async (_, first, other) => {
    const id = await captured()
    expect((await refund(id, first)).status).toBe(201)
    const { status, body } = await refund(id, other)
    expect([status, body.error?.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('is told on every route that keeps its answer, names in names included', async () => {
    const url = '/v1/checkouts/templates?type=customisation'
    const [one, other] = ['{"version":1,"content":{}}', '{"content":{},"version":1}']
    const first = await send('template', url, one)
    const again = await send('template', url, other)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([first.status, 'true'])
    const intent = (customer: string) =>
      send('intent', '/v1/checkouts/intent', `{"amount":"5.00","version":1,"customer":${customer}}`)
    const made = await intent('{"email":"a@example.com","phone":"+61400000000"}')
    const repeated = await intent('{"phone":"+61400000000","email":"a@example.com"}')
    expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([made.status, 'true'])
  })

  it.each([
    ['', '{}'],
    ['{}', ' '],
  ])('is told by an empty body, however it is sent: %j and %j', async (one, other) => {
    const { _id: id } = await service.authorise({ amount: '100.00' })
    const capture = (payload: string) => send(`capture-${id}`, `/v1/charges/${id}/capture`, payload)
    expect((await capture(one)).status).toBe(201)
    const again = await capture(other)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
  })

  it('is known again by the hash of an earlier version, for as long as its key is kept', async () => {
    const id = await captured()
    await refund(id, FIRST)
    const url = `/v1/charges/${id}/refunds`
    const former = createHash('sha256')
      .update(JSON.stringify([url, JSON.parse(FIRST)]))
      .digest('base64url')
    const update = testStatement(
      't_former_hash',
      "UPDATE attempts SET request_hash = $1 WHERE charge_id = $2 AND type = 'refund'",
    )
    await service.database.run(update, [former, id])
    const again = await refund(id, FIRST)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
  })
})

it('another request under a key is refused in words that move no money twice', async () => {
  const id = await captured()
  await refund(id, FIRST)
  const { status, body } = await refund(id, '{"amount":13}')
  expect([status, body.error?.code]).toEqual([422, 'idempotency_key_reused'])
  expect(body.error?.message).toContain('First read what became of that one')
  expect(body.error?.message).not.toContain('Make a new key')
})
