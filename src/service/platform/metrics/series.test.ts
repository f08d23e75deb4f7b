import { stat } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

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
