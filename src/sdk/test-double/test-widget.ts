import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import type { FormField } from '../../contract/page/fields/card-fields.ts'
import { HtmlWidget } from '../html-widget.ts'
import { hostOf } from '../iframe-host/frame-host.ts'
import type { FrameEventContent } from '../../contract/page/checkout-event.ts'
import { faultEvent, finishEvent, refusalEvent, UNUSED_ORIGIN } from './outcomes.ts'
import { TestSession } from './test-session.ts'
import type { Outcomes } from './test-session.ts'

/** A card for every field of the default form. */
export const TEST_CARD = {
  card_name: 'Test Person',
  card_number: '5111111111111118',
  expire_month: '01',
  expire_year: '39',
  card_ccv: '100',
} as const

/**
 * A widget for tests: the same methods and events, with plain inputs in the page instead of the frame, and no network. For
 * jsdom, Cypress and Playwright.
 */
export class TestWidget extends HtmlWidget {
  readonly #outcomes: Outcomes = { load: undefined, submit: () => finishEvent() }
  #session: TestSession | undefined

  constructor(...parameters: ConstructorParameters<typeof HtmlWidget>) {
    super(...parameters)
    hostOf(this).openWith((target, callbacks) => {
      this.#session = new TestSession(target, callbacks, this.#outcomes)
      return this.#session
    }, UNUSED_ORIGIN)
  }

  /** All settings that the page has made. */
  get shown(): Record<string, unknown> {
    return { ...this.#session?.settings }
  }

  /** Types into the form, which must be loaded: a whole test card, or the given fields. */
  fill(values: Partial<Record<FormField, string>> = TEST_CARD): this {
    this.#session?.fill(values)
    return this
  }

  /** Submits finish with this token from now on. */
  finishWith(token: string): this {
    this.#outcomes.submit = () => finishEvent(token)
    return this
  }

  /** Submits are refused from now on, as the service refuses a card. */
  refuseWith(
    message: string,
    fields: FormField[] = ['card_number'],
    code: FormErrorCode = 'validation_error',
  ): this {
    this.#outcomes.submit = () => refusalEvent(message, fields, code)
    return this
  }

  /** Submits fail with a `systemError` from now on. */
  failWith(code: FormErrorCode, message: string = code, retryable = true): this {
    this.#outcomes.submit = () => faultEvent(code, message, retryable)
    return this
  }

  /** Loads fail with a `systemError` from now on. */
  failLoadWith(code: FormErrorCode, message: string = code, retryable = true): this {
    this.#outcomes.load = { code, message, retryable }
    return this
  }

  /** Emits any event, as if the form had done so. */
  emit(event: FrameEventContent): this {
    this.#session?.emit(event)
    return this
  }
}
