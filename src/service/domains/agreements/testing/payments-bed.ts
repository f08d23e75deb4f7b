import type { AgreementPaymentRequest } from '../../../../contract/api/agreements/agreement-request.ts'
import { monotonicClock } from '../../../platform/clocks.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createFairPool } from '../../../platform/concurrency/fairness.ts'
import { createMigratedDatabase } from '../../../testing/test-database.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import type { PaymentNetwork } from '../../payment-network/payment-network.ts'
import { debtorNamed, sandboxOn } from '../../payment-network/sandbox/testing/sandbox-network-bed.ts'
import { addAgreement } from '../agreement-store.ts'
import type { Agreement } from '../agreement.ts'
import { collectBatch, createCollector } from '../collection.ts'
import { listPayments } from '../payment-list.ts'
import { createPaymentSender } from '../payment-sending.ts'
import { acceptPayment } from '../payments.ts'
import { nextDueDay } from '../terms.ts'
import { madeAgreement } from './made-agreement.ts'
import { testDeps } from './test-deps.ts'

const eventTypes = testStatement<{ type: string }>(
  't_event_types',
  'SELECT type FROM event_outbox WHERE subject = $1',
)

const DAY_MS = 86_400_000
const EVERYTHING = {
  status: null,
  reference: null,
  from: null,
  to: null,
  after: null,
  limit: 1000,
  skip: 0,
}
const ANY_AMOUNT = {
  amount_type: 'variable',
  amount: null,
  maximum_amount: 1_000_000,
  frequency: null,
  count_per_period: null,
  point_in_period: null,
  first_payment: null,
  last_payment: null,
} as const
const NO_ACCOUNTS = { masterKeyId: 'k', wrappedDataKey: Buffer.alloc(0), text: Buffer.alloc(0) }

/** Payments on a database and a sandbox network, at a time that a test sets. */
export async function openPaymentsBed(startsAt: string) {
  const database = await createMigratedDatabase()
  let now = Date.parse(startsAt)
  const epochMs = () => now
  const { network, ledger } = sandboxOn(database, epochMs)
  const startProcess = (faulty: Partial<Parameters<typeof paymentsProcess>[0]> = {}) =>
    paymentsProcess({ database, network, ...faulty }, epochMs)
  const service = startProcess()
  const { createId } = service.deps
  return {
    ...service,
    startProcess,
    database,
    network,
    ledger,
    createId,
    setTime: (time: string) => (now = Date.parse(time)),
    pass: (ms: number) => (now += ms),
    /** An agreement that its debtor, one of the sandbox, has accepted. */
    async makeAgreement(overrides: Partial<Agreement> = {}, debtor = 'approve'): Promise<Agreement> {
      const agreement = madeAgreement({ id: createId(), ...overrides })
      const nextDueOn = overrides.nextDueOn ?? nextDueDay(agreement, null)
      const change = {
        type: 'accepted',
        by: 'debtor',
        noticeId: null,
        reason: null,
        facts: {},
        instruction: null,
        id: createId(),
        at: new Date(now),
      } as const
      const made = await addAgreement(database, { ...agreement, nextDueOn }, NO_ACCOUNTS, change)
      await openMandate(network, made, { debtor, id: createId(), answerBy: new Date(now + DAY_MS) })
      return made
    },
    /** The types of the events about something, sorted. */
    eventsOf: async (id: string) => (await database.run(eventTypes, [id])).map(({ type }) => type).sort(),
    /** By the days that they count for. */
    async paymentsOf(agreementId: string) {
      const payments = await listPayments(database, agreementId, EVERYTHING)
      return payments.sort((one, other) => (one.countsOn < other.countsOn ? -1 : 1))
    },
    close: () => database.close(),
  }
}

export type PaymentsBed = Awaited<ReturnType<typeof openPaymentsBed>>

/** The payments of one process of the service; what it stands on may fail on purpose. */
function paymentsProcess(outside: { database: Database; network: PaymentNetwork }, epochMs: () => number) {
  const deps = testDeps(outside, epochMs)
  const pool = createFairPool({
    kind: 'payment',
    target: 'merchant',
    shares: { quick: 128, slow: 32, merchant: 64, target: 64 },
    timeoutMs: 10_000,
    deadlineMs: 45_000,
    clock: monotonicClock,
    warn: () => undefined,
    onFault: () => undefined,
  })
  const sender = createPaymentSender(deps, pool)
  return {
    deps,
    /** Accepts a payment that is sent without a key. */
    async accept(
      { merchantId, id: agreementId }: Pick<Agreement, 'merchantId' | 'id'>,
      request: AgreementPaymentRequest,
    ) {
      const asked = { merchantId, agreementId, request, idempotentRequest: null }
      return (await acceptPayment(deps, asked)).payment
    },
    collect: createCollector(() => collectBatch(deps)).work,
    send: () => sender.send().then(pool.finish),
    askForOutcomes: () => sender.askForOutcomes().then(pool.finish),
  }
}

/** Has the sandbox's debtor accept an agreement. */
async function openMandate(
  network: PaymentNetwork,
  { id: agreementId, type, description, startDate }: Agreement,
  { debtor, id, answerBy }: { debtor: string; id: string; answerBy: Date },
): Promise<void> {
  const mandate = { description, terms: ANY_AMOUNT, startDate, endDate: null, maxPayments: null }
  const answer = await network.instruct(
    {
      id,
      agreementId,
      kind: 'create',
      type,
      purpose: 'other',
      debtor: debtorNamed(debtor),
      creditor: { name: 'Acme Gym', account: { bsb: '802985', account_number: '123456789' } },
      mandate: { ...mandate, responseRequiredBy: answerBy },
    },
    new AbortController().signal,
  )
  if (answer.kind !== 'done') throw new Error(`the sandbox has said ${answer.kind}`)
}
