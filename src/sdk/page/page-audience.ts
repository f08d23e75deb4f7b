import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { EventListeners } from './event-listeners.ts'
import { FormInterceptor } from './form-interceptor.ts'
import { Submissions } from './submissions.ts'
import { Validity } from './validity.ts'
import { destroyed, formNotLoaded } from '../frame/widget-faults.ts'

/** All in the page that hears what the form says. */
export class PageAudience {
  readonly listeners = new EventListeners()
  readonly submissions = new Submissions()
  readonly validity = new Validity()
  readonly #inserts = new Set<(event: FinishEvent) => void>()
  readonly #interceptors: FormInterceptor[] = []

  /** Writes something into the page on each `finish`. */
  insertBy(insert: (event: FinishEvent) => void): void {
    this.#inserts.add(insert)
  }

  /** Holds the submit of a page's form until the card is a token. */
  intercept(form: HTMLFormElement, submitCard: () => void): void {
    this.#interceptors.push(new FormInterceptor(form, submitCard))
  }

  /** Inputs are filled before the page's callbacks, which may submit their form; a held form goes on after them. */
  hear(event: FrameEvent): void {
    this.validity.hear(event)
    if (event.event === 'finish') for (const insert of this.#inserts) insert(event)
    this.listeners.tell(event)
    for (const interceptor of this.#interceptors) interceptor.hear(event)
    this.submissions.hear(event)
  }

  /** Another form takes the place of the one that was heard. */
  startAnew(): void {
    this.submissions.abandon(formNotLoaded())
    this.validity.forget()
  }

  /** Nobody hears anything any more. */
  dismiss(): void {
    for (const interceptor of this.#interceptors.splice(0)) interceptor.stop()
    this.listeners.clear()
    this.#inserts.clear()
    this.submissions.abandon(destroyed())
  }
}
