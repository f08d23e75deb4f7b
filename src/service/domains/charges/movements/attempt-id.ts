import { createHash } from 'node:crypto'
import type { IdempotentRequest } from '../../../platform/idempotency/idempotent-request.ts'
import type { Attempt, Charge } from '../charge.ts'

/** How long a request may come again under its key (contract §2). */
const PERIOD_MS = 30 * 24 * 3_600_000

type Asked = Pick<Attempt, 'type' | 'amount'>

/**
 * The id of an attempt to capture, cancel or refund that a request with a key asks for: it follows from the charge, the movement and the
 * request. A service whose database was restored from before the request sends it again under the id that the gateway knows, so that no
 * money moves twice.
 *
 * No other movement gets the id. Where the charge has an attempt under it, as the gateway was not reached and the key came again, the next
 * count gives another one. A key may be used anew after 30 days, also one whose first use was lost by a restore: the charge's age is in
 * another period then. Like other ids it begins with a time, the charge's.
 */
export function attemptIdOf(
  charge: Pick<Charge, 'id' | 'ageMs' | 'attempts'>,
  { type, amount }: Asked,
  { key, hash }: Pick<IdempotentRequest, 'key' | 'hash'>,
): string {
  const period = Math.floor(charge.ageMs / PERIOD_MS)
  const taken = new Set(charge.attempts.map((attempt) => attempt.id))
  for (let count = 0; ; count += 1) {
    const content = JSON.stringify([charge.id, type, amount, key, hash, period, count])
    const rest = createHash('sha256').update(content).digest('hex')
    const id = charge.id.slice(0, 8) + rest.slice(0, 16)
    if (!taken.has(id)) return id
  }
}
