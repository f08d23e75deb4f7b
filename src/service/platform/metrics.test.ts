import { stat } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listUnknownOutcomes } from '../domains/charges/unknown-outcomes.ts'
import { chargeCalls } from '../testing/charge-calls.ts'
import { testCard } from '../testing/test-card.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { testStatement } from '../testing/test-statement.ts'
import { cardTraceIn, secretTraceIn } from '../testing/traces.ts'
import { createMetrics } from './metrics.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const read = async (): Promise<string> => (await service.raw({ url: '/metrics' })).body
const age = testStatement(
  'test_age',
  `UPDATE attempts SET created_at = created_at - make_interval(secs => $1)`,
)

describe('GET /metrics', () => {
  it('counts requests by route, movements by type and outcome, jobs and connections', async () => {
    const { sell } = chargeCalls(service)
    await sell({ amount: '10.00', currency: 'AUD', token: await service.tokenise() })
    const expired = await service.tokenise({ expire_month: '05' })
    await sell({ amount: '10.00', currency: 'AUD', token: expired }, '')
    await service.runJob('seal events')
    const text = await read()
    for (const line of [
      'svc_http_request_duration_seconds_count{method="POST",route="/v1/charges",status="201"} 1',
      'svc_http_request_duration_seconds_count{method="POST",route="/v1/charges",status="422"} 1',
      'svc_movement_duration_seconds_count{gateway="sandbox",type="authorisation",outcome="approved"} 1',
      'svc_movement_duration_seconds_count{gateway="sandbox",type="sale",outcome="declined"} 1',
      'svc_chore_runs_total{chore="seal events",result="done"} 1',
      'svc_unknown_outcomes 0',
      'svc_database_connections{state="waiting"} 0',
    ])
      expect(text).toContain(line)
    expect(text).toMatch(/nodejs_eventloop_lag_seconds|process_resident_memory_bytes/)
  })

  it('names its process where several share a port', async () => {
    const text = await createMetrics(() => ({ open: 1, idle: 1, waiting: 0 }), 2).text()
    expect(text).toContain('svc_database_connections{state="idle",process="2"} 1')
  })

  it('holds no merchant, key, card, charge or token', async () => {
    const { merchant } = service
    const charge = await service.authorise()
    const headers = chargeCalls(service).secret()
    await service.call({ url: `/v1/charges/${charge._id}?x=${charge._id}`, headers })
    const secrets = [await service.tokenise(), await service.accessToken(), merchant.secretKey]
    for (const secret of secrets)
      for (const url of [`/${secret}`, `/v1/charges/${secret}`, `/health?${secret}`, `/metrics/${secret}`])
        await service.raw({ url, headers })
    const text = await read()
    expect([secretTraceIn(text), cardTraceIn(text)]).toEqual([null, null])
    for (const secret of [
      merchant.merchant.id,
      ...secrets,
      merchant.secretKey,
      merchant.publicKey,
      charge._id,
      testCard.card_number,
    ])
      expect(text).not.toContain(secret)
  })

  it.each([
    ['127.0.0.1', {}, 200],
    ['::ffff:127.0.0.1', {}, 200],
    ['10.1.2.3', {}, 200],
    ['fd00::1', {}, 200],
    ['203.0.113.9', {}, 403],
    ['2001:db8::1', {}, 403],
    ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, 403],
    ...[
      'forwarded',
      'via',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-real-ip',
      'x-client-ip',
      'cf-connecting-ip',
      'true-client-ip',
      'fastly-client-ip',
      'x-envoy-external-address',
      'x-original-forwarded-for',
    ].map((name): [string, Record<string, string>, number] => ['127.0.0.1', { [name]: '127.0.0.1' }, 403]),
  ])('from %s with %o: %i', async (remoteAddress, headers, status) => {
    expect((await service.raw({ url: '/metrics', remoteAddress, headers })).statusCode).toBe(status)
  })

  it('by a trusted proxy, is for nobody without a token', async () => {
    const behind = await createTestService({ settings: { SVC_TRUSTED_PROXIES: '10.0.0.0/8' } })
    const headers = { 'x-forwarded-for': '127.0.0.1' }
    const { statusCode } = await behind.raw({ url: '/metrics', remoteAddress: '10.1.2.3', headers })
    expect(statusCode).toBe(403)
    await behind.close()
  })

  it('with a token, is for who sends it alone', async () => {
    const token = 'a-token-of-the-operator'
    const guarded = await createTestService({ settings: { SVC_METRICS_TOKEN: token } })
    const status = async (authorization?: string) =>
      (
        await guarded.raw({
          url: '/metrics',
          remoteAddress: '203.0.113.9',
          headers: authorization === undefined ? {} : { authorization },
        })
      ).statusCode
    expect(await status(`Bearer ${token}`)).toBe(200)
    for (const wrong of [undefined, '', 'Bearer', `Bearer ${token}x`, `Basic ${token}`])
      expect(await status(wrong)).toBe(401)
    await guarded.close()
  })
})

describe('an outcome that stays unknown', () => {
  it('is in the figures, in one warning an hour, and in the list of the operator', async () => {
    const { sell } = chargeCalls(service)
    const answer = await sell({ amount: '9000.69', currency: 'AUD', token: await service.tokenise() })
    expect(answer.body.error?.code).toBe('outcome_unknown')
    const warnings = () => service.logged().split('the outcome of a movement is unknown').length - 1

    expect(await read()).toContain('svc_unknown_outcomes 0\n')
    await service.runJob('report unknown outcomes')
    expect(warnings()).toBe(0)

    await service.database.run(age, [90])
    expect(await read()).toMatch(/svc_unknown_outcomes 1\n[^]*svc_unknown_outcomes_oldest_seconds 9\d/)
    for (let runs = 0; runs < 3; runs += 1) await service.runJob('report unknown outcomes')
    expect(warnings()).toBe(1)

    expect(await listUnknownOutcomes(service.database)).toMatchObject([
      {
        merchant_id: service.merchant.merchant.id,
        type: 'sale',
        amount_cents: 900_069,
      },
    ])
    await service.runJob('resolve attempts')
    expect(await read()).toContain('svc_unknown_outcomes 0\n')
  })
})

