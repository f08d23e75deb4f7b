import type { PaymentFailure, PaymentSuccessful } from '../../contract/page/checkout-event.ts'
import { Checkout } from '../checkout.ts'
import { hostOf } from '../frame/frame-host.ts'
import { TEST_CARD } from './test-widget.ts'
import { TestSession } from './test-session.ts'
import type { Outcomes } from './test-session.ts'

const PAID: PaymentSuccessful = {
  intent_id: '000000000000000000000001',
  charge_id: '000000000000000000000002',
}
/** Any origin: nothing is fetched from it. */
const UNUSED_ORIGIN = 'https://widget.test'

/** A checkout for tests: the same methods and callbacks, with plain inputs in the page and no network. */
export class TestCheckout extends Checkout {
  readonly #outcomes: Outcomes = {
    load: undefined,
    submit: () => ({ event: 'paymentSuccessful', result: PAID }),
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
    this.#outcomes.submit = () => ({ event: 'paymentSuccessful', result: payment })
    return this
  }

  /** Payments are declined with this code from now on. */
  declineWith(code: string, message = code): this {
    const failure: PaymentFailure = { message, code }
    this.#outcomes.submit = () => ({ event: 'paymentFailure', result: failure })
    return this
  }

  /** Expires the intent. */
  expire(): this {
    this.#session?.emit({ event: 'paymentExpired' })
    return this
  }
}
