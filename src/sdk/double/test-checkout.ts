import type { PaymentFailure, PaymentSuccessful } from '../../contract/page/checkout-event.ts'
import { Checkout } from '../checkout.ts'
import { hostOf } from '../frame/frame-host.ts'
import { TEST_CARD } from './test-widget.ts'
import { TestSession } from './test-session.ts'
import type { Script } from './test-session.ts'

const PAID: PaymentSuccessful = {
  intent_id: '000000000000000000000001',
  charge_id: '000000000000000000000002',
}
/** Any origin will do: nothing is fetched from it. */
const NOWHERE = 'https://widget.test'

/** The checkout with the same methods and callbacks, and a form of plain inputs in the page: no network, no waiting. */
export class TestCheckout extends Checkout {
  readonly #script: Script = {
    load: undefined,
    submit: () => ({ event: 'paymentSuccessful', result: PAID }),
  }
  #session: TestSession | undefined

  constructor(...parameters: ConstructorParameters<typeof Checkout>) {
    super(...parameters)
    hostOf(this).openWith((target, parts) => {
      this.#session = new TestSession(target, parts, this.#script)
      return this.#session
    }, NOWHERE)
  }

  /** Fills in a test card, which must be there, and presses Pay. */
  pay(): this {
    this.#session?.fill(TEST_CARD)
    this.#session?.send({ command: 'submit' })
    return this
  }

  /** From now on a payment succeeds with this. */
  succeedWith(payment: PaymentSuccessful): this {
    this.#script.submit = () => ({ event: 'paymentSuccessful', result: payment })
    return this
  }

  /** From now on a payment fails, as a bank declines one. */
  declineWith(code: string, message = code): this {
    const failure: PaymentFailure = { message, code }
    this.#script.submit = () => ({ event: 'paymentFailure', result: failure })
    return this
  }

  /** The intent's time is over. */
  expire(): this {
    this.#session?.emit({ event: 'paymentExpired' })
    return this
  }
}
