import type { Form } from '../../form/form-view.ts'
import type { Card, TokeniseOutcome } from '../../tokenise/tokenise.ts'
import { isOver } from '../checkout-state.ts'
import type { CheckoutState } from '../checkout-state.ts'
import type { ResultScreens } from '../result/result-screens.ts'
import { TRIED_OUT } from '../session/service-calls.ts'
import type { PaymentOutcome, ServiceCalls } from '../session/service-calls.ts'
import type { BankStep } from './bank-step.ts'
import type { PaymentFailures } from './payment-failures.ts'

interface PayParts {
  tokenise: (card: Card) => Promise<TokeniseOutcome>
  pay: ServiceCalls['pay']
  bankStep: BankStep
  resultScreens: ResultScreens
  paymentFailures: PaymentFailures
  /** Reads the intent's current state from the service. */
  refresh: () => Promise<void>
  wait: (ms: number) => Promise<void>
}

/** Milliseconds between two requests, if the service does not set the pause. */
const PAUSE_MS = 3000

/** Returns the function that pays the intent with a valid card and shows the result, or the form for another try. */
export function createPayWithCard(state: CheckoutState, form: Form, parts: PayParts) {
  const { tokenise, refresh, resultScreens, paymentFailures } = parts

  const showPaymentOutcome = (outcome: Exclude<PaymentOutcome, { kind: 'unknown' }>) => {
    form.phase.value = 'ready'
    switch (outcome.kind) {
      case 'paid':
        resultScreens.succeed(outcome.payment)
        break
      case 'declined':
        resultScreens.showScreen('form')
        paymentFailures.reportDecline(outcome.code)
        void refresh() // It may have been the last try.
        break
      case 'refused':
        resultScreens.showScreen('form')
        paymentFailures.reportCardFailure(outcome)
        break
      case 'expired':
        resultScreens.refuse(outcome)
        break
      case 'closed':
      case 'tried_out':
        // The intent's current state says more than the refusal.
        void refresh().then(() => resultScreens.refuse(outcome))
    }
  }

  return async (card: Card): Promise<void> => {
    const outcome = await tokenise(card)
    if (outcome.kind === 'token') {
      showPaymentOutcome(await payUntilKnown(outcome.token, state, parts))
      return
    }
    // The intent may have expired, or another page may have used up its tries: its current state says more than the fault.
    if (outcome.code === 'unauthorized' || outcome.code === 'checkout_expired') {
      await refresh()
      const { tries_left, payment_under_way } = state.session.value ?? {}
      if (tries_left === 0 && payment_under_way === false) resultScreens.refuse(TRIED_OUT)
    }
    if (!isOver(state)) paymentFailures.reportCardFailure(outcome)
  }
}

/**
 * Repeats the request with the same one-time token until the outcome is known. At most one request pays. Where the card holder's bank wants
 * to ask them, the intent's state has the step that the page around shows.
 */
async function payUntilKnown(paymentSource: string, state: CheckoutState, parts: PayParts) {
  const { pay, bankStep, refresh, resultScreens, wait } = parts
  for (;;) {
    const outcome = await pay(paymentSource)
    if (outcome.kind !== 'unknown') return outcome
    if (outcome.isUnderWay === true) await refresh()
    const asked = state.session.value?._3ds
    resultScreens.showScreen(asked === undefined ? 'checking' : 'authenticating')
    if (asked === undefined) await wait(outcome.afterMs > 0 ? outcome.afterMs : PAUSE_MS)
    else await bankStep.ask(asked)
  }
}
