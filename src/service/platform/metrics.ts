import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from '@prometheus-io/client'
import type { FastifyInstance, onResponseHookHandler } from 'fastify'
import type { OutboundGauge } from './concurrency/fairness.ts'
import type { Job } from './jobs/job.ts'

/** Connections to the database, and how much work waits for one. */
type Connections = () => { open: number; idle: number; waiting: number }

/** What the service tells a Prometheus of itself: no merchant, card or key is in any name or label. */
export interface Metrics {
  /** Times every request of `app` by its route. */
  watchRequests: (app: FastifyInstance) => unknown
  /** Starts timing a request to a gateway; what it returns takes the outcome and ends it. */
  timeMovement: (gateway: string, type: string) => (outcome: string) => void
  /** Starts timing a call of the payment network; what it returns takes the outcome and ends it. */
  timeNetworkCall: (call: string) => (outcome: string) => void
  /** The same job, its runs counted. */
  watchJob: (job: Job) => Job
  /** Figures of what is under way to somebody else's servers. */
  watchOutbound: (gauge: OutboundGauge) => void
  /** Figures of movements whose outcome nobody knows. */
  watchUnknownOutcomes: (countUnknown: CountOldest) => void
  /** Figures of messages to webhooks that are due. */
  watchDeliveries: (countDue: CountOldest) => void
  /** Figures of gateways' notifications that are not done; what it returns counts those that come in. */
  watchNotifications: (countByState: CountNotifications) => (result: string, howMany: number) => void
  /** A figure of card holders who are asked by their bank; what it returns counts authentications that have ended. */
  watchAuthentications: (countWaiting: () => Promise<number>) => (gateway: string, result: string) => void
  /** A figure of the lines that are missing in the log. */
  watchLog: (droppedLines: () => number) => void
  /** Everything in Prometheus' text format. */
  text: () => Promise<string>
  contentType: string
}

/** How many movements of unknown outcome are counted: a scrape takes the same time however many there are. */
export const MAX_COUNTED = 10_000

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** `processNumber`: of one of several that share their ports; each of its figures bears it as the label `process`. */
export function createMetrics(connections: Connections, processNumber?: number): Metrics {
  const register = new Registry()
  if (processNumber !== undefined) register.setDefaultLabels({ process: processNumber })
  const registers = [register]
  const requests = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'From the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const answers = new Histogram({
    name: 'svc_movement_duration_seconds',
    help: 'Money movements at the gateway, by their outcome as it was heard then',
    labelNames: ['gateway', 'type', 'outcome'] as const,
    buckets: REQUEST_BUCKETS,
    registers,
  })
  const runs = new Counter({
    name: 'svc_chore_runs_total',
    help: 'Runs of background jobs; some run only where there is something to do',
    labelNames: ['chore', 'result'] as const,
    registers,
  })
  gaugeOfConnections(registers, connections)
  figuresOfNode(register)

  return {
    watchRequests: (app) => app.addHook('onResponse', timeRequest(requests)),
    timeMovement(gateway, type) {
      const stop = answers.startTimer({ gateway, type })
      return (outcome) => stop({ outcome })
    },
    timeNetworkCall: timerOfNetworkCalls(registers),
    watchOutbound: gaugesOfOutbound(registers),
    watchUnknownOutcomes: (countUnknown) => gaugesOfUnknown(registers, countUnknown),
    watchDeliveries: (countDue) => gaugesOfDeliveries(registers, countDue),
    watchNotifications: (countByState) => figuresOfNotifications(registers, countByState),
    watchAuthentications: (countWaiting) => figuresOfAuthentications(registers, countWaiting),
    watchLog: (droppedLines) => counterOfDroppedLines(registers, droppedLines),
    watchJob: (job) => ({
      ...job,
      async work() {
        try {
          const done = await job.work()
          runs.inc({ chore: job.name, result: 'done' })
          return done
        } catch (error) {
          runs.inc({ chore: job.name, result: 'failed' })
          throw error
        }
      },
    }),
    text: () => register.metrics(),
    contentType: register.contentType,
  }
}

/** The longest time that a timer can wait for, in ms: 25 days. */
const HARDLY_EVER_MS = 2 ** 31 - 1

/** Memory, processor time, event loop. Left out is its utilisation, which would wake an idle process ten times a second. */
function figuresOfNode(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopUtilizationTimeout: HARDLY_EVER_MS })
  register.removeSingleMetric('nodejs_eventloop_utilization_summary')
  register.removeSingleMetric('nodejs_eventloop_utilization_histogram')
}

type Requests = Histogram<'method' | 'route' | 'status'>

function timeRequest(requests: Requests): onResponseHookHandler {
  return (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  }
}

function timerOfNetworkCalls(registers: Registry[]): Metrics['timeNetworkCall'] {
  const calls = new Histogram({
    name: 'svc_network_call_duration_seconds',
    help: 'Calls to the payment network, by their outcome',
    labelNames: ['call', 'outcome'] as const,
    buckets: REQUEST_BUCKETS,
    registers,
  })
  return (call) => {
    const stop = calls.startTimer({ call })
    return (outcome) => stop({ outcome })
  }
}

