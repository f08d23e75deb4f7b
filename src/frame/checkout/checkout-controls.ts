import type { CheckoutSession } from '../../contract/checkout-session.ts'
import type { CheckoutSetup } from '../../contract/checkout-setup.ts'
import type { Form } from '../form-view.ts'
import type { Emit } from '../page-channel.ts'
import { createPatientTokeniser } from '../patient-tokeniser.ts'
import type { Surroundings } from '../patient-tokeniser.ts'
import { submitCard } from '../submit-card.ts'
import type { CheckoutState } from './checkout-state.ts'
import { createEndings } from './endings.ts'
import { createSessionFollower } from './follow-session.ts'
import { keepTime } from './keep-time.ts'
import { createPayment } from './pay-intent.ts'
import { createServiceCalls } from './service-calls.ts'
import { createSetbacks } from './setbacks.ts'

interface ControlParts extends Surroundings {
  room: Window
  setup: CheckoutSetup
  /** The intent's, out of the page's welcome. */
  token: string
  emit: Emit
  open: (session: CheckoutSession) => void
}

/** Makes what the checkout's button does, and sets going what happens by itself: time, network, another tab. */
export function createCheckoutControls(state: CheckoutState, form: Form, parts: ControlParts) {
  const { room, setup, token, emit, open, send, now, wait, online } = parts
  const page = room.document
  const credentials = { authorization: `Bearer ${token}` }
  const focusOn = (id: string) => {
    if (!page.hasFocus()) return false
    page.getElementById(id)?.focus()
    return true
  }
  /** Not while a payment of this page is on its way: its own answer says more. */
  const isIdle = () => form.phase.value !== 'processing'
  const endings = createEndings(state, form, { emit, focusResult: () => focusOn('result') })
  const { readSession, pay } = createServiceCalls(setup, credentials, send)
  const follower = createSessionFollower(state, {
    clock: parts,
    readSession,
    endings,
    open: (session) => {
      open(session)
      if (isIdle()) endings.show(session.payment_under_way ? 'checking' : 'form')
    },
    loaded: once(() => emit({ event: 'afterLoad' })),
  })
  const focus = (field: string) => page.getElementById(field)?.focus()
  const sendCard = createPayment(state, form, {
    tokenise: createPatientTokeniser({ url: setup.tokens_url, credentials }, parts),
    pay,
    endings,
    setbacks: createSetbacks(form, { emit, focus, focusAlert: () => focusOn('form-alert') }),
    refresh: follower.refresh,
    wait,
  })

  const look = () => {
    state.online.value = online()
    if (isIdle() && page.visibilityState === 'visible') void follower.refresh()
  }
  page.addEventListener('visibilitychange', look)
  for (const change of ['online', 'offline']) room.addEventListener(change, look)
  room.setInterval(() => {
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
