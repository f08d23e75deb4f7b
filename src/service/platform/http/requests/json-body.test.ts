import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const charge = (payload: string) =>
  service.call({
    method: 'POST',
    url: '/v1/charges',
    headers: { 'x-user-secret-key': service.merchant.secretKey, 'content-type': 'application/json' },
    payload,
  })

it.each([
  ['an amount', (token: string) => `{"amount":"1.00","currency":"AUD","token":"${token}","amount":"100.00"}`],
  [
    'one that is written in two ways',
    (token: string) => `{"amount":"1.00","currency":"AUD","token":"${token}","\\u0061mount":"100.00"}`,
  ],
  [
    'a field of a field',
    (token: string) =>
      `{"amount":"1.00","currency":"AUD","token":"${token}","customer":{"first_name":"A","first_name":"B"}}`,
  ],
])('a name that stands twice in an object is refused, and nothing is done: %s', async (_name, bodyOf) => {
  const token = await service.tokenise()
  const refused = await charge(bodyOf(token))
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } })
  expect(refused.body.error?.message).toContain('stands twice')
  expect(await charge(`{"amount":"1.00","currency":"AUD","token":"${token}"}`)).toMatchObject({ status: 201 })
})

it('the same name in two objects, and marks of JSON within texts, are no such thing', async () => {
  const token = await service.tokenise()
  const description = String.raw`{\"amount\": 1, \\ [\"amount\": 2]}`
  const body = `{"amount":"1.00","currency":"AUD","token":"${token}","reference":"a:b","description":"${description}","customer":{"first_name":"A:","payment_source":{"city":":"}}}`
  expect(await charge(body)).toMatchObject({
    status: 201,
    body: { resource: { data: { reference: 'a:b' } } },
  })
})

it.each(['1e999', '-1e999', '[1,{"x":1e400}]'])(
  'a number beyond what numbers can be is refused, also under an idempotency key: %s',
  async (number) => {
    const { status, body } = await service.call({
      method: 'POST',
      url: '/v1/charges',
      headers: {
        'x-user-secret-key': service.merchant.secretKey,
        'content-type': 'application/json',
        'idempotency-key': `number ${number}`,
      },
      payload: `{"amount":${number},"currency":"AUD","token":"${await service.tokenise()}"}`,
    })
    expect([status, body.error?.code]).toEqual([400, 'validation_error'])
    expect(body.error?.message).toContain('number')
  },
)
