import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { CentsLeft } from '../../../contract/api/fields/amount.ts'
import type { Cents } from '../../../contract/api/fields/amount.ts'
import type { ChargeRequest } from '../../../contract/api/charges/charge-request.ts'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import type { Queries } from '../../platform/database/database.ts'
import { batchLoader } from '../../platform/concurrency/loading.ts'
import { addEvent } from '../../platform/events.ts'
import type { Domain } from '../../platform/domain.ts'
import { createBulkhead } from '../../platform/concurrency/fairness.ts'
import { MOVEMENTS_ENDED_MS, isSteady } from '../../platform/jobs/when-steady.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import type { Platform } from '../../platform/platform.ts'
import { oneTimeTokenOf } from '../../platform/secrets/one-time-token.ts'
import type { News } from '../gateways/gateway.ts'
import { createAttemptStatements } from './attempt-store.ts'
import type { InSameTransaction, TokenClaim } from './attempt-store.ts'
import type { GatewayCalls } from './settle.ts'
import { toChargeResource } from './charge-resource.ts'
import { findCharges, lockForDisputes, writeDisputeSums } from './charge-store.ts'
import { countWaiting, createAskStatement, findAuthentication } from './authentication-store.ts'
import { addAuthenticationRoutes } from './authentication-routes.ts'
import { chargeAfter, chargeAt, chargeWhenAsked } from './attempt-outcome.ts'
import { capturedOf } from './charge.ts'
import type { Charge } from './charge.ts'
import { pay, paymentOf, shownStepOf } from './charges.ts'
import type { Caller, ChargesDeps, ChargePayment } from './charges.ts'
import { addChargeDashboardRoutes } from './dashboard-routes.ts'
import { createExports } from './export.ts'
import { chargeJobs } from './jobs.ts'
import { findChargesToAttend } from './needs-attention.ts'
import { hearNews } from './news.ts'
import type { Heard } from './news.ts'
import { findToldCharge } from './news-store.ts'
import type { ToldBy } from './news-store.ts'
import { addChargeRoutes } from './routes.ts'
import { countedTo, sumByDeclineReason, sumByPeriod, sumByScheme } from './tallies.ts'
import type { TimelineDeps } from './timeline.ts'
import { countUnknownOutcomes } from './unknown-outcomes.ts'

interface ChargesNeeds extends Pick<ChargesDeps, 'findToken' | 'gatewayOf' | 'tokenNotFound'> {
  adapterOf: GatewayCalls['adapterOf']
  tokenClaim: TokenClaim
  /** How many events the audit log's chain has. */
  sealedLength: () => Promise<number>
  webhooksAbout: TimelineDeps['webhooksAbout']
  /** How long a gateway's answer is waited for; a job asks about an attempt 8 s after it was written. */
  gatewayTimeoutMs?: number | undefined
}

/** What other domains may call of charges. */
export interface ChargesApi {
  pay: (
    caller: Caller,
    request: ChargeRequest,
    capture: boolean,
    inSameTransaction: InSameTransaction,
  ) => Promise<ChargePayment>
  paymentOf: (chargeId: string) => Promise<ChargePayment>
  shownStepOf: (chargeId: string) => Promise<{ id: string; token: string } | null>
  /** Whose an authentication is; null for an unknown one. */
  merchantOfAuthentication: (id: string) => Promise<string | null>
  /** The charge of an event on the wire, as it was right after that event. */
  asOfEvent: (event: { id: string; subject: string }) => Promise<ChargeResource>
  tallies: ReturnType<typeof talliesOf>
  /** Changes the charge that a gateway's news is about. */
  hearNews: (by: ToldBy, news: News) => Promise<Heard>
  /** The charge that a gateway's news is about; null if no charge has its payment. */
  chargeOfNews: (by: ToldBy, news: News) => Promise<string | null>
  /** A charge, whose disputes nobody else changes until the transaction ends; null if it is gone. */
  lockForDisputes: (queries: Queries, chargeId: string) => Promise<DisputedCharge | null>
  /** Notes what is disputed of a charge from now on, in cents. */
  keepDisputeSums: typeof writeDisputeSums
  /** Charges that need attention. */
  toAttend: FindNeeds
}

/** What a dispute has to know of its charge. */
type DisputedCharge = Pick<Charge, 'id' | 'merchantId' | 'gatewayId' | 'gatewayType' | 'currency'> & {
  /** What was captured of it; of one that is not known to be, what was asked for. */
  whole: Cents
}

