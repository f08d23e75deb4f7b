import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { createAddEvent } from '../../platform/add-event.ts'
import { batchLoader } from '../../platform/concurrency/loading.ts'
import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { createBulkhead } from '../../platform/concurrency/fairness.ts'
import { MOVEMENTS_ENDED_MS, isSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { createAskGateway } from './movements/ask-gateway.ts'
import { chargeAsOfEvent } from './movements/charge-at-attempt.ts'
import type { TokenClaim } from './statements/movement-sql.ts'
import { createChargesToAttend } from './attention/charges-to-attend.ts'
import { createChargeStore } from './charge-store.ts'
import type { Charge } from './charge.ts'
import { createCharges } from './charges.ts'
import { chargeJobs } from './recovery/charge-jobs.ts'
import { addChargeDashboardRoutes } from './dashboard-routes.ts'
import { addMovementRoutes } from './movement-routes.ts'
import { createMovements } from './movements/movements.ts'
import { createPayments } from './payments.ts'
import type { Payments } from './payments.ts'
import { addReadingRoutes } from './reading-routes.ts'
import { createOncePerRequest } from './movements/repeat-request.ts'
import { createExportCharges } from './export/export-charges.ts'
import { addExportRoute } from './export/export-route.ts'
import { createListCharges } from './search/listed-charges.ts'
import type { SaleParts } from './movements/sale.ts'
import { countNewEvents } from './tallies/count-events.ts'
import { createReadTallies } from './tallies/read-tallies.ts'
import type { ReadTallies } from './tallies/read-tallies.ts'
import { createTimelineOf } from './timeline/timeline-of.ts'
import type { WebhooksAbout } from './timeline/timeline-of.ts'
import { countUnknownOutcomes } from './recovery/unknown-outcomes.ts'

interface Needs extends Pick<SaleParts, 'findToken' | 'gatewayOf' | 'tokenNotFound'> {
  /** The adapter of the gateway that a charge is at; rejects when it can't be used now. */
  adapterOf: (charge: Charge) => Promise<Gateway>
  tokenClaim: TokenClaim
  writeEvent: WriteEvent
  /** How many events there are in the audit log's chain. */
  sealedLength: () => Promise<number>
  /** What was sent to merchants' webhooks of each event. */
  webhooksAbout: WebhooksAbout
  /** How long a gateway's answer is waited for; an attempt is asked for 8 s after it was written. */
  gatewayTimeoutMs?: number | undefined
}

const GATEWAY_TIMEOUT_MS = 5000
/**
 * Calls of one process to one gateway account at once. One that never answers keeps each slot for 5 to 7 s, and so takes some 40
 * charges a second, and some 10 MB, before the others are told at once; one that answers in 250 ms takes 1,000 a second,
 * which is more than a process brings about.
 */
const GATEWAY_SLOTS = 256

/** What other domains may call of charges. */
export interface ChargesApi extends Payments {
  /** The charge of an event on the wire, as it was right after that event. */
  asOfEvent: (event: { id: string; subject: string }) => Promise<ChargeResource>
  tallies: ReadTallies
  /** Charges that need attention. */
  toAttend: FindNeeds
}

/** Holding, taking and giving back money through gateways. */
export function chargesDomain(platform: Platform, needs: Needs): Domain<ChargesApi> {
  const { database, createId, metrics, timeOfDay } = platform
  const { findToken, gatewayOf, tokenNotFound, gatewayTimeoutMs = GATEWAY_TIMEOUT_MS } = needs
  const store = createChargeStore(database, needs.tokenClaim, needs.writeEvent)
  const movements = composeMovements(platform, store, needs.adapterOf, gatewayTimeoutMs)
  const parts = { store, movements, createId, findToken, gatewayOf, tokenNotFound }
  const charges = createCharges(parts)
  const findTogether = batchLoader(store.findMany)
  metrics.watchUnknownOutcomes(() => countUnknownOutcomes(database))
  return {
    api: {
      ...createPayments({ store, sell: charges.sell }),
      asOfEvent: (event) => chargeAsOfEvent({ find: findTogether }, event),
      tallies: createReadTallies(database),
      toAttend: createChargesToAttend(database),
    },
    addMerchantRoutes(app, { authenticate }) {
      addReadingRoutes(app, { charges, authenticate })
      const isClockSteady = () => isSteady(timeOfDay, MOVEMENTS_ENDED_MS)
      const oncePerRequest = createOncePerRequest({ store, movements, isClockSteady })
      addMovementRoutes(app, { charges, oncePerRequest, authenticate })
    },
    addRoutes: noRoutes,
    addDashboardRoutes(app, { sessionOf, recheckSession }) {
      const listCharges = createListCharges(database)
      const addEvent = createAddEvent(needs.writeEvent, createId)
      addExportRoute(app, {
        exportCharges: createExportCharges(listCharges, platform.clock),
        clock: platform.clock,
        sessionOf,
        recheckSession,
        addEvent: (event) => addEvent(database, event),
      })
      addChargeDashboardRoutes(app, {
        listCharges,
        timelineOf: createTimelineOf(database, needs.webhooksAbout),
        sessionOf,
      })
    },
    jobs: [
      ...chargeJobs(platform, parts, gatewayTimeoutMs),
      { name: 'count charges', everyMs: 1000, work: () => countNewEvents(database, needs.sealedLength) },
    ],
  }
}

/** Money movements, with slots for calls to each gateway account. */
function composeMovements(
  { log, clock, timeOfDay, metrics }: Platform,
  store: SaleParts['store'],
  adapterOf: Needs['adapterOf'],
  timeoutMs: number,
): SaleParts['movements'] {
  const bulkhead = createBulkhead({
    kind: 'movement',
    max: GATEWAY_SLOTS,
    clock,
    warn: (facts, words) => log.warn(facts, words),
  })
  metrics.watchOutbound(bulkhead)
  const onFault = (error: unknown) => log.error({ err: error }, 'a movement has no outcome yet')
  const ask = createAskGateway({ adapterOf, timeoutMs, bulkhead, onFault })
  return createMovements({ store, ask, clockSteps: timeOfDay, onFault })
}
