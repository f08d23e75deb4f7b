import type { FastifyInstance } from 'fastify'
import type { DashboardAccess, MerchantAccess } from '../../../platform/domain.ts'
import { inTime } from '../../../platform/in-time.ts'
import { workInBatches } from '../../../platform/jobs/batches.ts'
import type { Job, WorkCheck } from '../../../platform/jobs/job.ts'
import { PUT_RIGHT_MS, isSteady, whenSteady } from '../../../platform/jobs/when-steady.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { WriteEvent } from '../../../platform/write-event.ts'
import type { PaymentNetwork } from '../../payment-network/payment-network.ts'
import type { AgreementStore } from '../agreement-store.ts'
import { createNetworkPool } from '../network-pool.ts'
import { collectBatch } from './collecting/collect.ts'
import { createCollecting } from './collecting/collecting.ts'
import { createListPayments } from './listing/list-payments.ts'
import { addPaymentDashboardRoutes } from './listing/payment-dashboard-routes.ts'
import { toPaymentResource } from './payment-resource.ts'
import { addPaymentRoutes } from './payment-routes.ts'
import { createPaymentStore } from './payment-store.ts'
import type { PaymentStore } from './payment-store.ts'
import { createPayments } from './payments.ts'
import { recordResults } from './sending/record-results.ts'
import { createSending } from './sending/send.ts'
import { createSendingStore } from './sending/sending-store.ts'

interface Needs {
  writeEvent: WriteEvent
  network: Pick<PaymentNetwork, 'pay' | 'outcomeOf'>
  agreements: Pick<AgreementStore, 'lock' | 'findOf' | 'change'>
  /** What is asked first by jobs that may have something to do soon. */
  workCheck: WorkCheck
}

export interface PaymentsApi {
  /** What a `payment.…` event is about, on the wire, as it was right after the event. */
  paymentAsOf: (event: { type: string; subject: string }) => Promise<object>
  /** Makes the payments that are due; on a day with many of them it answers before they all are made. */
  collect: () => Promise<unknown>
  /** How many payments of an agreement have not failed, `most` at most. Right only in a transaction that has locked it. */
  count: PaymentStore['count']
}

/** Calls that one process has under way at once. The target of each is its merchant. */
const PAYMENT_SHARES = { quick: 128, slow: 32, merchant: 64, target: 64 }
/** How long a caller waits for due payments to be collected, on a day with many payments not for all of them. */
const MAX_WAIT_MS = 3000

interface PaymentParts {
  api: PaymentsApi
  addRoutes: (app: FastifyInstance, access: MerchantAccess) => void
  addDashboardRoutes: (app: FastifyInstance, access: DashboardAccess) => void
  jobs: readonly Job[]
}

/** The payments of agreements: the part of their domain that is about money. */
export function paymentParts(platform: Platform, needs: Needs): PaymentParts {
  const { database, createId, timeOfDay } = platform
  const { writeEvent, network, agreements, workCheck } = needs
  const store = createPaymentStore(database, writeEvent)
  const forgetting = workInBatches([store.forgetRequests])
  const payments = createPayments({ database, store, agreements, createId, timeOfDay })
  const sendingStore = createSendingStore(database, writeEvent, createId)
  const shared = { database, agreements, createId, timeOfDay }
  const onFault = (error: unknown) => {
    platform.log.error({ err: error }, 'a payment could not be sent, or asked after')
  }
  const sendingWith = (kind: string) =>
    createSending({
      store: sendingStore,
      network,
      pool: createNetworkPool(platform, { kind, shares: PAYMENT_SHARES, onFault }),
      recordAll: (results) => recordResults({ ...shared, store: sendingStore }, results),
      timeOfDay,
    })
  const isClockSteady = () => isSteady(timeOfDay, PUT_RIGHT_MS)
  const collecting = createCollecting(() => collectBatch({ ...shared, store, isClockSteady }))
  return {
    api: {
      paymentAsOf: async (event) => toPaymentResource(await payments.paymentAsOf(event)),
      collect: () => inTime(collecting.work(), MAX_WAIT_MS, () => undefined),
      count: store.count,
    },
    addRoutes: (app, access) => {
      addPaymentRoutes(app, { payments, ...access })
    },
    addDashboardRoutes: (app, { sessionOf }) => {
      addPaymentDashboardRoutes(app, { listPayments: createListPayments(database), sessionOf })
    },
    jobs: [
      {
        name: 'forget old payment requests',
        everyMs: 3_600_000,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
        abort: forgetting.abort,
      },
      { name: 'collect due payments', everyMs: 200, workCheck, ...collecting },
      { name: 'send payments', everyMs: 200, workCheck, ...toJob(sendingWith('payment'), 'send') },
      {
        name: 'ask after payments',
        everyMs: 1000,
        ...toJob(sendingWith('payment_inquiry'), 'askForOutcomes'),
      },
    ],
  }
}

function toJob(
  sending: ReturnType<typeof createSending>,
  work: 'send' | 'askForOutcomes',
): Pick<Job, 'work' | 'finish' | 'abort'> {
  return { work: sending[work], finish: sending.finish, abort: sending.abort }
}
