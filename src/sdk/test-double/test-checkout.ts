import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import type { PaymentSuccessful } from '../../contract/page/checkout-event.ts'
import { Checkout } from '../checkout.ts'
import { hostOf } from '../iframe-host/frame-host.ts'
import { declineEvent, paidEvent, UNUSED_ORIGIN } from './outcomes.ts'
import { TEST_CARD } from './test-widget.ts'
import { TestSession } from './test-session.ts'
import type { Outcomes } from './test-session.ts'

/** A checkout for tests: the same methods and callbacks, with plain inputs in the page and no network. */
export class TestCheckout extends Checkout {
  readonly #outcomes: Outcomes = {
    load: undefined,
    submit: () => paidEvent(),
  }
  #session: TestSession | undefined

  constructor(...parameters: ConstructorParameters<typeof Checkout>) {
    super(...parameters)
    hostOf(this).openWith((target, callbacks) => {
      this.#session = new TestSession(target, callbacks, this.#outcomes)
      return this.#session
    }, UNUSED_ORIGIN)
  }

  /** Types a test card into the form, which must be loaded, and presses Pay. */
  pay(): this {
    this.#session?.fill(TEST_CARD)
    this.#session?.send({ command: 'submit' })
    return this
  }

  /** Payments succeed with this result from now on. */
  succeedWith(payment: PaymentSuccessful): this {
    this.#outcomes.submit = () => paidEvent(payment)
    return this
  }

  /** Payments are declined with this code from now on. */
  declineWith(code: FormErrorCode, message: string = code): this {
    this.#outcomes.submit = () => declineEvent({ message, code })
    return this
  }

  /** Expires the intent. */
  expire(): this {
    this.#session?.emit({ event: 'paymentExpired' })
    return this
  }
}
