import type { FormField } from '../../contract/page/card-fields.ts'
import { HtmlWidget } from '../html-widget.ts'
import { hostOf } from '../frame/frame-host.ts'
import type { OwnEvent } from './own-event.ts'
import { TestSession } from './test-session.ts'
import type { Script } from './test-session.ts'

/** The token that a test widget's form finishes with, unless it is told another. */
export const TEST_TOKEN = '00000000-0000-4000-8000-000000000001'

/** A card that fills every field a form has by itself. */
export const TEST_CARD = {
  card_name: 'Test Person',
  card_number: '5111111111111118',
  expire_month: '01',
  expire_year: '39',
  card_ccv: '100',
} as const

/** Any origin will do: nothing is fetched from it. */
const NOWHERE = 'https://widget.test'

/**
 * The widget with the same methods and events, and a form of plain inputs in the page instead of the frame: no
 * network, no waiting. For jsdom, Cypress and Playwright.
 */
export class TestWidget extends HtmlWidget {
  readonly #script: Script = { load: undefined, submit: () => finishBy(TEST_TOKEN) }
  #session: TestSession | undefined

  constructor(...parameters: ConstructorParameters<typeof HtmlWidget>) {
    super(...parameters)
    hostOf(this).openWith((target, parts) => {
      this.#session = new TestSession(target, parts, this.#script)
      return this.#session
    }, NOWHERE)
  }

  /** Everything that the page has set on the form. */
  get shown(): Record<string, unknown> {
    return { ...this.#session?.settings }
  }

  /** Types into the form, which must be there: a whole test card, or the fields that are given. */
  fill(values: Partial<Record<FormField, string>> = TEST_CARD): this {
    this.#session?.fill(values)
    return this
  }

  /** From now on a submit finishes with this token. */
  finishWith(token: string): this {
    this.#script.submit = () => finishBy(token)
    return this
  }

  /** From now on a submit is refused, as the service refuses a card. */
  refuseWith(message: string, fields: FormField[] = ['card_number'], code = 'validation_error'): this {
    const error = { code, message, details: fields.map((path) => ({ path, message })) }
    this.#script.submit = () => ({ event: 'validationError', error, invalid_fields: fields })
    return this
  }

  /** From now on a submit ends in a fault. */
  failWith(code: string, message = code, retryable = true): this {
    this.#script.submit = () => ({ event: 'systemError', error: { code, message, retryable } })
    return this
  }

  /** From now on a load ends in a fault. */
  failLoadWith(code: string, message = code, retryable = true): this {
    this.#script.load = { code, message, retryable }
    return this
  }

  /** Says any event, as if the form had. */
  emit(event: OwnEvent): this {
    this.#session?.emit(event)
    return this
  }
}

function finishBy(payment_source: string): OwnEvent {
  return { event: 'finish', payment_source }
}
