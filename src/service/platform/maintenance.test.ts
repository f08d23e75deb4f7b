import type { InjectOptions } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operate as run } from '../testing/operate.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { testStatement } from '../testing/test-statement.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())
afterEach(async () => {
  await operate('off')
  await service.runJob('follow maintenance')
})

const operate = (...words: string[]) => run(service, 'maintenance', words)

async function begin(...parameters: string[]) {
  await operate('on', ...parameters)
  await service.runJob('follow maintenance')
}

const charges = () => ({
  url: '/v1/charges',
  headers: { 'x-user-secret-key': service.merchant.secretKey },
})
const WORDS = 'The service is in maintenance. Nothing was done; try again after Retry-After seconds.'
const refusal = {
  status: 503,
  headers: { 'retry-after': '60' },
  body: { error: { code: 'service_unavailable', message: WORDS } },
}
/** What says how the service is, what browsers load, and what a bank sends back once. */
const SERVED = ['/health', '/metrics', '/docs', '/openapi.json', '/sdk/', '/3ds/{id}/return']

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const requestOf = ({ method, path }: TestService['routes'][number]): InjectOptions => {
  const known = METHODS.find((one) => one === method)
  if (known === undefined) throw new Error(`${method} is not looked at here`)
  return { method: known, url: path.replace(/\{\w+\}/g, 'a'.repeat(24)).replace('*', 'latest/nothing') }
}

describe('in maintenance', () => {
  it('every route is refused but those that say how the service is, and what browsers load', async () => {
    const isServed = ({ path }: { path: string }) =>
      path === '/' || SERVED.some((one) => path.startsWith(one))
    const before = await Promise.all(
      service.routes.filter(isServed).map(async (route) => (await service.raw(requestOf(route))).statusCode),
    )
    await begin()
    const refused = service.routes.filter((route) => !isServed(route))
    expect(refused.length).toBeGreaterThan(20)
    for (const route of refused) expect(await service.call(requestOf(route))).toMatchObject(refusal)
    for (const [place, route] of service.routes.filter(isServed).entries()) {
      const { statusCode } = await service.raw(requestOf(route))
      expect([route.path, statusCode]).toEqual([route.path, route.path === '/health' ? 503 : before[place]])
    }
  })

  it('/health says so, and how the dependencies are', async () => {
    await begin('--retry-after', '300')
    expect(await service.call({ url: '/health' })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '300' },
      body: { resource: { data: { status: 'maintenance', dependencies: { database: 'up' } } } },
    })
  })

  it('the form, which is of another origin, may ask first and read the refusal', async () => {
    await begin()
    const url = '/v1/payment_sources/tokens'
    expect((await service.raw({ method: 'OPTIONS', url })).statusCode).toBe(204)
    const { headers } = await service.call({ method: 'POST', url })
    expect(headers['access-control-allow-origin']).toBeDefined()
    expect(headers['access-control-expose-headers']).toContain('retry-after')
  })

  it('background jobs go on', async () => {
    await begin()
    await service.runJob('seal events')
    const waiting = testStatement<{ id: string }>('t_outbox', 'SELECT id FROM event_outbox')
    expect(await service.database.run(waiting, [])).toEqual([])
  })
})

describe('the command', () => {
  it('is followed by a process that runs, and by one that starts, until it is off again', async () => {
    expect(await service.call(charges())).toMatchObject({ status: 200 })
    expect((await operate('on')).said).toBe('Maintenance is on; running services follow within a second.')
    await service.runJob('follow maintenance')
    expect(await service.call(charges())).toMatchObject(refusal)
    const other = await createTestService({ database: service.database })
    expect(await other.call({ url: '/v1/charges' })).toMatchObject(refusal)
    expect((await operate('off')).said).toBe('Maintenance is off; running services follow within a second.')
    await other.runJob('follow maintenance')
    expect(await other.call({ url: '/v1/charges' })).toMatchObject({ status: 401 })
    await other.close()
  })

  it('writes each change into the audit log, and what changes nothing not', async () => {
    const kept = testStatement<{ id: string; type: string; actor: string; facts: object }>(
      't_maintenance',
      "SELECT id, type, actor, facts FROM events WHERE subject = 'service' ORDER BY seq DESC LIMIT $1",
    )
    await service.runJob('seal events')
    const [last] = await service.database.run(kept, [1])
    await operate('on', '--retry-after', '30')
    expect((await operate('on', '--retry-after', '30')).said).toBe('Maintenance was on already.')
    expect(JSON.parse((await operate('show', '--json')).said)).toEqual({ is_on: true, retry_after: 30 })
    await service.runJob('seal events')
    await operate('on', '--retry-after', '86400')
    await service.runJob('seal events')
    await operate('off')
    expect((await operate('off')).said).toBe('Maintenance was off already.')
    expect((await operate('show')).said).toBe('Maintenance is off.')
    await service.runJob('seal events')
    const acts = await service.database.run(kept, [4])
    expect(acts.reverse()).toMatchObject([
      ...(last === undefined ? [] : [{ id: last.id }]),
      { type: 'maintenance.started', facts: { retry_after: 30 } },
      { type: 'maintenance.started', facts: { retry_after: 86_400 } },
      { type: 'maintenance.ended', facts: {} },
    ])
    for (const { actor } of acts) expect(actor).toMatch(/^operator/)
  })

  it.each([
    [],
    ['maybe'],
    ['on', 'off'],
    ['on', '--retry-after', '0'],
    ['on', '--retry-after', '86401'],
    ['on', '--retry-after', 'soon'],
    ['off', '--retry-after', '60'],
  ])('that is called in a wrong way does nothing: %j %j %j', async (...parameters) => {
    expect(await operate(...parameters)).toMatchObject({ code: 2, said: '' })
    await service.runJob('follow maintenance')
    expect(await service.call(charges())).toMatchObject({ status: 200 })
  })
})

it.each([
  ['on', 503, 'in maintenance', 503, 'maintenance'],
  ['off', 503, 'database', 500, 'down'],
])('without the database maintenance stays as it was: %s', async (switched, status, words, health, state) => {
  const other = await createTestService()
  const started = testStatement('t_start', "INSERT INTO maintenance VALUES ('service', 60)")
  if (switched === 'on') await other.database.run(started, [])
  await other.runJob('follow maintenance')
  await other.loseDatabase()
  await expect(other.runJob('follow maintenance')).rejects.toThrow()
  const answer = await other.call({ url: '/v1/charges', headers: { 'x-user-secret-key': 'sk' } })
  expect([answer.status, answer.body.error?.message]).toEqual([status, expect.stringContaining(words)])
  expect(await other.call({ url: '/health' })).toMatchObject({
    status: health,
    body: { resource: { data: { status: state, dependencies: { database: 'down' } } } },
  })
})
