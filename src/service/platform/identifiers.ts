import { randomBytes } from 'node:crypto'
import type { TimeOfDay } from './clocks.ts'

/** Makes ids of 24 hex characters; those made later sort later, which keeps index pages warm. */
export type CreateId = () => string

/** Ids of 4 bytes of time (s) and 8 random bytes. */
export function createIds(clock: TimeOfDay): CreateId {
  return () => {
    const seconds = Math.floor(clock.epochMs() / 1000)
      .toString(16)
      .padStart(8, '0')
    return seconds + randomBytes(8).toString('hex')
  }
}
