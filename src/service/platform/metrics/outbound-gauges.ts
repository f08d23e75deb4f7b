import { Counter, Gauge } from '@prometheus-io/client'
import type { Registry } from '@prometheus-io/client'
import type { OutboundGauge } from '../concurrency/fairness.ts'

/** How many there are of something, and the age of the oldest. */
export type CountOldest = () => Promise<{ count: number; oldestSeconds: number }>

/** Answers with what adds a kind of calls to the figures; each is read at each scrape. */
export function gaugesOfOutbound(registers: Registry[]): (gauge: OutboundGauge) => void {
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
export function gaugesOfDeliveries(registers: Registry[], countDue: CountOldest): void {
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

/** Reads several figures with one query at each scrape; they are NaN when the database does not answer. */
export function onceForAll(question: CountOldest): CountOldest {
  let asked: ReturnType<CountOldest> | undefined
  return () =>
    (asked ??= question()
      .catch(() => ({ count: NaN, oldestSeconds: NaN }))
      .finally(() => (asked = undefined)))
}
