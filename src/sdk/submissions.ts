import type { FinishEvent, WidgetEvent } from '../contract/widget-event.ts'
import { Outcome } from './outcome.ts'
import { WidgetError } from './widget-error.ts'
import { submitTimedOut } from './widget-faults.ts'

/** Milliseconds that a form may take over a submit; its own tries end long before. */
const ANSWER_TIMEOUT = 60_000

/** The promise of a submit that the page asked for, until the form says how it ended. */
export class Submissions {
  #current: Outcome<FinishEvent> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** While one is under way: the same promise again. */
  next(): Promise<FinishEvent> {
    this.#current ??= new Outcome()
    this.#timer ??= setTimeout(() => this.abandon(submitTimedOut()), ANSWER_TIMEOUT)
    return this.#current.promise
  }

  hear(event: WidgetEvent): void {
    if (event.event === 'finish') this.#end((outcome) => outcome.succeed(event))
    if (event.event === 'validationError' || event.event === 'systemError')
      this.abandon(new WidgetError(event.error, event))
  }

  abandon(reason: WidgetError): void {
    this.#end((outcome) => outcome.fail(reason))
  }

  #end(settle: (outcome: Outcome<FinishEvent>) => void): void {
    const outcome = this.#current
    clearTimeout(this.#timer)
    this.#timer = this.#current = undefined
    if (outcome) settle(outcome)
  }
}
