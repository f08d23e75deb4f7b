import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { CreateId } from '../../../platform/identifiers.ts'
import type { AgreementStore } from '../agreement-store.ts'
import type { Agreement } from '../agreement.ts'
import type { NewChange } from '../change.ts'
import type { Decision } from './decision.ts'

/**
 * Writes what was decided of an agreement as it was read, all of it or none. Null when it has changed since, or the notice that it
 * was decided for was applied already: read it again and decide again.
 */
export type RecordDecisions = (
  agreement: Agreement,
  decisions: readonly Decision[],
  noticeId?: string | null,
) => Promise<Agreement | null>

interface Parts {
  database: Pick<Database, 'transaction'>
  store: Pick<AgreementStore, 'change'>
  createId: CreateId
  timeOfDay: TimeOfDay
}

export function createRecordDecisions({ database, ...parts }: Parts): RecordDecisions {
  return (agreement, decisions, noticeId = null) =>
    database.transaction((queries) => recordIn(queries, parts, { agreement, decisions, noticeId }))
}

interface Recording {
  agreement: Agreement
  decisions: readonly Decision[]
  noticeId: string | null
}

/** The same in a transaction of the caller's. Null does not come where it has locked the agreement, and there is no notice. */
export async function recordIn(
  queries: Queries,
  { store, createId, timeOfDay }: Omit<Parts, 'database'>,
  { agreement, decisions, noticeId }: Recording,
): Promise<Agreement | null> {
  const at = new Date(timeOfDay.epochMs())
  let current = agreement
  for (const decision of decisions) {
    // A notice is applied once, so it stands with the last entry: a release may have another before it.
    const isLast = decision === decisions.at(-1)
    const change = toChange(decision, { createId, at, noticeId: isLast ? noticeId : null })
    const next = await store.change(current, decision.facts, change, queries)
    if (next === null) return null
    current = next
  }
  return current
}

interface Moment {
  createId: CreateId
  at: Date
  noticeId: string | null
}

/** A decision → what is written with it. */
export function toChange(
  { type, by, reason, instruction: content }: Decision,
  { createId, at, noticeId }: Moment,
): NewChange {
  const instruction = content === null ? null : { id: createId(), content }
  return { id: createId(), type, by, reason, noticeId, instruction, at }
}

const MAX_TRIES = 20

/** Repeats an attempt that lost a race; throws `service_unavailable` when it keeps losing. */
export async function untilRecorded<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await attempt()
    if (result !== null) return result
  }
  const words = 'This agreement is changed by many requests at once. Try again in a moment.'
  throw new ServiceError('service_unavailable', words, { retryAfter: 1 })
}
