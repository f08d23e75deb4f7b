import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from './openapi/routes.ts'
import { askedHolder } from '../testing/asked-holder.ts'
import { checkoutCalls } from '../testing/checkout-calls.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'

let service: TestService
let authorization: string
let checkoutToken: string
let asked: { id: string; token: string }
beforeAll(async () => {
  service = await createTestService()
  authorization = `Bearer ${await service.accessToken()}`
  asked = await askedHolder(service)
  checkoutToken = (await checkoutCalls(service).make()).token
})
afterAll(() => service.close())

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** A request of a route, with keys that are good on it, and `query` after its address. */
function requestOf({ method, path, operation }: Route, query: string, payload?: object): InjectOptions {
  const known = METHODS.find((one) => one === method)
  if (known === undefined) throw new Error(`${method} is not looked at here`)
  return {
    method: known,
    url: `${path.replace('authentications/{id}', `authentications/${asked.id}`).replace(/\{\w+\}/g, 'a'.repeat(24))}?${query}`,
    headers: {
      'x-user-secret-key': service.merchant.secretKey,
      'x-user-public-key': service.merchant.publicKey,
      ...(operation?.key === 'oauth' && { authorization }),
      ...(operation?.key === 'authentication' && { authorization: `Bearer ${asked.token}` }),
      ...(operation?.key === 'checkout' && { authorization: `Bearer ${checkoutToken}` }),
    },
    ...(payload !== undefined && { payload }),
  }
}

/** What the query of a route has to say. */
const queryOf = ({ path }: Route) => (path.endsWith('/templates') ? 'type=configuration' : '')

/** Routes that take a merchant's key. What monitors, caches and OAuth clients ask is not theirs alone to name. */
const withKey = () =>
  service.routes.filter(({ operation }) => !['none', 'metrics', undefined].includes(operation?.key))

it('a query name that a route does not have is refused on every route with a key', async () => {
  expect(withKey().length).toBeGreaterThan(20)
  for (const route of withKey()) {
    const answer = await service.call(requestOf(route, 'Amount=5'))
    const named = answer.body.error?.details?.map(({ path }) => path)
    expect([route.method, route.path, answer.status, named]).toEqual([
      route.method,
      route.path,
      400,
      ['Amount'],
    ])
  }
})

it('a body is refused where none is read, unless it is empty', async () => {
  const bare = withKey().filter(({ method, operation }) => method !== 'GET' && operation?.body === undefined)
  expect(bare.map(({ path }) => path)).toContain('/v1/charges/{id}/capture')
  for (const route of bare) {
    const answer = await service.call(requestOf(route, '', { amount: '5' }))
    expect([route.path, answer.status, answer.body.error?.details?.[0]?.message]).toEqual([
      route.path,
      400,
      expect.stringContaining('takes no body'),
    ])
    expect((await service.call(requestOf(route, '', {}))).status).not.toBe(400)
  }
})

it('an unknown field is refused in every body that is described by its fields', async () => {
  const described = withKey().filter(
    ({ operation }) =>
      operation?.body !== undefined && !['checkout', 'authentication'].includes(operation.key),
  )
  for (const route of described) {
    const answer = await service.call(requestOf(route, queryOf(route), { amout: 1 }))
    const named = answer.body.error?.details?.map(({ path }) => path) ?? []
    expect([route.path, answer.status, named]).toEqual([route.path, 400, expect.arrayContaining(['amout'])])
  }
})
