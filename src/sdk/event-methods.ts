import type { FrameEvent } from '../contract/checkout-event.ts'
import { EVENT_NAMES } from '../contract/widget-event.ts'
import type { EventName, EventOf, FinishEvent } from '../contract/widget-event.ts'
import { checkKnown } from './check-known.ts'
import { EventListeners } from './event-listeners.ts'
import { finishInsert } from './finish-insert.ts'
import { ValidityMethods } from './validity-methods.ts'

/** Who in the page wants to hear what. */
export abstract class EventMethods extends ValidityMethods {
  readonly #listeners = new EventListeners()
  readonly #inserts = new Set<(event: FinishEvent) => void>()

  /**
   * Calls back on each such event, or without a callback promises the first one. That promise stays pending if
   * the event never comes, also after `destroy()` and `off()`.
   * @throws TypeError on a name that is no event.
   */
  on<Name extends EventName>(event: Name): Promise<EventOf<Name>>
  on<Name extends EventName>(event: Name, callback: (event: EventOf<Name>) => void): this
  on<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => void) {
    checkKnown('event', EVENT_NAMES, event)
    if (!callback) return new Promise((resolve) => this.#listeners.once(event, resolve))
    this.#listeners.add(event, callback)
    return this
  }

  /** Takes back one callback, or all of an event. */
  off<Name extends EventName>(event: Name, callback?: (event: EventOf<Name>) => void): this {
    checkKnown('event', EVENT_NAMES, event)
    this.#listeners.remove(event, callback)
    return this
  }

  /**
   * On each `finish` writes `event[key]` into every input that matches, before the page's own callbacks run, and
   * fires `input` and `change` on it.
   * @throws DOMException on a selector that is none.
   */
  onFinishInsert(selector: string, key: keyof FinishEvent): this {
    this.#inserts.add(finishInsert(selector, key))
    return this
  }

  /** @internal Inputs are filled before the page's callbacks, which may submit their form. */
  protected tellPage(event: FrameEvent): void {
    if (event.event === 'finish') for (const insert of this.#inserts) insert(event)
    this.#listeners.tell(event)
  }

  /** @internal */
  protected forgetPage(): void {
    this.#listeners.clear()
    this.#inserts.clear()
  }
}
