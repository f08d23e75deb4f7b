import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { Deferred } from '../frame/deferred.ts'
import { WidgetError } from '../widget-error.ts'
import { formNotLoaded } from '../frame/widget-faults.ts'

/** The promise of a submit that the page requested, until the form reports the outcome. */
export class Submissions {
  #current: Deferred<FinishEvent> | undefined
  #focused: Element | null | undefined

  /** Whether the focus is still where it was when the page requested a submit: the person has turned to nothing else. */
  get hasFocus(): boolean {
    return this.#focused === document.activeElement
  }

  /** Returns the same promise while a submit is under way. */
  next(): Promise<FinishEvent> {
    this.#focused = document.activeElement
    this.#current ??= new Deferred()
    return this.#current.promise
  }

  /** A form that has just loaded knows of no earlier submit, so that one is abandoned. */
  receive(event: FrameEvent): void {
    if (event.event === 'finish') this.#end()?.succeed(event)
    if (event.event === 'afterLoad') this.abandon(formNotLoaded())
    if ('error' in event) this.abandon(new WidgetError(event.error, event))
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
