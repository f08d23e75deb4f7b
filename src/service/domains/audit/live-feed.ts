import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, bigint, text, timestamptz } from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'

const liveColumns = {
  seq: bigint,
  id: text,
  merchant_id: text,
  type: text,
  subject: text,
  created_at: timestamptz,
}
/** An event as listeners get it, in the columns of its row. */
export type LiveRow = ValuesOf<typeof liveColumns>

/** Someone who gets a merchant's events. */
export interface Listener {
  merchantId: string
  /** In the order of the chain, each once. */
  tell: (events: readonly LiveRow[]) => void
  /** Some events were left out: load everything again. */
  reset: () => void
}

/** Passes new sealed events to listeners. However many listen, a process reads the chain once. */
export interface LiveFeed {
  /** Listens from now on, or from the event after `lastId` if that is not too far back. Returns the function that leaves. */
  join: (listener: Listener, lastId: string | null) => Promise<() => void>
  /** Notes how many events are sealed by now: while nobody listens, the next listener starts there. */
  noteLength: (length: number) => void
  /** Passes on the events that were sealed since the last poll; reads nothing if nobody listens. */
  poll: () => Promise<void>
}

/** A listener that is further behind than this many events reloads everything that it shows. */
const MAX_BEHIND = 10_000

export function createLiveFeed(database: Queries, sealedLength: () => Promise<number>): LiveFeed {
  const listeners = new Set<Listener>()
  let told: number | null = null
  const read = (after: number, upTo: number, merchantIds: readonly string[]) =>
    database.run(readBetween, { after, up_to: upTo, merchant_ids: merchantIds })

  async function poll(): Promise<void> {
    if (listeners.size === 0) return
    const length = await sealedLength()
    const after = told
    if (after !== null && after >= length) return
    told = length
    if (after === null || listeners.size === 0) return
    if (length - after > MAX_BEHIND) {
      for (const { reset } of listeners) reset()
      return
    }
    const merchantIds = [...new Set([...listeners].map(({ merchantId }) => merchantId))]
    const events = await read(after, length, merchantIds).catch((error: unknown) => {
      told = after
      throw error
    })
    for (const { merchantId, tell } of listeners) {
      const own = events.filter((event) => event.merchant_id === merchantId)
      if (own.length > 0) tell(own)
    }
  }

  /** Sends what happened after the event, up to the place from which on the listener gets everything. */
  async function catchUp({ merchantId, tell, reset }: Listener, lastId: string, upTo: number): Promise<void> {
    const [place] = await database.run(findPlace, { id: lastId, merchant_id: merchantId })
    if (place === undefined || upTo - place.seq > MAX_BEHIND) reset()
    else if (place.seq < upTo) tell(await read(place.seq, upTo, [merchantId]))
  }

  return {
    poll,
    noteLength(length) {
      if (listeners.size === 0) told = length
    },
    async join(listener, lastId) {
      const length = told ?? (await sealedLength())
      const from = (told ??= length)
      const waiting = heldBack(listener)
      listeners.add(waiting.listener)
      try {
        if (lastId !== null) await catchUp(listener, lastId, from)
      } catch (error) {
        listeners.delete(waiting.listener)
        throw error
      }
      waiting.release()
      return () => listeners.delete(waiting.listener)
    },
  }
}

/** A listener that gets nothing before it is released, and then all that has happened meanwhile. */
function heldBack(listener: Listener): { listener: Listener; release: () => void } {
  const held: (() => void)[] = []
  let isHeld = true
  const orHold = (tell: () => void) => {
    if (isHeld) held.push(tell)
    else tell()
  }
  return {
    listener: {
      merchantId: listener.merchantId,
      tell: (events) => orHold(() => listener.tell(events)),
      reset: () => orHold(listener.reset),
    },
    release() {
      isHeld = false
      for (const tell of held) tell()
    },
  }
}

/** Events of some merchants between two places of the chain. */
const readBetween = statement({
  name: 'read_events_between',
  values: { after: bigint, up_to: bigint, merchant_ids: arrayOf(text) },
  columns: liveColumns,
  sql: `
    SELECT seq, id, merchant_id, type, subject, created_at FROM events
    WHERE seq > :after AND seq <= :up_to AND merchant_id = ANY (:merchant_ids) ORDER BY seq`,
})

/** The place of a merchant's event in the chain. */
const findPlace = statement({
  name: 'find_place_of_event',
  values: { id: text, merchant_id: text },
  columns: { seq: bigint },
  sql: 'SELECT seq FROM events WHERE id = :id AND merchant_id = :merchant_id',
})
