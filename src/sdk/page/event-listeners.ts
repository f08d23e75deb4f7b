import type { FrameEvent, FrameEventOf } from '../../contract/page/checkout-event.ts'
import { throwInPage } from './throw-in-page.ts'

type EventName = FrameEvent['event']
type Callback<Name extends EventName> = (event: FrameEventOf<Name>) => unknown

interface Listener {
  name: EventName
  callback: unknown
  notify: (event: FrameEvent) => unknown
}

/** The page's callbacks by event name. A callback that was added twice is still called once per event. */
export class EventListeners {
  readonly #listeners = new Set<Listener>()

  add<Name extends EventName>(name: Name, callback: Callback<Name>): void {
    this.remove(name, callback)
    const isNamed = (event: FrameEvent): event is FrameEventOf<Name> => event.event === name
    const notify = (event: FrameEvent) => (isNamed(event) ? callback(event) : undefined)
    this.#listeners.add({ name, callback, notify })
  }

  /** Calls back for the next event of this name only. */
  once<Name extends EventName>(name: Name, callback: Callback<Name>): void {
    const callOnce = (event: FrameEventOf<Name>) => {
      this.remove(name, callOnce)
      callback(event)
    }
    this.add(name, callOnce)
  }

  /** Removes one callback, or without `callback` all of that name. */
  remove(name: EventName, callback?: unknown): void {
    for (const listener of this.#listeners) {
      if (listener.name === name && (!callback || listener.callback === callback))
        this.#listeners.delete(listener)
    }
  }

  /** Whether anybody listens. */
  has(name: EventName): boolean {
    return [...this.#listeners].some((listener) => listener.name === name)
  }

  clear(): void {
    this.#listeners.clear()
  }

  /** Calls everyone who listens now, except a callback that an earlier one removes meanwhile. Returns what they returned. */
  emit(event: FrameEvent): unknown[] {
    return [...this.#listeners].map((listener) => {
      try {
        return this.#listeners.has(listener) ? listener.notify(event) : undefined
      } catch (error) {
        throwInPage(error)
        return undefined
      }
    })
  }
}
