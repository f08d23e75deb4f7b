import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { Deferred } from '../frame/deferred.ts'
import { WidgetError } from '../widget-error.ts'
import { formNotLoaded } from '../frame/widget-faults.ts'

/** The promise of a submit that the page asked for, until the form says how it ended. */
export class Submissions {
  #current: Deferred<FinishEvent> | undefined

  /** While one is under way: the same promise again. */
  next(): Promise<FinishEvent> {
    this.#current ??= new Deferred()
    return this.#current.promise
  }

  /** A form that has just come knows of no submit before it. */
  hear(event: FrameEvent): void {
    if (event.event === 'finish') this.#end()?.succeed(event)
    if (event.event === 'afterLoad') this.abandon(formNotLoaded())
    if ('error' in event) this.abandon(new WidgetError(event.error, event))
  }

  abandon(reason: WidgetError): void {
    this.#end()?.fail(reason)
  }

  #end(): Deferred<FinishEvent> | undefined {
    const outcome = this.#current
    this.#current = undefined
    return outcome
  }
}
