import type { Form } from '../../form/form-view.ts'
import type { Card, TokeniseOutcome } from '../../tokenise/tokenise.ts'
import { isOver } from '../checkout-state.ts'
import type { CheckoutState } from '../checkout-state.ts'
import type { ResultScreens } from '../result/result-screens.ts'
import type { PaymentOutcome, ServiceCalls } from '../session/service-calls.ts'
import type { PaymentFailures } from './payment-failures.ts'

interface Parts {
  tokenise: (card: Card) => Promise<TokeniseOutcome>
  pay: ServiceCalls['pay']
  resultScreens: ResultScreens
  paymentFailures: PaymentFailures
  /** Asks the service what has become of the intent. */
  refresh: () => Promise<void>
  wait: (ms: number) => Promise<void>
}

/** Milliseconds between two questions to a service that hasn't said when to ask. */
const PAUSE_MS = 3000

/** Makes the one that pays with a card that is right, and shows what comes of it: an end, or the form for another try. */
export function createPayment(state: CheckoutState, form: Form, parts: Parts) {
  const { tokenise, refresh, resultScreens, paymentFailures } = parts

  const settlePayment = (outcome: Exclude<PaymentOutcome, { kind: 'unknown' }>) => {
    form.phase.value = 'ready'
    switch (outcome.kind) {
      case 'paid':
        resultScreens.succeed(outcome.payment)
        break
      case 'declined':
        resultScreens.show('form')
        paymentFailures.decline(outcome.code)
        break
      case 'refused':
        resultScreens.show('form')
        paymentFailures.refuseCard(outcome)
        break
      case 'expired':
      case 'closed':
        resultScreens.refuse(outcome)
    }
  }

  return async (card: Card): Promise<void> => {
    const outcome = await tokenise(card)
    if (outcome.kind === 'token') {
      settlePayment(await payUntilKnown(outcome.token, parts))
      return
    }
    // The token of the intent may be too old: the service knows better than the fault says.
    if (outcome.code === 'unauthorized' || outcome.code === 'checkout_expired') await refresh()
    if (!isOver(state)) paymentFailures.refuseCard(outcome)
  }
}

/** Asks with the same one-time token until the outcome is known: at most one of the requests pays. */
async function payUntilKnown(paymentSource: string, { pay, resultScreens, wait }: Parts) {
  for (;;) {
    const outcome = await pay(paymentSource)
    if (outcome.kind !== 'unknown') return outcome
    resultScreens.show('checking')
    await wait(outcome.afterMs > 0 ? outcome.afterMs : PAUSE_MS)
  }
}
