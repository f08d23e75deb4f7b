import { Temporal } from 'temporal-polyfill'

/** Offsets change on the quarter hour, wherever they do. */
const SLOT_MS = 900_000
const MINUTE_MS = 60_000

/** Writes times as a clock in this zone shows them, in ISO 8601 with the zone's offset then: `2026-11-22T10:31:05.000+10:30`. */
export function timeWriter(zone: string): (time: Date) => string {
  let known = { slot: NaN, offsetMs: 0 }
  return (time) => {
    const slot = Math.floor(time.getTime() / SLOT_MS)
    if (slot !== known.slot) known = { slot, offsetMs: offsetMsAt(zone, slot * SLOT_MS) }
    const shown = new Date(time.getTime() + known.offsetMs).toISOString().slice(0, -1)
    return `${shown}${toOffset(known.offsetMs)}`
  }
}

function offsetMsAt(zone: string, epochMs: number): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone)
  return zoned.offsetNanoseconds / 1e6
}

function toOffset(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / MINUTE_MS)
  const two = (count: number) => String(count).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
