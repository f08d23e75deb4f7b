import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { EventListeners } from './event-listeners.ts'
import { FormInterceptor } from './form-interceptor.ts'
import { Submissions } from './submissions.ts'
import { NOT_YET_VALID } from './validity.ts'
import type { ValidationState } from './validity.ts'
import { reportInConsole } from '../iframe-host/report-in-console.ts'
import { destroyed, formNotLoaded } from '../iframe-host/widget-faults.ts'
import { throwInPage } from './throw-in-page.ts'

/** Passes each event of the form to everything in the page that reacts to it, in a fixed order. */
export class EventDispatcher {
  readonly listeners = new EventListeners()
  readonly submissions = new Submissions()
  readonly #inserts = new Set<(event: FinishEvent) => void>()
  readonly #interceptors = new Map<HTMLFormElement, FormInterceptor>()
  #validity = NOT_YET_VALID

  /** As the form reported it last. */
  get validity(): ValidationState {
    return this.#validity
  }

  /** Writes a value into the page on each `finish`. */
  insertBy(insert: (event: FinishEvent) => void): void {
    this.#inserts.add(insert)
  }

  /** Holds the submit of the page's form until the card is tokenised. Two of a form would hold each other's for ever. */
  intercept(form: HTMLFormElement, submitCard: () => void): void {
    if (!this.#interceptors.has(form)) this.#interceptors.set(form, new FormInterceptor(form, submitCard))
  }

  /**
   * Fills inputs before the page's callbacks, which may submit their form. A held form continues after them. A fault that no callback
   * hears of is a line in the console. Returns what the callbacks returned.
   */
  dispatch(event: FrameEvent): unknown[] {
    if (event.event === 'validation') this.#validity = event
    if (event.event === 'systemError' && !this.listeners.has('systemError')) reportInConsole(event.error)
    if (event.event === 'finish') for (const insert of this.#inserts) insert(event)
    const returned = this.listeners.emit(event)
    for (const interceptor of this.#interceptors.values()) interceptor.receive(event)
    this.submissions.receive(event)
    return returned
  }

  /** Forgets the state of a form that is replaced by a new one. */
  reset(): void {
    this.submissions.abandon(formNotLoaded())
    this.#validity = NOT_YET_VALID
  }

  /** Removes every listener. */
  close(): void {
    for (const interceptor of this.#interceptors.values()) interceptor.stop()
    this.#interceptors.clear()
    this.listeners.clear()
    this.#inserts.clear()
    this.submissions.abandon(destroyed())
  }
}

/**
 * Whether the page's own work on a token is done, once all of it has ended: `work` is what its callbacks returned, promises or not.
 * It is not if one is rejected or resolves with `false`.
 */
export async function isDone(work: readonly unknown[]): Promise<boolean> {
  // Without Promise.allSettled, which promises that a page brings itself may lack.
  const ends = work.map(async (one) => {
    try {
      return (await one) !== false
    } catch (reason) {
      throwInPage(reason)
      return false
    }
  })
  let isDone = true
  for (const end of ends) isDone = (await end) && isDone
  return isDone
}