/** Each series of a text: its name, its type and its labels in the order of the alphabet, without `le` of buckets. */
function seriesIn(text: string): string[] {
  const types = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
  }))
  const series = types.map(({ name, type }) => {
    const samples = [
      ...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? \\S+$`, 'gm')),
    ]
    const labels = samples.flatMap(([, all = '']) =>
      [...all.matchAll(/(\w+)="/g)].map(([, label = '']) => label),
    )
    return [name, type, ...[...new Set(labels)].filter((label) => label !== 'le').sort()].join(' ')
  })
  return series.sort()
}

/** Resolves once something was collected: that figure has no labels before. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collected = new Promise<void>((resolve) => {
    const observer = new PerformanceObserver(() => {
      observer.disconnect()
      resolve()
    })
    observer.observe({ entryTypes: ['gc'] })
  })
  runInNewContext('gc()')
  await collected
}

/** What is given to Prometheus: rules, dashboards and people's own queries go by these names, types and labels. */
const SERIES = [
  'nodejs_active_handles gauge type',
  'nodejs_active_handles_total gauge',
  'nodejs_active_requests gauge type',
  'nodejs_active_requests_total gauge',
  'nodejs_active_resources gauge type',
  'nodejs_active_resources_total gauge',
  'nodejs_eventloop_lag_max_seconds gauge',
  'nodejs_eventloop_lag_mean_seconds gauge',
  'nodejs_eventloop_lag_min_seconds gauge',
  'nodejs_eventloop_lag_p50_seconds gauge',
  'nodejs_eventloop_lag_p90_seconds gauge',
  'nodejs_eventloop_lag_p99_seconds gauge',
  'nodejs_eventloop_lag_seconds gauge',
  'nodejs_eventloop_lag_stddev_seconds gauge',
  'nodejs_external_memory_bytes gauge',
  'nodejs_gc_duration_seconds histogram kind',
  'nodejs_heap_size_total_bytes gauge',
  'nodejs_heap_size_used_bytes gauge',
  'nodejs_heap_space_size_available_bytes gauge space',
  'nodejs_heap_space_size_total_bytes gauge space',
  'nodejs_heap_space_size_used_bytes gauge space',
  'nodejs_version_info gauge major minor patch version',
  'process_cpu_seconds_total counter',
  'process_cpu_system_seconds_total counter',
  'process_cpu_user_seconds_total counter',
  'process_heap_bytes gauge',
  'process_max_fds gauge',
  'process_open_fds gauge',
  'process_resident_memory_bytes gauge',
  'process_start_time_seconds gauge',
  'process_virtual_memory_bytes gauge',
  'svc_chore_runs_total counter chore result',
  'svc_database_connections gauge state',
  'svc_http_request_duration_seconds histogram method route status',
  'svc_log_lines_dropped_total counter',
  'svc_movement_duration_seconds histogram gateway outcome type',
  'svc_network_call_duration_seconds histogram call outcome',
  'svc_outbound_in_flight gauge kind',
  'svc_outbound_oldest_seconds gauge kind',
  'svc_outbound_refused_total counter kind',
  'svc_unknown_outcomes gauge',
  'svc_unknown_outcomes_oldest_seconds gauge',
  'svc_webhook_deliveries_due gauge',
  'svc_webhook_deliveries_oldest_due_seconds gauge',
]

/** Figures with something in each. */
async function busyMetrics(processNumber?: number) {
  const metrics = createMetrics(() => ({ open: 1, idle: 1, waiting: 0 }), processNumber)
  const app = fastify()
  metrics.watchRequests(app)
  await app.inject({ url: '/' })
  metrics.timeMovement('sandbox', 'sale')('approved')
  metrics.timeNetworkCall('sign')('done')
  const nothing = () => Promise.resolve({ count: 0, oldestSeconds: 0 })
  metrics.watchUnknownOutcomes(nothing)
  metrics.watchDeliveries(nothing)
  metrics.watchLog(() => 3)
  metrics.watchOutbound({ kind: 'webhook', underWay: () => 1, oldestSeconds: () => 2, refused: () => 3 })
  await metrics.watchJob({ name: 'job', everyMs: 1, work: () => Promise.resolve() }).work()
  await collectGarbage()
  return metrics
}

describe('series', () => {
  it.runIf(process.platform === 'linux')('keep their names, types and labels', async () => {
    const metrics = await busyMetrics()
    stat('.', () => undefined) // a request that is under way, for the figure of these
    const text = await metrics.text()
    expect(seriesIn(text)).toEqual(SERIES)
  })

  it('of one process among several bear its number, each of them', async () => {
    const text = await (await busyMetrics(2)).text()
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(samples.length).toBeGreaterThan(100)
    expect(samples.filter((line) => !line.includes('process="2"'))).toEqual([])
  })

  it("come in Prometheus' text format, with the buckets of a request in seconds", async () => {
    const metrics = await busyMetrics()
    expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await metrics.text()
    const bounds = [...text.matchAll(/^svc_http_request_duration_seconds_bucket\{le="([^"]+)"/gm)]
    expect(bounds.map(([, bound]) => bound).join(' ')).toBe(
      '0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 +Inf',
    )
  })
})
