import type { TimeOfDay } from '../../../../platform/clocks.ts'
import type { Database, Queries } from '../../../../platform/database/database.ts'
import type { CreateId } from '../../../../platform/identifiers.ts'
import { toAgreement } from '../../agreement-row.ts'
import type { AgreementStore } from '../../agreement-store.ts'
import type { Agreement } from '../../agreement.ts'
import { moved } from '../../lifecycle/move.ts'
import { toChange } from '../../lifecycle/record-decisions.ts'
import { dayAt } from '../../terms/day.ts'
import type { Payment } from '../payment.ts'
import { countSettled, lockEnding } from '../statements/collect-sql.ts'
import type { Result, SendingStore } from './sending-store.ts'

interface Parts {
  database: Pick<Database, 'transaction'>
  store: Pick<SendingStore, 'record'>
  agreements: Pick<AgreementStore, 'change'>
  createId: CreateId
  timeOfDay: TimeOfDay
}

/** Records what became of payments, and lets agreements expire whose last payment has settled, all of it in one transaction. */
export async function recordResults(parts: Parts, results: readonly Result[]): Promise<void> {
  const at = new Date(parts.timeOfDay.epochMs())
  await parts.database.transaction(async (queries) => {
    const recorded = await parts.store.record(queries, results, at)
    const settled = recorded.filter(({ status }) => status === 'settled')
    for (const agreement of await endedBy(queries, settled)) await expire(parts, queries, agreement, at)
  })
}

/** Locks the agreements of settled payments, and returns those without another payment to come. */
async function endedBy(queries: Queries, settled: readonly Payment[]): Promise<Agreement[]> {
  if (settled.length === 0) return []
  const lastIds = new Set(settled.filter(({ isLast }) => isLast).map(({ agreementId }) => agreementId))
  const ids = settled.map(({ agreementId }) => agreementId)
  const ending = (await queries.run(lockEnding, { ids, last_ids: [...lastIds] })).map(toAgreement)
  if (ending.length === 0) return []
  const rows = await queries.run(countSettled, { agreement_ids: ending.map(({ id }) => id) })
  const counts = new Map(rows.map((row) => [row.agreement_id, row.count]))
  return ending.filter(
    ({ id, maxPayments }) =>
      lastIds.has(id) || (maxPayments !== null && (counts.get(id) ?? 0) >= maxPayments),
  )
}

async function expire(
  { agreements, createId }: Parts,
  queries: Queries,
  agreement: Agreement,
  at: Date,
): Promise<void> {
  const move = { action: 'expire', by: 'service', day: dayAt(at.getTime()) } as const
  for (const decision of moved(agreement, move)) {
    const change = toChange(decision, { createId, at, noticeId: null })
    const changed = await agreements.change(agreement, decision.facts, change, queries)
    if (changed === null) throw new Error('an agreement that was locked has changed')
  }
}
