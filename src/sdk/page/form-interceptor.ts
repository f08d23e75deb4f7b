import type { FrameEvent } from '../../contract/page/checkout-event.ts'

/**
 * Holds the submit of the page's own form until the card is tokenised. The form's other listeners do not see the held
 * submit. They see one submit, made with the same button, when the form continues. Methods are taken from the prototype: a
 * control with the name of one, such as `<input name="requestSubmit">`, hides the form's own.
 */
export class FormInterceptor {
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