function gaugeOfConnections(registers: Registry[], connections: Connections): void {
  new Gauge({
    name: 'svc_database_connections',
    help: 'Connections to the database by what they do, and work that waits for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { open, idle, waiting } = connections()
      this.set({ state: 'busy' }, open - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}

function counterOfDroppedLines(registers: Registry[], droppedLines: () => number): void {
  new Counter({
    name: 'svc_log_lines_dropped_total',
    help: 'Lines of the log that could not be written: a full disk, a closed pipe, a reader that is too slow',
    registers,
    collect() {
      this.reset()
      this.inc(droppedLines())
    },
  })
}

function gaugesOfUnknown(registers: Registry[], countUnknown: CountOldest): void {
  const ask = onceForAll(countUnknown)
  new Gauge({
    name: 'svc_unknown_outcomes',
    help: `Movements that were sent to a gateway and whose outcome is unknown, ${String(MAX_COUNTED)} at most`,
    registers,
    async collect() {
      this.set((await ask()).count)
    },
  })
  new Gauge({
    name: 'svc_unknown_outcomes_oldest_seconds',
    help: 'Age of the oldest movement whose outcome is unknown; 0 when there is none',
    registers,
    async collect() {
      this.set((await ask()).oldestSeconds)
    },
  })
}

/** How many there are of something, and the age of the oldest. */
export type CountOldest = () => Promise<{ count: number; oldestSeconds: number }>

/** Answers with what adds a kind of calls to the figures; each is read at each scrape. */
function gaugesOfOutbound(registers: Registry[]): (gauge: OutboundGauge) => void {
  const gauges: OutboundGauge[] = []
  const labelNames = ['kind'] as const
  new Gauge({
    name: 'svc_outbound_in_flight',
    help: "Tasks that wait for somebody else's servers: webhooks, and calls to gateways by what they are for",
    labelNames,
    registers,
    collect() {
      for (const { kind, underWay } of gauges) this.set({ kind }, underWay())
    },
  })
  new Gauge({
    name: 'svc_outbound_oldest_seconds',
    help: 'How long the oldest of them has been under way; 0 when there is none',
    labelNames,
    registers,
    collect() {
      for (const { kind, oldestSeconds } of gauges) this.set({ kind }, oldestSeconds())
    },
  })
  new Counter({
    name: 'svc_outbound_refused_total',
    help: 'What was not begun because its share was used up',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { kind, refused } of gauges) if (refused !== undefined) this.inc({ kind }, refused())
    },
  })
  return (gauge) => gauges.push(gauge)
}

/** Gauges of messages that are due: how many, and how old the oldest is. */
function gaugesOfDeliveries(registers: Registry[], countDue: CountOldest): void {
  const ask = onceForAll(countDue)
  new Gauge({
    name: 'svc_webhook_deliveries_due',
    help: 'Messages to webhooks that are due and not begun',
    registers,
    async collect() {
      this.set((await ask()).count)
    },
  })
  new Gauge({
    name: 'svc_webhook_deliveries_oldest_due_seconds',
    help: 'For how long the oldest of them has been due; 0 when there is none',
    registers,
    async collect() {
      this.set((await ask()).oldestSeconds)
    },
  })
}

/** How many notifications there are, by the type of the gateway and their state. */
type CountNotifications = () => Promise<readonly { gateway_type: string; state: string; count: number }[]>

function figuresOfNotifications(
  registers: Registry[],
  countByState: CountNotifications,
): (result: string, howMany: number) => void {
  new Gauge({
    name: 'svc_gateway_notifications',
    help: "Gateways' notifications that are not done: waiting, not_understood, unexplained",
    labelNames: ['gateway', 'state'] as const,
    registers,
    async collect() {
      this.reset()
      const counts = await countByState().catch(() => [])
      for (const { gateway_type: gateway, state, count } of counts) this.set({ gateway, state }, count)
    },
  })
  const received = new Counter({
    name: 'svc_gateway_notifications_received_total',
    help: "Gateways' notifications that came in: kept, repeated, or refused for want of a signature",
    labelNames: ['result'] as const,
    registers,
  })
  return (result, howMany) => received.inc({ result }, howMany)
}

function figuresOfAuthentications(
  registers: Registry[],
  countWaiting: () => Promise<number>,
): (gateway: string, result: string) => void {
  new Gauge({
    name: 'svc_authentications_waiting',
    help: `Card holders who are asked by their bank now, ${String(MAX_COUNTED)} at most`,
    registers,
    async collect() {
      this.set(await countWaiting().catch(() => NaN))
    },
  })
  const ended = new Counter({
    name: 'svc_authentications_total',
    help: 'Authentications of card holders that have ended: authenticated, attempted, failed, cancelled, timed_out, unavailable',
    labelNames: ['gateway', 'result'] as const,
    registers,
  })
  return (gateway, result) => ended.inc({ gateway, result })
}

/** Reads several figures with one query at each scrape; they are NaN when the database does not answer. */
function onceForAll(question: CountOldest): CountOldest {
  let asked: ReturnType<CountOldest> | undefined
  return () =>
    (asked ??= question()
      .catch(() => ({ count: NaN, oldestSeconds: NaN }))
      .finally(() => (asked = undefined)))
}
