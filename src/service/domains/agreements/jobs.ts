import { inTime } from '../../platform/in-time.ts'
import { openOutboundPool } from '../../platform/outbound/outbound-pool.ts'
import type { FairPool } from '../../platform/concurrency/fairness.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import type { Platform } from '../../platform/platform.ts'
import { dayAt } from './calendar.ts'
import { collectBatch, createCollector } from './collection.ts'
import type { AgreementsDeps } from './deps.ts'
import { jobsToDo } from './due-store.ts'
import { endByTime } from './ending.ts'
import { sendInstructions } from './instructions.ts'
import { receiveNotices } from './notices.ts'
import { createPaymentSender } from './payment-sending.ts'
import { forgetRequests } from './payment-store.ts'

/** Calls to the network that one process has under way at once. The target of each is its merchant. */
const INSTRUCTION_SHARES = { quick: 64, slow: 16, merchant: 16, target: 16 }
const PAYMENT_SHARES = { quick: 128, slow: 32, merchant: 64, target: 64 }
/** A call without an answer after this time counts as unanswered. */
const NETWORK_TIMEOUT_MS = 10_000
/** Leaves time for two answers and a few statements on a slow database; less than the minute for which a task is taken. */
const MAX_TASK_MS = 45_000
/** The most rounds of collecting due payments and receiving notices before both wait for the next run. */
const MAX_ROUNDS = 3
/** How long notices wait for due payments to be collected: on a day with many payments not for all of them. */
const MAX_COLLECT_MS = 3000

/** The background work of agreements and their payments. */
export function agreementJobs(platform: Platform, deps: AgreementsDeps): Job[] {
  const { database, timeOfDay } = deps
  const workCheck = () => {
    const now = timeOfDay.epochMs()
    return jobsToDo(database, new Date(now), dayAt(now))
  }
  const paymentPool = createNetworkPool(platform, 'payment', PAYMENT_SHARES, NOT_SENT)
  const inquiryPool = createNetworkPool(platform, 'payment_inquiry', PAYMENT_SHARES, NOT_SENT)
  const instructionPool = createNetworkPool(platform, 'instruction', INSTRUCTION_SHARES, NOT_REACHED)
  const forgetting = workInBatches([() => forgetRequests(database)])
  const collector = createCollector(() => collectBatch(deps))
  const stopping = new AbortController()

  // After a downtime, payments that were due before a debtor's answer are collected by the terms and the state from before it. An answer
  // may make a past day due, and the next answer has to wait until that is collected.
  const hearDebtors = async () => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await inTime(collector.work(), MAX_COLLECT_MS, () => undefined)
      if (await receiveNotices(deps, stopping.signal)) return true
    }
    return false
  }

  return [
    {
      name: 'send instructions',
      everyMs: 200,
      workCheck,
      work: () => sendInstructions(deps, instructionPool),
      ...endOf(instructionPool),
    },
    { name: 'receive notices', everyMs: 500, work: hearDebtors, abort: () => stopping.abort() },
    {
      name: 'end agreements',
      everyMs: 200,
      workCheck,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, () => endByTime(deps, hearDebtors)),
    },
    {
      name: 'forget old payment requests',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
      abort: forgetting.abort,
    },
    { name: 'collect due payments', everyMs: 200, workCheck, ...collector },
    {
      name: 'send payments',
      everyMs: 200,
      workCheck,
      work: createPaymentSender(deps, paymentPool).send,
      ...endOf(paymentPool),
    },
    {
      name: 'ask after payments',
      everyMs: 1000,
      work: createPaymentSender(deps, inquiryPool).askForOutcomes,
      ...endOf(inquiryPool),
    },
  ]
}

const endOf = ({ finish, abort }: FairPool) => ({ finish, abort })

const NOT_REACHED = 'the payment network could not be reached'
const NOT_SENT = 'a payment could not be sent, or asked after'

/** A pool of calls to the network, which the metrics show by `kind`. `fault`: what the log says when a task fails. */
function createNetworkPool(
  platform: Platform,
  kind: string,
  shares: typeof PAYMENT_SHARES,
  fault: string,
): FairPool {
  return openOutboundPool(platform, {
    kind,
    shares,
    target: 'merchant',
    timeoutMs: NETWORK_TIMEOUT_MS,
    deadlineMs: MAX_TASK_MS,
    onFault: (error) => platform.log.error({ err: error }, fault),
  })
}
