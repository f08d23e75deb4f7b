import type { CheckoutSession } from '../../contract/api/checkouts/checkout-session.ts'
import type { CheckoutSetup } from '../../contract/page/checkout-setup.ts'
import type { Browser } from '../browser.ts'
import { readInputs } from '../field/read-inputs.ts'
import { clearOfflineAlert } from '../form/alert.ts'
import { announce } from '../form/announce.ts'
import { emptyWhenLeft, unlessLeft } from '../form/empty-form.ts'
import type { Form } from '../form/form-view.ts'
import { moveFocus, moveFocusWithin } from '../move-focus.ts'
import type { ServiceClock } from '../service-clock.ts'
import type { Emit } from '../page-channel.ts'
import { beginSubmit } from '../submit/submit-card.ts'
import { withSlowNotice } from '../submit/slow-notice.ts'
import { fault } from '../tokenise/service-request.ts'
import { createTokeniser } from '../tokenise/tokenise.ts'
import type { CheckoutState } from './checkout-state.ts'
import { createPaymentFailures } from './payment/payment-failures.ts'
import { createPayWithCard } from './payment/pay-with-card.ts'
import { createResultScreens } from './result/result-screens.ts'
import { resultLinesOf } from './result/result-words.ts'
import { createCountdown } from './session/countdown.ts'
import { createSessionFollower } from './session/follow-session.ts'
import { createServiceCalls } from './session/service-calls.ts'

interface ControlParts extends Browser {
  frameWindow: Window
  setup: CheckoutSetup
  /** The intent's token, from the page's welcome. */
  token: string
  emit: Emit
  clock: ServiceClock
  /** Applies an intent that is paid or can be paid, each time it is read. */
  showSession: (session: CheckoutSession) => void
}

/** Creates what the checkout's buttons do, and starts what runs by itself: the clock, and reading the intent. */
export function createCheckoutControls(state: CheckoutState, form: Form, parts: ControlParts) {
  const { frameWindow, setup, token, emit, clock, showSession } = parts
  const send = noteRequests(state, form, parts)
  const page = frameWindow.document
  const credentials = { authorization: `Bearer ${token}` }
  const focus = (id: string) => moveFocus(page, id)
  const focusWithin = (id: string) => moveFocusWithin(page, id)
  const resultScreens = createResultScreens(state, form, {
    emit,
    focusResult: () => focusWithin('result'),
    isResultFocused: () =>
      page.hasFocus() && page.getElementById('result')?.contains(page.activeElement) === true,
    focusForm: () => focus(form.view.shown.value[0] ?? 'card_number'),
  })
  const { tokenise, forget } = createTokeniser({ url: setup.tokens_url, credentials }, { ...parts, send })
  emptyWhenLeft(form, frameWindow, forget)
  const { readSession, pay } = createServiceCalls(setup, { credentials, send, clock })
  const follower = createSessionFollower(state, form, {
    browser: parts,
    readSession,
    resultScreens,
    showSession,
    loaded: once(() => emit({ event: 'afterLoad' })),
  })
  const payWithCard = createPayWithCard(state, form, {
    tokenise: (card) => unlessLeft(form, tokenise(card), fault('network_error', true)),
    pay,
    resultScreens,
    paymentFailures: createPaymentFailures(form, {
      emit,
      focus: focusWithin,
      focusAlert: () => focusWithin('form-alert'),
    }),
    refresh: follower.refresh,
    wait: parts.wait,
  })
  followOutsideChanges(state, form, parts, follower)

  return {
    submit: async () => {
      if (form.phase.value === 'opening') return follower.askAgain()
      readInputs(form)
      const card = beginSubmit(form, { emit: () => undefined, focus })
      if (card === null) return
      const isFormShown = () => state.screen.value === 'form'
      await withSlowNotice(form, parts.after, () => payWithCard(card), isFormShown)
    },
  }
}

/** Reads the intent now, and whenever time, network or the person's return to this tab may have changed it. */
function followOutsideChanges(
  state: CheckoutState,
  form: Form,
  { frameWindow }: ControlParts,
  follower: ReturnType<typeof createSessionFollower>,
): void {
  const page = frameWindow.document
  const countDown = createCountdown(state, form, follower.refreshIfIdle)
  const check = () => {
    if (page.visibilityState === 'visible') follower.refreshIfIdle()
  }
  page.addEventListener('visibilitychange', check)
  for (const change of ['online', 'offline']) frameWindow.addEventListener(change, check)
  frameWindow.addEventListener('online', () => {
    clearOfflineAlert(form)
    noteNetwork(state, form, false)
  })
  frameWindow.setInterval(() => {
    countDown(form.now())
    follower.retryIfDue()
  }, 1000)
  void follower.refresh()
}

/** Sends requests and notes whether there was a network for them: browsers are wrong at times about having none. */
function noteRequests(
  state: CheckoutState,
  form: Form,
  { send, online }: ControlParts,
): ControlParts['send'] {
  return async (...request) => {
    try {
      const response = await send(...request)
      noteNetwork(state, form, false)
      return response
    } catch (error) {
      noteNetwork(state, form, !online())
      throw error
    }
  }
}

/** While the bank is asked, what the person reads depends on the network: so it is said, too, when that comes or goes. */
function noteNetwork(state: CheckoutState, form: Form, isOffline: boolean): void {
  if (state.offline.value === isOffline) return
  state.offline.value = isOffline
  if (state.screen.value === 'checking') announce(form, resultLinesOf(state, form))
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
