import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { MonotonicClock } from './clocks.ts'
import { createChargeStore } from './charges/charge-store.ts'
import { createMovements } from './charges/movements.ts'
import { askPutOffAttempts } from './charges/put-off-attempts.ts'
import type { SaleParts } from './charges/sale.ts'
import { releaseEndedHolds, resolveAttempts } from './charges/unfinished-business.ts'
import { watchUnknownOutcomes } from './charges/unknown-outcomes.ts'
import type { Config } from './config.ts'
import type { Database } from './database/database.ts'
import type { DatabaseClock } from './database/database-clock.ts'
import { writeEvent } from './events/write-event.ts'
import type { Gateway } from './gateways/gateway.ts'
import { createGatewayFinder } from './gateways/gateway-finder.ts'
import { openSandbox } from './gateways/sandbox/open-sandbox.ts'
import type { Chore } from './jobs/repeat.ts'
import { MOVEMENTS_ENDED_MS, PUT_RIGHT_MS, whenSetBack, whenSteady } from './jobs/when-steady.ts'
import type { Merchants } from './merchants/merchants.ts'
import type { Metrics } from './metrics/metrics.ts'
import { tokenClaim } from './payment-sources/token-claim.ts'

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

/** What is done in the background for charges. */
export function chargeChores({ database, log, clock, timeOfDay }: Parts, charges: SaleParts): Chore[] {
  const reportUnknown = watchUnknownOutcomes({
    database,
    warn: (unknown) => log.warn(unknown, 'the outcome of a movement is unknown'),
    clock,
  })
  return [
    {
      name: 'resolve attempts',
      everyMs: 1000,
      work: whenSteady(timeOfDay, MOVEMENTS_ENDED_MS, () => resolveAttempts(charges)),
    },
    {
      name: 'release ended holds',
      everyMs: 1000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, () => releaseEndedHolds(charges)),
    },
    {
      name: 'forget old requests',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, charges.store.forgetRequests),
    },
    {
      name: 'ask for what was put off',
      everyMs: 1000,
      work: whenSetBack(timeOfDay, () => askPutOffAttempts(database)),
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
  const movements = createMovements({
    store,
    gatewayOf: gatewayFinder(parts, watched),
    timeoutMs: parts.gatewayTimeoutMs ?? GATEWAY_TIMEOUT_MS,
    onFault: (error) => parts.log.error({ err: error }, 'a movement has no outcome yet'),
  })
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
    watch: metrics.watchGateway,
    settleMs,
  })
}
