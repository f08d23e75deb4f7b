import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { Deferred } from '../iframe-host/deferred.ts'
import { WidgetError } from '../widget-error.ts'
import { formNotLoaded } from '../iframe-host/widget-faults.ts'

/** Presses that come so soon one after another are one, as those of a double click. */
const ONE_PRESS_MS = 500

/** The promise of a submit that the page requested, until the form reports a fault or the page is done with the token. */
export class Submissions {
  #current: Deferred<FinishEvent> | undefined
  #focused: Element | null | undefined

  /** Whether the focus is still where it was when the page requested a submit: the person has turned to nothing else. */
  get hasFocus(): boolean {
    return this.#focused === document.activeElement
  }

  /** Whether there is a token, which the page works on or has just been done with: no other card is there to be submitted. */
  get hasToken(): boolean {
    return this.#current?.pending === false
  }

  /** Returns the same promise while a submit is under way. */
  next(): Promise<FinishEvent> {
    this.#focused = document.activeElement
    this.#current ??= new Deferred()
    return this.#current.promise
  }

  /** A form that has just loaded knows of no earlier submit, so that one is abandoned. */
  receive(event: FrameEvent): void {
    if (event.event === 'finish') (this.#current ??= new Deferred()).succeed(event)
    if (event.event === 'afterLoad') this.abandon(formNotLoaded())
    if ('error' in event) this.abandon(new WidgetError(event.error, event))
  }

  /** The page's work on the token has ended; a card that it could not use may be submitted again at once. */
  settle(isDone: boolean): void {
    const settled = this.#current
    const end = () => {
      if (this.#current === settled) this.#end()
    }
    if (isDone) setTimeout(end, ONE_PRESS_MS)
    else end()
  }

  abandon(reason: WidgetError): void {
    this.#end()?.fail(reason)
  }

  #end(): Deferred<FinishEvent> | undefined {
    const submission = this.#current
    this.#current = undefined
    return submission
  }
}
