import { noRoutes } from '../../platform/domain.ts'
import type { Domain } from '../../platform/domain.ts'
import type { Job, WorkCheck } from '../../platform/jobs/job.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import type { Platform } from '../../platform/platform.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { PaymentNetwork } from '../payment-network/payment-network.ts'
import { createAgreementStore } from './agreement-store.ts'
import { createAgreements } from './agreements.ts'
import { asOfEventBy } from './agreement-resource.ts'
import type { AgreementAsOfEvent } from './agreement-resource.ts'
import { createEndByTime } from './lifecycle/end-by-time.ts'
import { createNoticeReceiver } from './lifecycle/receive-notices.ts'
import { createInstructionStore } from './lifecycle/instruction-store.ts'
import { createRecordDecisions } from './lifecycle/record-decisions.ts'
import { createInstructionSender } from './lifecycle/send-instructions.ts'
import { lookForWork } from './statements/look-for-work.ts'
import { createNetworkPool } from './network-pool.ts'
import { paymentParts } from './payments/payment-parts.ts'
import type { PaymentsApi } from './payments/payment-parts.ts'
import { addAgreementRoutes } from './routes.ts'
import { createSuspendedAgreements } from './suspended-agreements.ts'

interface Needs {
  writeEvent: WriteEvent
  network: PaymentNetwork
}

export interface AgreementsApi {
  /** What an event is about, on the wire, as it was right after it. */
  asOfEvents: { agreement: AgreementAsOfEvent; payment: PaymentsApi['paymentAsOf'] }
  /** Agreements that are suspended. */
  suspended: FindNeeds
}

/** Instructions that one process tells at once. The target of each is its merchant. */
const INSTRUCTION_SHARES = { quick: 64, slow: 16, merchant: 16, target: 16 }
/** The most rounds of collecting due payments and receiving notices before both wait for the job's next run. */
const MAX_ROUNDS = 3

/** Agreements: a payer's standing authority to be paid from its bank account. */
export function agreementsDomain(platform: Platform, needs: Needs): Domain<AgreementsApi> {
  const { database, timeOfDay, createId, textVault: vault } = platform
  const { writeEvent, network } = needs
  const store = createAgreementStore(database, writeEvent)
  const recordDecisions = createRecordDecisions({ database, store, createId, timeOfDay })
  const workCheck = lookForWork(database, timeOfDay)
  const payments = paymentParts(platform, { writeEvent, network, agreements: store, workCheck })
  const { collect, count: countPayments, paymentAsOf } = payments.api
  const agreements = createAgreements({
    database,
    store,
    network,
    countPayments,
    vault,
    createId,
    timeOfDay,
  })
  const instructions = createInstructionStore(database)
  const exchange = networkExchange(platform, {
    store,
    instructions,
    recordDecisions,
    network,
    collect,
    workCheck,
  })
  const endByTime = createEndByTime({
    database,
    receiveNotices: exchange.receiveNotices,
    instructions,
    recordDecisions,
    createId,
    timeOfDay,
  })
  return {
    api: {
      asOfEvents: { agreement: asOfEventBy(store), payment: paymentAsOf },
      suspended: createSuspendedAgreements(database),
    },
    addMerchantRoutes: (app, access) => {
      addAgreementRoutes(app, { agreements, ...access })
      payments.addRoutes(app, access)
    },
    addRoutes: noRoutes,
    addDashboardRoutes: payments.addDashboardRoutes,
    jobs: [
      ...exchange.jobs,
      {
        name: 'end agreements',
        everyMs: 200,
        workCheck,
        work: whenSteady(timeOfDay, PUT_RIGHT_MS, endByTime),
      },
      ...payments.jobs,
    ],
  }
}

type NetworkParts = Pick<Parameters<typeof createInstructionSender>[0], 'recordDecisions'> & {
  store: ReturnType<typeof createAgreementStore>
  instructions: ReturnType<typeof createInstructionStore>
  network: PaymentNetwork
  collect: PaymentsApi['collect']
  workCheck: WorkCheck
}

interface NetworkExchange {
  jobs: Job[]
  /** Reads what debtors did; false when there may be more. */
  receiveNotices: () => Promise<boolean>
}

function networkExchange(
  platform: Platform,
  { collect, workCheck, ...parts }: NetworkParts,
): NetworkExchange {
  const { textVault: vault, createId, timeOfDay, log } = platform
  const warn = (facts: object, words: string) => {
    log.warn(facts, words)
  }
  const onFault = (error: unknown) => {
    log.error({ err: error }, 'the payment network could not be reached')
  }
  const shared = { ...parts, timeOfDay, warn }
  const pool = createNetworkPool(platform, { kind: 'instruction', shares: INSTRUCTION_SHARES, onFault })
  const notices = createNoticeReceiver({ ...shared, createId, onFault })
  // After a downtime, payments that were due before a debtor's answer are collected by the terms and the state from before the
  // answer. An answer may make a past day due, and the next answer has to wait until that is collected.
  const receiveNotices = async () => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await collect()
      if (await notices.receive()) return true
    }
    return false
  }
  return {
    receiveNotices,
    jobs: [
      {
        name: 'send instructions',
        everyMs: 200,
        workCheck,
        ...createInstructionSender({ ...shared, vault, pool }),
      },
      { name: 'receive notices', everyMs: 500, work: receiveNotices, abort: notices.abort },
    ],
  }
}
