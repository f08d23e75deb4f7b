import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import type { FinishEvent } from '../../contract/page/widget-event.ts'
import { EventListeners } from './event-listeners.ts'
import { Deferred } from '../iframe-host/deferred.ts'
import { WidgetError } from '../widget-error.ts'
import { formNotLoaded, destroyed } from '../iframe-host/widget-faults.ts'
import { NOT_YET_VALID } from './validity.ts'
import type { ValidationState } from './validity.ts'
import { reportInConsole } from '../iframe-host/report-in-console.ts'
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

/** Presses that come so soon one after another are one, as those of a double click. */
const ONE_PRESS_MS = 500

/** The promise of a submit that the page requested, until the form reports a fault or the page is done with the token. */
class Submissions {
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

/**
 * Holds the submit of the page's own form until the card is tokenised. The form's other listeners do not see the held
 * submit. They see one submit, made with the same button, when the form continues. Methods are taken from the prototype: a
 * control with the name of one, such as `<input name="requestSubmit">`, hides the form's own.
 */
class FormInterceptor {
  readonly #form: HTMLFormElement
  readonly #submitCard: () => void
  #submitter: HTMLElement | null = null
  #isContinuing = false

  constructor(form: HTMLFormElement, submitCard: () => void) {
    this.#form = form
    this.#submitCard = submitCard
    HTMLFormElement.prototype.addEventListener.call(form, 'submit', this, true)
  }

  /** Continues the form's submit once there is a token, and forgets the held submit after an error. */
  receive(event: FrameEvent): void {
    if (event.event === 'finish') this.#continue()
    if ('error' in event) this.#submitter = null
  }

  stop(): void {
    HTMLFormElement.prototype.removeEventListener.call(this.#form, 'submit', this, true)
  }

  /** Runs in the capture phase, before other listeners. Events of nested elements pass here too and are ignored. */
  handleEvent(event: SubmitEvent): void {
    if (this.#isContinuing || event.target !== this.#form) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this.#submitter = event.submitter
    this.#submitCard()
  }

  #continue(): void {
    const submitter = this.#submitter
    this.#submitter = null
    this.#isContinuing = true
    try {
      HTMLFormElement.prototype.requestSubmit.call(this.#form, submitter)
    } catch {
      // The button is no longer one that submits this form.
      HTMLFormElement.prototype.requestSubmit.call(this.#form)
    }
    this.#isContinuing = false
  }
}