/** Authorises, captures, cancels and refunds through gateways. */
export function chargesDomain(platform: Platform, needs: ChargesNeeds): Domain<ChargesApi> {
  const { database, metrics, timeOfDay, clock, createId } = platform
  const deps = chargesDeps(platform, needs)
  const findTogether = batchLoader((ids: readonly string[]) => findCharges(database, ids))
  metrics.watchUnknownOutcomes(() => countUnknownOutcomes(database))
  return {
    api: {
      pay: (...asked) => pay(deps, ...asked),
      paymentOf: (chargeId) => paymentOf(deps, chargeId),
      shownStepOf: (chargeId) => shownStepOf(deps, chargeId),
      merchantOfAuthentication: async (id) => (await findAuthentication(database, id))?.merchantId ?? null,
      asOfEvent: async (event) => toChargeOfEvent(await findTogether(event.subject), event.id),
      tallies: talliesOf(platform),
      hearNews: (by, news) => hearNews(deps, by, news),
      chargeOfNews: (by, news) => findToldCharge(database, by, news),
      lockForDisputes: async (queries, chargeId) => {
        const charge = await lockForDisputes(queries, chargeId)
        if (charge === null) return null
        return { ...charge, whole: v.parse(CentsLeft, capturedOf(charge) || charge.amount) }
      },
      keepDisputeSums: writeDisputeSums,
      toAttend: (merchantId) => findChargesToAttend(database, merchantId),
    },
    addMerchantRoutes(app, access) {
      const isClockSteady = () => isSteady(timeOfDay, MOVEMENTS_ENDED_MS)
      addChargeRoutes(app, { ...deps, isClockSteady }, access)
    },
    addRoutes: (app, access) => addAuthenticationRoutes(app, deps, access),
    addDashboardRoutes(app, access) {
      addChargeDashboardRoutes(
        app,
        {
          database,
          webhooksAbout: needs.webhooksAbout,
          exports: createExports(database, clock),
          addEvent: (event) => addEvent(database, { id: createId(), ...event }),
        },
        access,
      )
    },
    jobs: chargeJobs(platform, deps, needs.sealedLength),
  }
}

const GATEWAY_TIMEOUT_MS = 5000
/**
 * Calls of one process to one gateway account at once. An account that never answers keeps each slot for 5 to 7 s: it takes some 40 charges a
 * second, and some 10 MB, before the others are refused at once. One that answers in 250 ms takes 1,000 a second, more than a process makes.
 */
const GATEWAY_SLOTS = 256

function chargesDeps(platform: Platform, needs: ChargesNeeds): ChargesDeps {
  const { config, database, createId, log, clock, timeOfDay, metrics } = platform
  const { findToken, gatewayOf, tokenNotFound, adapterOf } = needs
  const bulkhead = createBulkhead({
    kind: 'movement',
    each: 'gateway',
    max: GATEWAY_SLOTS,
    clock,
    warn: (facts, words) => log.warn(facts, words),
  })
  metrics.watchOutbound(bulkhead)
  return {
    database,
    onAuthenticated: metrics.watchAuthentications(() => countWaiting(database)),
    statements: createAttemptStatements(needs.tokenClaim),
    gatewayCalls: {
      adapterOf,
      timeoutMs: needs.gatewayTimeoutMs ?? GATEWAY_TIMEOUT_MS,
      bulkhead,
      onFault: (error) => log.error({ err: error }, 'a movement has no outcome yet'),
    },
    createId,
    clockSteps: timeOfDay,
    authentications: {
      ask: createAskStatement(needs.tokenClaim),
      vault: platform.textVault,
      createAccessToken: () => oneTimeTokenOf(randomBytes(16)),
    },
    bankReturnUrl: (id) => `${config.widgetUrl}/3ds/${id}/return`,
    findToken,
    gatewayOf,
    tokenNotFound,
  }
}

/** An event of a charge has the id of its attempt, or of the change of its words. */
function toChargeOfEvent(charge: Charge | null, eventId: string): ChargeResource {
  const attempt = charge?.attempts.find(
    (one) => one.id === eventId || one.authentication?.passedId === eventId,
  )
  const asked = charge?.attempts.find((one) => one.authentication?.id === eventId)
  const edit = charge?.edits.find((one) => one.id === eventId)
  if (charge !== null && attempt !== undefined) return toChargeResource(chargeAfter(charge, attempt))
  if (charge !== null && asked !== undefined) return toChargeResource(chargeWhenAsked(charge, asked))
  if (charge !== null && edit !== undefined) return toChargeResource(chargeAt(charge, edit.at))
  throw new Error(`event ${eventId} is of no charge`)
}

function talliesOf({ database }: Platform) {
  return {
    byPeriod: (merchantId: string, bounds: readonly Date[]) => sumByPeriod(database, merchantId, bounds),
    byScheme: (merchantId: string, from: Date, to: Date) => sumByScheme(database, merchantId, from, to),
    declines: (merchantId: string, from: Date, to: Date) =>
      sumByDeclineReason(database, merchantId, from, to),
    countedTo: () => countedTo(database),
  }
}
