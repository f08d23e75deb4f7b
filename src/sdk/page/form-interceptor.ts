import type { FrameEvent } from '../../contract/page/checkout-event.ts'

/**
 * Holds the submit of a page's own form until the card is a token. The form's other listeners do not hear of a
 * submit that is held; they hear of it once, when it goes on as if the shopper had pressed the button then.
 */
export class FormInterceptor {
  readonly #form: HTMLFormElement
  readonly #submitCard: () => void
  #submitter: HTMLElement | null = null
  #goesOn = false

  constructor(form: HTMLFormElement, submitCard: () => void) {
    this.#form = form
    this.#submitCard = submitCard
    form.addEventListener('submit', this.#hold, true)
  }

  /** Lets the form go on once there is a token, and forgets what was held when there will be none. */
  hear(event: FrameEvent): void {
    if (event.event === 'finish') this.#goOn()
    if ('error' in event) this.#submitter = null
  }

  stop(): void {
    this.#form.removeEventListener('submit', this.#hold, true)
  }

  /** Ahead of all that listen in the usual phase. Events of the form's children pass here too. */
  readonly #hold = (event: SubmitEvent) => {
    if (this.#goesOn || event.target !== this.#form) return
    event.preventDefault()
    event.stopImmediatePropagation()
    this.#submitter = event.submitter
    this.#submitCard()
  }

  #goOn(): void {
    const submitter = this.#submitter
    this.#submitter = null
    this.#goesOn = true
    // A button that the page has taken out of the form meanwhile would make this throw.
    this.#form.requestSubmit(submitter && this.#form.contains(submitter) ? submitter : null)
    this.#goesOn = false
  }
}
