import type { CheckoutSession } from '../../../contract/api/checkouts/checkout-session.ts'
import type { Browser } from '../../browser.ts'
import { clearAlert, showAlert } from '../../form/alert.ts'
import { announce } from '../../form/announce.ts'
import { wordsOf } from '../../form/form-state.ts'
import type { Form } from '../../form/form-view.ts'
import { askWithRetries } from '../../tokenise/retry.ts'
import { isOver, isWaitingForBank } from '../checkout-state.ts'
import { unreachableWordsOf } from '../checkout-words.ts'
import type { CheckoutState } from '../checkout-state.ts'
import type { BankStep } from '../payment/bank-step.ts'
import type { ResultScreens } from '../result/result-screens.ts'
import { TRIED_OUT } from './service-calls.ts'
import type { ServiceCalls, SessionOutcome } from './service-calls.ts'

interface FollowerParts {
  browser: Pick<Browser, 'after' | 'elapsed' | 'wait' | 'random'>
  readSession: ServiceCalls['readSession']
  bankStep: BankStep
  resultScreens: ResultScreens
  /** Called with an intent that is paid or can be paid, each time it is read. */
  showSession: (session: CheckoutSession) => void
  /** Called each time there is something to show. */
  loaded: () => void
}

/** The page waits no more than 5 s for a sign of this document: after so long it gets one, whether the intent has been read or not. */
const FIRST_SIGN_MS = 4000
/** Limit for each reading until one has succeeded. */
const FIRST_READING_MS = 10_000
/** Longest pause in seconds between readings while the service can't be reached; pauses double up to it. */
const MAX_PAUSE_SECONDS = 30

/**
 * Creates the functions that read the intent and show its state: another page may have paid it, or it may have expired. Only
 * one reading runs at a time. The form is there to be typed into from the start, and no fault takes it away: that the intent could not
 * be read yet is said above its button.
 */
export function createSessionFollower(
  state: CheckoutState,
  form: Form,
  { browser, readSession, bankStep, resultScreens, showSession, loaded }: FollowerParts,
) {
  let reading: Promise<void> | null = null
  let failures = 0
  let nextAt = 0
  const showOutcome = (outcome: SessionOutcome) => {
    failures = outcome.kind === 'fault' ? failures + 1 : 0
    if (outcome.kind !== 'closed') loaded()
    nextAt = browser.elapsed() + Math.min(2 ** failures, MAX_PAUSE_SECONDS) * 1000
    if (outcome.kind !== 'fault' && form.alert.value?.lasts === true) clearAlert(form)
    if (outcome.kind === 'session')
      showStatus(outcome.session, state, form, { bankStep, resultScreens, showSession })
    else if (outcome.kind !== 'fault') resultScreens.refuse(outcome)
    else if (state.session.value === null) showUnreachable(form)
  }
  const readFirst = async () => {
    const cancel = browser.after(FIRST_SIGN_MS, () => {
      loaded()
      if (form.alert.value === null) sayWhy(form, () => wordsOf(form, 'slow'))
    })
    return readSession(FIRST_READING_MS).finally(cancel)
  }
  const read = async () => {
    const isFirst = state.session.value === null
    showOutcome(await (isFirst ? readFirst() : askWithRetries(readSession, browser)))
    reading = null
  }
  const refresh = (): Promise<void> => {
    if (isOver(state)) return Promise.resolve()
    return (reading ??= read())
  }
  const refreshIfIdle = () => {
    if (isIdle(form)) void refresh()
  }
  return {
    refresh,
    refreshIfIdle,
    /** Reads the intent as the person has asked for it, and says so if that has failed once more. */
    async askAgain(): Promise<void> {
      if (form.waitsForAmount.value) return
      form.waitsForAmount.value = true
      await refresh()
      if (state.screen.value === 'opening') announce(form, form.view.alert.value)
    },
    /**
     * Call this each second. It reads again while a payment of another page is under way and, after growing pauses, while
     * the service can't be reached.
     */
    retryIfDue(): void {
      const isWaiting = state.screen.value === 'opening' || isWaitingForBank(state)
      if (isWaiting && browser.elapsed() >= nextAt) refreshIfIdle()
    },
  }
}

/** While a payment of this page is under way, its own answer says more. */
const isIdle = ({ phase }: Form) => phase.value !== 'processing'

function showStatus(
  session: CheckoutSession,
  state: CheckoutState,
  form: Form,
  { bankStep, resultScreens, showSession }: Pick<FollowerParts, 'bankStep' | 'resultScreens' | 'showSession'>,
): void {
  const { status, intent_id, charge_id } = session
  if (status === 'active' || status === 'completed') {
    state.session.value = session
    showSession(session)
    if (isIdle(form)) showIdle(session, { bankStep, resultScreens })
  }
  if (status === 'completed') resultScreens.succeed({ intent_id, charge_id: charge_id ?? '' })
  else if (status === 'expired') resultScreens.refuse({ kind: 'expired', code: 'checkout_expired' })
  else if (status === 'cancelled') resultScreens.refuse({ kind: 'closed', code: 'unfulfilled_condition' })
  // At the end: what the page hears of a refusal depends on whether the intent could ever be shown.
  state.session.value = session
}

/** What a page shows that pays nothing itself. */
function showIdle(
  { payment_under_way, _3ds: asked, tries_left }: CheckoutSession,
  { bankStep, resultScreens }: Pick<FollowerParts, 'bankStep' | 'resultScreens'>,
): void {
  if (asked !== undefined) {
    resultScreens.showScreen('authenticating')
    void bankStep.ask(asked)
  } else if (payment_under_way) resultScreens.showScreen('checking')
  else if (tries_left === 0) resultScreens.refuse(TRIED_OUT)
  else resultScreens.showForm()
}

/** Says why nothing can be paid yet: once, however often it is tried again. */
function sayWhy(form: Form, words: () => string): void {
  if (form.view.alert.value !== words()) announce(form, showAlert(form, words, { lasts: true }))
}

function showUnreachable(form: Form): void {
  form.waitsForAmount.value = false
  sayWhy(form, () => unreachableWordsOf(form))
}
