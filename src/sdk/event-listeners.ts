import { EVENT_NAMES } from '../contract/widget-event.ts'
import type { EventName, EventOf, WidgetEvent } from '../contract/widget-event.ts'
import { checkKnown } from './check-known.ts'

type Callback<Name extends EventName> = (event: EventOf<Name>) => void

interface Listener {
  name: EventName
  callback: unknown
  hear: (event: WidgetEvent) => void
}

/** Who wants to hear of which event. A callback is called once per event, however often it was added. */
export class EventListeners {
  readonly #listeners = new Set<Listener>()

  /** Throws at once for a name that would never fire (contract §1). */
  add<Name extends EventName>(name: Name, callback: Callback<Name>): void {
    this.remove(name, callback)
    const isNamed = (event: WidgetEvent): event is EventOf<Name> => event.event === name
    const hear = (event: WidgetEvent) => {
      if (isNamed(event)) callback(event)
    }
    this.#listeners.add({ name, callback, hear })
  }

  /** For the next such event alone. */
  once<Name extends EventName>(name: Name, callback: Callback<Name>): void {
    const hear = (event: EventOf<Name>) => {
      this.remove(name, hear)
      callback(event)
    }
    this.add(name, hear)
  }

  /** Without a callback: all of that name. */
  remove(name: EventName, callback?: unknown): void {
    checkKnown('event', EVENT_NAMES, name)
    for (const listener of this.#listeners) {
      if (listener.name === name && (!callback || listener.callback === callback))
        this.#listeners.delete(listener)
    }
  }

  clear(): void {
    this.#listeners.clear()
  }

  /** Tells all who listen at this moment; one that is removed by another's callback is not told any more. */
  tell(event: WidgetEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        if (this.#listeners.has(listener)) listener.hear(event)
      } catch (error) {
        // A callback's own fault is the page's to see, as any uncaught error, and nobody else's trouble.
        setTimeout(() => {
          throw error
        })
      }
    }
  }
}
