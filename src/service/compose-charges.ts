import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { createAskGateway } from './domains/charges/ask-gateway.ts'
import { createChargeStore } from './domains/charges/charge-store.ts'
import { createMovements } from './domains/charges/movements.ts'
import { bringForwardAttempts } from './domains/charges/bring-forward-attempts.ts'
import type { SaleParts } from './domains/charges/sale.ts'
import { releaseEndedHolds, resolveAttempts } from './domains/charges/unfinished-business.ts'
import { watchUnknownOutcomes } from './domains/charges/unknown-outcomes.ts'
import type { MonotonicClock } from './platform/clocks.ts'
import type { Config } from './config.ts'
import type { Database } from './platform/database/database.ts'
import type { DatabaseClock } from './platform/database/database-clock.ts'
import { writeEvent } from './domains/events/write-event.ts'
import type { Gateway } from './domains/gateways/gateway.ts'
import { createGatewayFinder } from './domains/gateways/gateway-finder.ts'
import { timedGateway } from './domains/gateways/timed-gateway.ts'
import { openSandbox } from './domains/gateways/sandbox/open-sandbox.ts'
import { createBulkhead } from './platform/jobs/bulkhead.ts'
import { createFairPool } from './platform/jobs/fair-pool.ts'
import type { FairPool } from './platform/jobs/fair-pool.ts'
import type { Chore } from './platform/jobs/repeat.ts'
import { MOVEMENTS_ENDED_MS, PUT_RIGHT_MS, whenSetBack, whenSteady } from './platform/jobs/when-steady.ts'
import type { Merchants } from './domains/merchants/merchants.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { createHttpClient } from './platform/outbound/http-client.ts'
import { tokenClaim } from './domains/payment-sources/token-claim.ts'

interface Parts {
  config: Config
  database: Database
  log: Logger
  clock: MonotonicClock
  timeOfDay: DatabaseClock
  /** Adapters by the type of gateway they speak to, beside or in place of the built-in ones. */
  gateways?: Readonly<Record<string, Gateway>>
  /** How long a gateway's answer is waited for; an attempt is asked for 8 s after it was written. */
  gatewayTimeoutMs?: number
  /** How long a sale may be under way to a gateway that can't be asked for it, in ms; each adapter knows its own. */
  settleMs?: number
}

const GATEWAY_TIMEOUT_MS = 5000
/** Of what is left unfinished, in one process: few enough that requests find a connection to the database. */
const GATEWAY_SHARES = { quick: 64, slow: 32, merchant: 16, target: 16 }
/** Longer than any answer is waited for: whoever waits ends the call by its signal. */
const MOST_CALL_MS = 10_000
const MOST_GATEWAY_BYTES = 1_000_000
/** An answer of a gateway, and a few statements on a database that is slow. */
const MOST_TASK_MS = 30_000
/**
 * Calls of one process to one gateway account at once. One that never answers keeps each slot for 5 s, and so takes 50
 * charges a second, and some 10 MB, before the others are told at once; one that answers in 250 ms takes 1,000 a second,
 * which is more than a process brings about.
 */
const GATEWAY_SLOTS = 256

/** What is done in the background for charges. */
export function chargeChores(parts: Parts, charges: SaleParts, metrics: Metrics): Chore[] {
  const { database, log, clock, timeOfDay } = parts
  const poolOf = (kind: string): FairPool => {
    const pool = createFairPool({
      kind,
      target: 'gateway',
      shares: GATEWAY_SHARES,
      timeoutMs: parts.gatewayTimeoutMs ?? GATEWAY_TIMEOUT_MS,
      deadlineMs: MOST_TASK_MS,
      clock: parts.clock,
      warn: (facts, words) => log.warn(facts, words),
      onFault: (error) =>
        log.error({ err: error, kind }, 'what was left unfinished could not be finished yet'),
    })
    metrics.watchOutbound(pool)
    return pool
  }
  const inquiries = poolOf('inquiry')
  const releases = poolOf('hold_release')
  const reportUnknown = watchUnknownOutcomes({
    database,
    warn: (unknown) => log.warn(unknown, 'the outcome of a movement is unknown'),
    clock,
  })
  return [
    {
      name: 'resolve attempts',
      everyMs: 250,
      work: whenSteady(timeOfDay, MOVEMENTS_ENDED_MS, () => resolveAttempts(charges, inquiries)),
      finish: inquiries.finish,
    },
    {
      name: 'release ended holds',
      everyMs: 250,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, () => releaseEndedHolds(charges, releases)),
      finish: releases.finish,
    },
    {
      name: 'forget old requests',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, charges.store.forgetRequests),
    },
    {
      name: 'bring inquiries forward',
      everyMs: 1000,
      work: whenSetBack(timeOfDay, () => bringForwardAttempts(database)),
    },
    { name: 'report unknown outcomes', everyMs: 15_000, work: reportUnknown },
  ]
}

interface Watched {
  merchants: Merchants
  metrics: Metrics
}

/** Charges, put together with the gateways of this installation. */
export function composeCharges(
  parts: Parts,
  watched: Watched,
  others: Omit<SaleParts, 'store' | 'movements'>,
): SaleParts {
  const store = createChargeStore(parts.database, tokenClaim, writeEvent)
  const bulkhead = createBulkhead({
    kind: 'movement',
    most: GATEWAY_SLOTS,
    clock: parts.clock,
    warn: (facts, words) => parts.log.warn(facts, words),
  })
  watched.metrics.watchOutbound(bulkhead)
  const onFault = (error: unknown) => parts.log.error({ err: error }, 'a movement has no outcome yet')
  const ask = createAskGateway({
    gatewayOf: gatewayFinder(parts, watched),
    timeoutMs: parts.gatewayTimeoutMs ?? GATEWAY_TIMEOUT_MS,
    bulkhead,
    onFault,
  })
  const movements = createMovements({ store, ask, clockSteps: parts.timeOfDay, onFault })
  return { ...others, store, movements }
}

/** The adapters of this installation; in production the sandbox is not one of them. */
function gatewayFinder(
  { config, database, gateways, log, settleMs }: Parts,
  { merchants, metrics }: Watched,
) {
  const sandbox = openSandbox(database, config.sandboxHoldSeconds)
  return createGatewayFinder({
    adapters: { ...(config.environment !== 'production_svc' && { sandbox }), ...gateways },
    credentialsOf: merchants.credentialsOf,
    returnUrl: config.baseUrl,
    createKey: randomUUID,
    onFault: (error) => log.error({ err: error }, 'a gateway refuses us'),
    watch: (type, gateway) => timedGateway(gateway, (step) => metrics.timeMovement(type, step)),
    settleMs,
    send: createHttpClient({
      timeoutMs: MOST_CALL_MS,
      mostBytes: MOST_GATEWAY_BYTES,
      wants: 'whole answer',
      keepsConnections: true,
    }),
  })
}
