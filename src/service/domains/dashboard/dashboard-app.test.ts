import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { asking, createTestSessions } from './testing/signed-in.ts'
import type { AskDashboard } from './testing/signed-in.ts'

const sessions = createTestSessions()
let service: TestService
let ask: AskDashboard
const open = () => sessions.open({ merchantId: service.merchant.merchant.id })
beforeAll(async () => {
  service = await createTestService({
    findSession: sessions.findSession,
    settings: {
      SVC_RATE_LIMIT_PER_KEY: '3',
      SVC_RATE_LIMIT_PER_ADDRESS: '40',
      SVC_TRUSTED_PROXIES: '127.0.0.1',
    },
  })
  ask = asking(service)
})
afterAll(() => service.close())

const from = (address: string) => ({ 'x-forwarded-for': address })
const tally = (statuses: number[]) => [...new Set(statuses)].sort()
describe('the dashboard', () => {
  it('limits the requests of one person, and of nobody else', async () => {
    const [one, other] = [open(), open()]
    const many = Array.from({ length: 20 }, () =>
      ask(one, { url: '/v1/charges', headers: from('192.0.2.1') }),
    )
    expect(tally((await Promise.all(many)).map(({ status }) => status))).toEqual([200, 429])
    expect(await ask(other, { url: '/v1/charges', headers: from('192.0.2.1') })).toMatchObject({
      status: 200,
    })
  })

  it('limits the requests of one address before it looks for a session', async () => {
    const many = Array.from({ length: 120 }, () =>
      ask('', { url: '/api/company', headers: from('192.0.2.2') }),
    )
    const answers = await Promise.all(many)
    expect(tally(answers.map(({ status }) => status))).toEqual([401, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused).toMatchObject({ body: { error: { code: 'rate_limited' } } })
    expect(refused?.headers['retry-after']).toBeDefined()
  })

  it('answers, names and logs requests as the API does', async () => {
    const headers = { 'x-request-id': 'from-the-page', ...from('192.0.2.3') }
    const answer = await ask('', { url: '/api/nothing', headers })
    expect(answer).toMatchObject({
      status: 404,
      headers: {
        'x-request-id': 'from-the-page',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
      body: { error: { code: 'not_found' }, resource: { data: null } },
    })
    expect(service.logged()).toMatch(/"request_id":"from-the-page".*"status":404.*"answered"/)
    expect(
      await ask(open(), { method: 'PUT', url: '/api/company', payload: {}, headers: from('192.0.2.3') }),
    ).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, PATCH' },
    })
  })

  it('logs no cookie', async () => {
    const cookie = open()
    await ask(cookie, { url: '/v1/charges/x', headers: from('192.0.2.4') })
    expect(service.logged()).not.toContain(cookie)
  })
})

describe('in maintenance', () => {
  it('the dashboard’s API stops, and its document and files do not', async () => {
    await service.database.script(
      "INSERT INTO maintenance (name, retry_after_seconds) VALUES ('service', 60)",
    )
    await service.runJob('follow maintenance')
    const cookie = open()
    const headers = from('192.0.2.5')
    for (const url of ['/api/company', '/api/session', '/v1/charges', '/agreements'])
      expect([url, await ask(cookie, { url, headers })]).toMatchObject([
        url,
        { status: 503, headers: { 'retry-after': '60' }, body: { error: { code: 'service_unavailable' } } },
      ])
    const { statusCode, body } = await service.dashboard.app.inject({ url: '/' })
    expect([statusCode, body]).toEqual([503, expect.stringContaining('npm run build')])
    await service.database.script('DELETE FROM maintenance')
    await service.runJob('follow maintenance')
    expect(await ask(cookie, { url: '/api/company', headers })).toMatchObject({ status: 200 })
  })
})
