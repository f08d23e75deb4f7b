import { createHash } from 'node:crypto'
import type { TimeOfDay } from '../../../../platform/clocks.ts'
import type { Database, Queries } from '../../../../platform/database/database.ts'
import type { CreateId } from '../../../../platform/identifiers.ts'
import type { IsClockSteady } from '../../../../platform/jobs/when-steady.ts'
import { toAgreement } from '../../agreement-row.ts'
import type { AgreementStore } from '../../agreement-store.ts'
import type { Agreement } from '../../agreement.ts'
import { toChange } from '../../lifecycle/record-decisions.ts'
import { dayAt } from '../../terms/day.ts'
import type { Day } from '../../terms/day.ts'
import type { NewPayment, PaymentStore } from '../payment-store.ts'
import { lockDueAgreements, moveDueDays, seeDue } from '../statements/collect-sql.ts'
import { decideCollection } from './decide-collection.ts'
import type { Collection } from './decide-collection.ts'

interface Parts {
  database: Pick<Database, 'run' | 'transaction'>
  store: Pick<PaymentStore, 'tally' | 'add'>
  agreements: Pick<AgreementStore, 'change'>
  createId: CreateId
  timeOfDay: TimeOfDay
  isClockSteady: IsClockSteady
}

/** Agreements of one transaction: few enough that requests do not wait long for the decisions on them. */
const BATCH = 100

/** A due day of an agreement that is locked, and what becomes of it. */
type Decided<Kind extends Collection['kind'] = Collection['kind']> = {
  agreement: Agreement
  due: Day
} & Extract<Collection, { kind: Kind }>

/**
 * Takes one due day of each of some agreements, in one transaction, and answers with how many it took. The database's clock is read after
 * one was found.
 */
export async function collectBatch(parts: Parts): Promise<number> {
  const { database, timeOfDay, isClockSteady } = parts
  const [seen] = await database.run(seeDue, { today: dayAt(timeOfDay.epochMs()) })
  if (seen?.is_due !== true || !(await isClockSteady())) return 0
  return database.transaction((queries) => collectIn(queries, parts))
}

async function collectIn(queries: Queries, parts: Parts): Promise<number> {
  const { store, createId, timeOfDay } = parts
  const now = new Date(timeOfDay.epochMs())
  const decided = await decideOn(parts, queries, dayAt(now.getTime()))
  if (decided.length === 0) return 0
  const collected = decided.filter(isOf('collect'))
  const payments = collected.map((one) => toPayment(one, createId))
  await store.add(queries, payments, 'service', now)
  await queries.run(moveDueDays, {
    ids: collected.map(({ agreement }) => agreement.id),
    due_days: collected.map(({ next }) => next),
    done_days: collected.map(({ due }) => due),
    now,
  })
  for (const one of decided.filter(isOf('skip'))) await skip(parts, queries, one, now)
  return decided.length
}

async function decideOn({ store }: Parts, queries: Queries, today: Day): Promise<Decided[]> {
  const rows = await queries.run(lockDueAgreements, { today, most: BATCH })
  if (rows.length === 0) return []
  const asked = rows.map((row) => ({ agreement: toAgreement(row), day: row.next_due_on ?? today }))
  const tallies = await store.tally(queries, asked)
  return asked.map(({ agreement, day }) => {
    const tally = tallies.get(agreement.id)
    if (tally === undefined) throw new Error('an agreement was not tallied')
    return { agreement, due: day, ...decideCollection(agreement, day, tally, today) }
  })
}

const isOf =
  <Kind extends Collection['kind']>(kind: Kind) =>
  (one: Decided): one is Decided<Kind> =>
    one.kind === kind

function toPayment({ agreement, due, proposed }: Decided<'collect'>, createId: CreateId): NewPayment {
  return {
    id: idOfDueDay(agreement.id, due),
    agreementId: agreement.id,
    merchantId: agreement.merchantId,
    agreementVersion: agreement.version,
    agreementRevision: agreement.revision,
    amount: proposed.amount,
    reference: agreement.reference ?? agreement.id,
    description: null,
    isLast: proposed.isLast,
    dueOn: due,
    countsOn: due,
    idempotentRequest: null,
    eventId: createId(),
  }
}

/**
 * The id of a due day's payment, 24 hex characters that sort by the day. It follows from the agreement and the day alone: a service whose
 * database was restored from before the day sends the payment again under the id that the network knows, so that nobody pays twice.
 */
function idOfDueDay(agreementId: string, due: Day): string {
  const seconds = (Date.parse(`${due}T00:00:00Z`) / 1000).toString(16).padStart(8, '0')
  const rest = createHash('sha256').update(`due day ${agreementId} ${due}`).digest('hex')
  return seconds + rest.slice(0, 16)
}

async function skip(
  { agreements, createId }: Parts,
  queries: Queries,
  { agreement, next, done, why }: Decided<'skip'>,
  at: Date,
): Promise<void> {
  const facts = { nextDueOn: next, dueDaysDoneUntil: done }
  const reason = { code: 'not_specified', text: why } as const
  const decision = { type: 'collection_skipped', by: 'service', reason, facts, instruction: null } as const
  const change = toChange(decision, { createId, at, noticeId: null })
  const changed = await agreements.change(agreement, facts, change, queries)
  if (changed === null) throw new Error('an agreement that was locked has changed')
}
