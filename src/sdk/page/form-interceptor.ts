import type { FrameEvent } from '../../contract/page/checkout-event.ts'

/**
 * Holds the submit of the page's own form until the card is tokenised. The form's other listeners do not see the held
 * submit. They see one submit, made with the same button, when the form continues.
 */
export class FormInterceptor {
  readonly #form: HTMLFormElement
  readonly #submitCard: () => void
  #submitter: HTMLElement | null = null
  #isContinuing = false

  constructor(form: HTMLFormElement, submitCard: () => void) {
    this.#form = form
    this.#submitCard = submitCard
    form.addEventListener('submit', this.#hold, true)
  }

  /** Continues the form's submit once there is a token, and forgets the held submit after an error. */
  receive(event: FrameEvent): void {
    if (event.event === 'finish') this.#continue()
    if ('error' in event) this.#submitter = null
  }

  stop(): void {
    this.#form.removeEventListener('submit', this.#hold, true)
  }

  /** Runs in the capture phase, before other listeners. Events of nested elements pass here too and are ignored. */
  readonly #hold = (event: SubmitEvent) => {
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
      this.#form.requestSubmit(submitter)
    } catch {
      // The button is no longer one that submits this form.
      this.#form.requestSubmit()
    }
    this.#isContinuing = false
  }
}
