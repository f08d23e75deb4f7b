import type { Queries } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import { changeAgreement } from './agreement-store.ts'
import type { Agreement, Decision } from './agreement.ts'
import type { AgreementsDeps } from './deps.ts'

/**
 * Records what was decided about an agreement as it was read: all of it or nothing. Null if it has changed since, or the notice was
 * applied already: read it again and decide again.
 */
export function recordDecisions(
  deps: AgreementsDeps,
  agreement: Agreement,
  decisions: readonly Decision[],
  noticeId: string | null = null,
): Promise<Agreement | null> {
  return deps.database.transaction((queries) => recordIn(queries, deps, agreement, decisions, noticeId))
}

/** Records decisions about an agreement that the caller's transaction has locked. */
export async function recordLocked(
  queries: Queries,
  deps: AgreementsDeps,
  agreement: Agreement,
  decisions: readonly Decision[],
): Promise<Agreement> {
  const changed = await recordIn(queries, deps, agreement, decisions, null)
  if (changed === null) throw new Error('an agreement that was locked has changed')
  return changed
}

async function recordIn(
  queries: Queries,
  { createId, timeOfDay }: AgreementsDeps,
  agreement: Agreement,
  decisions: readonly Decision[],
  noticeId: string | null,
): Promise<Agreement | null> {
  const at = new Date(timeOfDay.epochMs())
  let current = agreement
  for (const decision of decisions) {
    // A notice is applied once, so only the last entry bears its id: a release may have another entry before it.
    const isLast = decision === decisions.at(-1)
    const next = await changeAgreement(queries, current, {
      ...decision,
      id: createId(),
      instruction: decision.instruction === null ? null : { id: createId(), content: decision.instruction },
      noticeId: isLast ? noticeId : null,
      at,
    })
    if (next === null) return null
    current = next
  }
  return current
}

const MAX_TRIES = 20

/** Repeats an attempt that returns null because it lost a race; throws `service_unavailable` if it keeps losing. */
export async function untilRecorded<Result>(attempt: () => Promise<Result | null>): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const result = await attempt()
    if (result !== null) return result
  }
  const words = 'This agreement is changed by many requests at once. Try again in a moment.'
  throw new ServiceError('service_unavailable', words, { retryAfter: 1 })
}
