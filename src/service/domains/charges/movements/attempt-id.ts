import { createHash } from 'node:crypto'
import type { IdempotentRequest } from '../../../platform/idempotency.ts'
import type { Attempt, Charge } from '../charge.ts'

/** How long a request may come again under its key (contract §2). */
const PERIOD_MS = 30 * 24 * 3_600_000

type Asked = Pick<Attempt, 'type' | 'amount'>

/**
 * The id of an attempt to capture, cancel or refund that a request with an Idempotency-Key asks for. It is a hash of the charge, the
 * movement and the request, and not random: where the database was restored from a backup that does not have the attempt, the same request
 * gets the same id. The gateway knows that id, and moves the money once.
 *
 * No other movement may get the id:
 * - The same request is carried out anew where the gateway was not reached. Then the charge has an attempt with the id, and `count` makes
 *   another one.
 * - After 30 days a key may be used for another movement. `period` differs then, also where a restore has lost the first attempt.
 *
 * Like any id it begins with a time in seconds, here that of the charge.
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
