import type { FrameEvent, FrameEventOf } from '../../contract/page/checkout-event.ts'

type EventName = FrameEvent['event']
type Callback<Name extends EventName> = (event: FrameEventOf<Name>) => void

interface Listener {
  name: EventName
  callback: unknown
  hear: (event: FrameEvent) => void
}

/** Who wants to hear of which event. A callback is called once per event, however often it was added. */
export class EventListeners {
  readonly #listeners = new Set<Listener>()

  add<Name extends EventName>(name: Name, callback: Callback<Name>): void {
    this.remove(name, callback)
    const isNamed = (event: FrameEvent): event is FrameEventOf<Name> => event.event === name
    const hear = (event: FrameEvent) => {
      if (isNamed(event)) callback(event)
    }
    this.#listeners.add({ name, callback, hear })
  }

  /** For the next such event alone. */
  once<Name extends EventName>(name: Name, callback: Callback<Name>): void {
    const hear = (event: FrameEventOf<Name>) => {
      this.remove(name, hear)
      callback(event)
    }
    this.add(name, hear)
  }

  /** Without a callback: all of that name. */
  remove(name: EventName, callback?: unknown): void {
    for (const listener of this.#listeners) {
      if (listener.name === name && (!callback || listener.callback === callback))
        this.#listeners.delete(listener)
    }
  }

  clear(): void {
    this.#listeners.clear()
  }

  /** Tells all who listen at this moment; one that is removed by another's callback is not told any more. */
  tell(event: FrameEvent): void {
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
