import type { eventSql } from './events.ts'

/** New code uses `eventSql` of `events.ts` as it is. */
export type WriteEvent = typeof eventSql
