import { eventSql } from '../../platform/events.ts'
import type { WriteEvent } from '../../platform/write-event.ts'

/** New code uses `eventSql` as it is. */
export const writeEvent: WriteEvent = eventSql
