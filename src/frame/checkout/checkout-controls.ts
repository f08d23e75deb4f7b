import type { CheckoutSession } from '../../contract/api/checkout-session.ts'
import type { CheckoutSetup } from '../../contract/page/checkout-setup.ts'
import type { Form } from '../form/form-view.ts'
import type { Emit } from '../page-channel.ts'
import { createRetryingTokeniser } from '../tokenise/retrying-tokeniser.ts'
import type { Surroundings } from '../tokenise/retrying-tokeniser.ts'
import { submitCard } from '../submit/submit-card.ts'
import type { CheckoutState } from './checkout-state.ts'
import { createResultScreens } from './result/result-screens.ts'
import { createSessionFollower, keepTime } from './session/follow-session.ts'
import { createPayment } from './payment/pay-intent.ts'
import { createServiceCalls } from './session/service-calls.ts'
import { createPaymentFailures } from './payment/payment-failures.ts'

interface ControlParts extends Surroundings {
  frameWindow: Window
  setup: CheckoutSetup
  /** The intent's, out of the page's welcome. */
  token: string
  emit: Emit
  open: (session: CheckoutSession) => void
}

/** Makes what the checkout's button does, and sets going what happens by itself: time, network, another tab. */
export function createCheckoutControls(state: CheckoutState, form: Form, parts: ControlParts) {
  const { frameWindow, setup, token, emit, open, send, now, wait, online } = parts
  const page = frameWindow.document
  const credentials = { authorization: `Bearer ${token}` }
  const focusOn = (id: string) => {
    if (!page.hasFocus()) return false
    page.getElementById(id)?.focus()
    return true
  }
  /** Not while a payment of this page is on its way: its own answer says more. */
  const isIdle = () => form.phase.value !== 'processing'
  const resultScreens = createResultScreens(state, form, { emit, focusResult: () => focusOn('result') })
  const { readSession, pay } = createServiceCalls(setup, credentials, send)
  const follower = createSessionFollower(state, {
    clock: parts,
    readSession,
    resultScreens,
    open: (session) => {
      open(session)
      if (isIdle()) resultScreens.show(session.payment_under_way ? 'checking' : 'form')
    },
    loaded: once(() => emit({ event: 'afterLoad' })),
  })
  const focus = (field: string) => page.getElementById(field)?.focus()
  const sendCard = createPayment(state, form, {
    tokenise: createRetryingTokeniser({ url: setup.tokens_url, credentials }, parts),
    pay,
    resultScreens,
    paymentFailures: createPaymentFailures(form, { emit, focus, focusAlert: () => focusOn('form-alert') }),
    refresh: follower.refresh,
    wait,
  })

  const look = () => {
    state.online.value = online()
    if (isIdle() && page.visibilityState === 'visible') void follower.refresh()
  }
  page.addEventListener('visibilitychange', look)
  for (const change of ['online', 'offline']) frameWindow.addEventListener(change, look)
  frameWindow.setInterval(() => {
    keepTime(state, now(), () => isIdle() && void follower.refresh())
    if (isIdle()) follower.retry()
  }, 1000)
  void follower.refresh()

  const tellNobody = () => undefined
  return {
    submit: () => void submitCard(form, { sendCard, emit: tellNobody, focus }),
    retry: () => void follower.refresh(),
  }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
