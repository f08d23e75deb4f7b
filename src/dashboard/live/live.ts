import * as v from 'valibot'
import { LiveEvent } from '../../contract/dashboard/live-event.ts'
import type { Browser, EventStream } from '../browser.ts'

/** A listener to live events. */
export interface Listener {
  happened: (event: LiveEvent) => void
  /** Some events are missing: reload what is shown. */
  missed: () => void
}

/** What happens at the merchant in view, told by the service as it happens. */
export interface Live {
  /** Listens until the returned function is called. All listeners share one connection, which is open while there are any. */
  listen: (listener: Listener) => () => void
}

const PATH = '/api/live'

/** Creates the live connection. `refused`: called when the service refuses to send events to this session. */
export function createLive({ openEvents }: Pick<Browser, 'openEvents'>, refused: () => void): Live {
  const listeners = new Set<Listener>()
  let source: EventStream | null = null

  function open(): void {
    source = openEvents(PATH)
    source.addEventListener('happened', ({ data }: MessageEvent<unknown>) => {
      const event = eventOf(data)
      if (event !== null) for (const { happened } of listeners) happened(event)
    })
    source.addEventListener('reset', () => {
      for (const { missed } of listeners) missed()
    })
    source.addEventListener('error', () => {
      // After a mere interruption the browser connects again by itself.
      if (source?.readyState === CLOSED) refused()
    })
  }
  return {
    listen(listener) {
      listeners.add(listener)
      if (source === null) open()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        source?.close()
        source = null
      }
    },
  }
}

/** `EventSource.CLOSED`, which is no global where tests run. */
const CLOSED = 2

const Message = v.pipe(v.string(), v.parseJson(), LiveEvent)

/** The event of a message; null for one that this version of the dashboard can't read. */
function eventOf(data: unknown): LiveEvent | null {
  const { success, output } = v.safeParse(Message, data)
  return success ? output : null
}
