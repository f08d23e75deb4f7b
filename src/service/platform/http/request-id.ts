import { randomUUID } from 'node:crypto'
import { holdsCardNumber } from '../../../card/number-in-text.ts'

const acceptable = /^[\w.:-]{1,64}$/

/** The caller's `x-request-id` when it is fit to be logged, else a new one (contract §2). */
export function requestIdOf(given: string | string[] | undefined): string {
  const isFit = typeof given === 'string' && acceptable.test(given) && !holdsCardNumber(given)
  return isFit ? given : randomUUID()
}
