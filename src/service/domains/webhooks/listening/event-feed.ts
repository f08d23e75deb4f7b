import type { ReadEvent, ReadEvents } from './read-events.ts'

/**
 * The longest time after which an event may still appear before newer ones: more than a transaction of the service takes.
 */
const LATE_MS = 15_000

/** A merchant's events as they happen, each once. */
export interface EventFeed {
  /** From now on. */
  begin: () => Promise<void>
  /** What has happened since the last call, in its order, and the service's time in seconds since 1970. */
  next: () => Promise<{ events: ReadEvent[]; at: number }>
}

/** Reads again and again from a little before the newest event that is known. Where a read fails, the next one makes up for it. */
export function createEventFeed(read: ReadEvents): EventFeed {
  let newest: string | null = null
  let known: ReadonlySet<string> = new Set()

  async function readWindow(): Promise<{ events: ReadEvent[]; at: number }> {
    const from = newest === null ? {} : { 'created_at.from': before(newest) }
    const events: ReadEvent[] = []
    let cursor = ''
    for (;;) {
      const page = await read({ limit: '100', ...from, ...(cursor !== '' && { cursor }) })
      events.push(...page.events)
      if (page.next === null) return { events, at: page.answeredAt }
      cursor = page.next
    }
  }

  function remember(events: readonly ReadEvent[]): void {
    newest = events[0]?.timestamp ?? newest
    known = new Set(events.map(({ _id }) => _id))
  }

  return {
    async begin() {
      const { events } = await read({ limit: '1' })
      newest = events[0]?.timestamp ?? null
      if (newest !== null) remember((await readWindow()).events)
    },
    async next() {
      const { events, at } = await readWindow()
      const fresh = events.filter(({ _id }) => !known.has(_id)).reverse()
      remember(events)
      return { events: fresh, at }
    },
  }
}

function before(timestamp: string): string {
  return new Date(Date.parse(timestamp) - LATE_MS).toISOString()
}
