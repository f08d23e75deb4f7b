import type { DisputeResource } from '../../../contract/api/disputes/dispute-resource.ts'
import { createBulkhead } from '../../platform/concurrency/fairness.ts'
import type { Domain } from '../../platform/domain.ts'
import { noRoutes } from '../../platform/domain.ts'
import { workInBatches } from '../../platform/jobs/batches.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { PUT_RIGHT_MS, whenSteady } from '../../platform/jobs/when-steady.ts'
import { MAX_READ, toNeeds } from '../../platform/listing/needs-attention.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'
import { openOutboundPool } from '../../platform/outbound/outbound-pool.ts'
import type { Platform } from '../../platform/platform.ts'
import type { News, ToldDispute } from '../gateways/gateway.ts'
import { toDisputeResource } from './dispute-resource.ts'
import { dueWork, findToSend, takeToSend } from './answer-store.ts'
import { findAsOf, findToAnswer } from './dispute-store.ts'
import { forgetDocuments } from './document-store.ts'
import { hearDispute, remindAll } from './disputes.ts'
import type { DisputesDeps } from './disputes.ts'
import { addDisputeRoutes } from './routes.ts'
import { sendAnswer } from './send-answer.ts'

interface DisputesNeeds extends Pick<DisputesDeps, 'adapterOf' | 'chargeOfNews' | 'lockCharge' | 'keepSums'> {
  /** Whether disputes at a type of gateway are answered here. */
  canAnswer: (gatewayType: string) => boolean
}

/** What other domains may ask of disputes. */
interface DisputesApi {
  hear: (
    by: { merchantId: string; gatewayId: string },
    news: News,
    told: ToldDispute,
  ) => ReturnType<typeof hearDispute>
  /** The dispute of an event on the wire, as it was right after that event. */
  asOfEvent: (event: { id: string; subject: string }) => Promise<DisputeResource>
  /** Disputes that need a response, the nearest deadline first. */
  toAnswer: FindNeeds
}

/** Questions to one gateway account at once. */
const QUESTIONS = 8
/** Files of one merchant at once, in each process: some 30 MB. */
const FILES = 4

/** Card holders' disputes of charges: heard of by gateways' notifications, shown, and answered. */
export function disputesDomain(platform: Platform, needs: DisputesNeeds): Domain<DisputesApi> {
  const { database, createId, textVault, timeOfDay, clock, log, metrics } = platform
  const warn = (facts: object, words: string) => log.warn(facts, words)
  const bulkhead = createBulkhead({ kind: 'dispute_question', each: 'gateway', max: QUESTIONS, clock, warn })
  const files = createBulkhead({ kind: 'dispute_file', each: 'merchant', max: FILES, clock, warn })
  metrics.watchOutbound(bulkhead)
  const deps: DisputesDeps = {
    database,
    createId,
    textVault,
    bulkhead,
    ...needs,
    onFault: (error) => log.error({ err: error }, 'a dispute could not be taken to its gateway yet'),
    now: () => new Date(timeOfDay.epochMs()),
  }
  return {
    api: {
      hear: (by, news, told) => hearDispute(deps, by, news, told),
      asOfEvent: async (event) => {
        const dispute = await findAsOf(database, event)
        if (dispute === null) throw new Error(`event ${event.id} is of no dispute`)
        return toDisputeResource(dispute, needs.canAnswer(dispute.gatewayType))
      },
      toAnswer: async (merchantId) => {
        const rows = await findToAnswer(database, merchantId, MAX_READ)
        const query = { status: 'needs_response' }
        return toNeeds(
          rows,
          { kind: 'dispute_needs_response', target: { page: 'disputes', query } },
          ({ id, at, amount, currency, stage }) => ({ id, at, words: stage, cents: amount, currency }),
          rows[0]?.found,
        )
      },
    },
    addMerchantRoutes(app, access) {
      addDisputeRoutes(app, { ...deps, files, canAnswer: needs.canAnswer }, access)
    },
    addRoutes: noRoutes,
    jobs: disputeJobs(platform, deps),
  }
}

/** How many answers one process sends at once; each may hold some MB of files. */
const SHARES = { quick: 8, slow: 4, merchant: 2, target: 2 }
/** All files of a dispute, and the answer itself. */
const SEND_MS = 60_000
const JOBS = { send: 'send answers to disputes', remind: 'remind of disputes' } as const

function disputeJobs(platform: Platform, deps: DisputesDeps): Job[] {
  const { database, log, timeOfDay } = platform
  const pool = openOutboundPool(platform, {
    kind: 'dispute',
    target: 'gateway',
    shares: SHARES,
    timeoutMs: SEND_MS,
    deadlineMs: SEND_MS + 30_000,
    onFault: (error) => log.error({ err: error }, 'the answer to a dispute could not be sent yet'),
  })
  const forgetting = workInBatches([() => forgetDocuments(database)])
  const workCheck = async () => (await dueWork(database)).map((work) => JOBS[work])
  const send = async () => {
    if (pool.capacity().max === 0) return
    const chosen = pool.choose(await findToSend(database))
    const taken = await takeToSend(
      database,
      chosen.map(({ id }) => id),
    )
    for (const { id, isLast } of taken) {
      const task = chosen.find((one) => one.id === id)
      if (task !== undefined) pool.start(task, (signal) => sendAnswer(deps, id, { isLast, signal }))
    }
  }
  return [
    { name: JOBS.send, everyMs: 1000, workCheck, work: send, finish: pool.finish, abort: pool.abort },
    {
      name: JOBS.remind,
      everyMs: 1000,
      workCheck,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, () => remindAll(deps)),
    },
    {
      name: 'forget files of disputes',
      everyMs: 3_600_000,
      work: whenSteady(timeOfDay, PUT_RIGHT_MS, forgetting.work),
      abort: forgetting.abort,
    },
  ]
}
