import { monotonicClock } from '../../../../platform/clocks.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { createIds } from '../../../../platform/identifiers.ts'
import { createFairPool } from '../../../../platform/jobs/fair-pool.ts'
import { createMigratedDatabase } from '../../../../testing/test-database.ts'
import { testStatement } from '../../../../testing/test-statement.ts'
import { writeEvent } from '../../../events/write-event.ts'
import type { PaymentNetwork } from '../../../payment-network/payment-network.ts'
import { debtorNamed, sandboxOn } from '../../../payment-network/sandbox/testing/sandbox-network-bed.ts'
import { createAgreementStore } from '../../agreement-store.ts'
import type { Agreement } from '../../agreement.ts'
import { nextDueDay } from '../../terms/due-days.ts'
import { madeAgreement } from '../../testing/made-agreement.ts'
import { collectDue } from '../collecting/collect.ts'
import { createPaymentStore } from '../payment-store.ts'
import { createPayments } from '../payments.ts'
import { recordResults } from '../sending/record-results.ts'
import { createSending } from '../sending/send.ts'
import { createSendingStore } from '../sending/sending-store.ts'

const eventTypes = testStatement<{ type: string }>(
  't_event_types',
  'SELECT type FROM event_outbox WHERE subject = $1',
)

const NO_ACCOUNTS = { masterKeyId: 'k', wrappedDataKey: Buffer.alloc(0), text: Buffer.alloc(0) }

/** Payments on a database and a sandbox network, at a time that a test sets. */
export async function openPaymentsBed(startsAt: string) {
  const real = await createMigratedDatabase()
  let now = Date.parse(startsAt)
  const timeOfDay = { epochMs: () => now }
  const createId = createIds(timeOfDay)
  const { network: sandbox, ledger } = sandboxOn(real, timeOfDay.epochMs)

  /** A process of the service; `database` and `network` may fail on purpose. */
  function startProcess({
    database = real,
    network = sandbox,
  }: { database?: Database; network?: Pick<PaymentNetwork, 'pay' | 'outcomeOf'> } = {}) {
    const agreements = createAgreementStore(database, writeEvent)
    const store = createPaymentStore(database, writeEvent)
    const sendingStore = createSendingStore(database, writeEvent, createId)
    const shared = { database, agreements, createId, timeOfDay }
    const faults: unknown[] = []
    const pool = createFairPool({
      kind: 'payment',
      target: 'merchant',
      shares: { quick: 128, slow: 32, merchant: 64, target: 64 },
      timeoutMs: 10_000,
      deadlineMs: 45_000,
      clock: monotonicClock,
      warn: () => undefined,
      onFault: (error) => faults.push(error),
    })
    const sending = createSending({
      store: sendingStore,
      network,
      pool,
      recordAll: (results) => recordResults({ ...shared, store: sendingStore }, results),
      timeOfDay,
    })
    return {
      agreements,
      store,
      sendingStore,
      faults,
      payments: createPayments({ ...shared, store }),
      collect: () => collectDue({ ...shared, store }),
      send: () => sending.send().then(sending.finish),
      askAfter: () => sending.askAfter().then(sending.finish),
    }
  }

  const service = startProcess()
  return {
    ...service,
    startProcess,
    database: real,
    ledger,
    sandbox,
    createId,
    setTime: (time: string) => (now = Date.parse(time)),
    pass: (ms: number) => (now += ms),
    /** An agreement that its debtor, one of the sandbox, has accepted. */
    async makeAgreement(wish: Partial<Agreement> = {}, debtor = 'approve'): Promise<Agreement> {
      const agreement = madeAgreement({ id: createId(), ...wish })
      const nextDueOn = wish.nextDueOn ?? nextDueDay(agreement, null)
      const change = { id: createId(), type: 'accepted', by: 'debtor', noticeId: null, reason: null } as const
      const made = await service.agreements.add({ ...agreement, nextDueOn }, NO_ACCOUNTS, {
        ...change,
        instruction: null,
        at: new Date(now),
      })
      await openMandate(made, debtor)
      return made
    },
    /** The types of the events about something, sorted. */
    eventsOf: async (id: string) => (await real.run(eventTypes, [id])).map(({ type }) => type).sort(),
    paymentsOf: async (agreementId: string) =>
      (
        await service.store.list(agreementId, {
          status: null,
          reference: null,
          from: null,
          to: null,
          after: null,
          limit: 1000,
          skip: 0,
        })
      ).sort((one, other) => (one.countsOn < other.countsOn ? -1 : 1)),
    close: () => real.close(),
  }

  async function openMandate({ id, type, description, startDate }: Agreement, debtor: string): Promise<void> {
    const answer = await sandbox.instruct(
      {
        id: createId(),
        agreementId: id,
        kind: 'create',
        type,
        purpose: 'other',
        debtor: debtorNamed(debtor),
        creditor: { name: 'Acme Gym', account: { bsb: '802985', account_number: '123456789' } },
        mandate: {
          description,
          terms: {
            amount_type: 'variable',
            amount: null,
            maximum_amount: 1_000_000,
            frequency: null,
            count_per_period: null,
            point_in_period: null,
            first_payment: null,
            last_payment: null,
          },
          startDate,
          endDate: null,
          mostPayments: null,
          responseRequiredBy: new Date(now + 86_400_000),
        },
      },
      new AbortController().signal,
    )
    if (answer.kind !== 'done') throw new Error(`the sandbox has said ${answer.kind}`)
  }
}

export type PaymentsBed = Awaited<ReturnType<typeof openPaymentsBed>>
