import { computed, effect } from '@preact/signals'
import { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import type { CheckoutSession } from '../../contract/api/checkouts/checkout-session.ts'
import type { CheckoutSetup } from '../../contract/page/checkout-setup.ts'
import { mergedSettings } from '../../contract/page/merged-settings.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { createAfterPaintQueue } from '../after-paint-queue.ts'
import { createAfterClick } from '../form/after-click.ts'
import { emitSize } from '../content-size.ts'
import { keepPlaceOfScreenReaders } from '../field/auto-advance.ts'
import { keepInputsRead, readInputs } from '../field/read-inputs.ts'
import { wordsOf } from '../form/form-state.ts'
import { reportTyped, sayEmptied, emptyWhenLeft, unlessLeft } from '../form/empty-form.ts'
import { createForm } from '../form/form-view.ts'
import type { Form } from '../form/form-view.ts'
import { renderPage } from '../render.ts'
import { createServiceClock } from '../service-clock.ts'
import { isHiddenAtFirst, showAbandoned, showContent, showLate, showWelcomed } from '../show-content.ts'
import { openPageChannel } from '../page-channel.ts'
import type { Browser } from '../browser.ts'
import { createSettingsHandler } from '../form/settings-handler.ts'
import { amountText, payTextOf, timeLeftText } from './checkout-words.ts'
import { clearOfflineAlert } from '../form/alert.ts'
import { announce } from '../form/announce.ts'
import { moveFocus, moveFocusWithin } from '../move-focus.ts'
import type { ServiceClock } from '../service-clock.ts'
import type { Emit } from '../page-channel.ts'
import { beginSubmit } from '../submit/submit-card.ts'
import { withSlowNotice } from '../submit/slow-notice.ts'
import { fault } from '../tokenise/service-request.ts'
import { createTokeniser } from '../tokenise/tokenise.ts'
import type { CheckoutState } from './checkout-state.ts'
import { createPaymentFailures } from './payment/payment-failures.ts'
import { createBankStep } from './payment/bank-step.ts'
import { createPayWithCard } from './payment/pay-with-card.ts'
import { createResultScreens } from './result/result-screens.ts'
import { resultLinesOf } from './result/result-words.ts'
import { createSessionFollower } from './session/follow-session.ts'
import { createServiceCalls } from './session/service-calls.ts'
import { CheckoutPage } from './checkout-page.tsx'
import { createCheckoutState, isWaitingForBank } from './checkout-state.ts'

interface CheckoutParts extends Browser {
  frameWindow: Window
  /** The element that holds the prerendered page. */
  content: HTMLElement
  setup: CheckoutSetup
}

const MISMATCH = {
  code: 'version_mismatch',
  message: 'This checkout and the page around it are of different versions. Reload the page.',
  retryable: false,
} as const

/** Hydrates the prerendered checkout and waits for the page's welcome. Composition root of the checkout's document. */
export function startCheckout(parts: CheckoutParts): void {
  const { frameWindow, content, setup, send, warn } = parts
  const page = frameWindow.document
  const state = createCheckoutState()
  const clock = createServiceClock(setup.today, parts.elapsed)
  const form = createPayForm(parts, clock.now)
  const changeSettings = createSettingsHandler(form, { page, languagesUrl: setup.languages_url, send, warn })
  let pageSettings: WidgetSettings = {}
  const changePageSettings = (change: WidgetSettings) => {
    readInputs(form)
    pageSettings = mergedSettings(pageSettings, change)
    changeSettings(change)
  }
  const showSession = (session: CheckoutSession) => {
    if (form.phase.value !== 'opening') return
    readInputs(form)
    changeSettings(settingsOf(session))
    changeSettings(pageSettings) // The page's settings win over the templates'.
    form.phase.value = 'ready'
  }
  const showAndReportSize = () => {
    showContent(content)
    emitSize(content, emit)
  }
  const { emit, setTitle, tellTyped } = openPageChannel(frameWindow, CheckoutWelcome, parts.after, {
    welcomed: ({ token, settings, is_reloaded }) => {
      showWelcomed(form)
      changePageSettings(settings)
      if (isHiddenAtFirst(frameWindow)) whenOpened(state, form, showAndReportSize)
      else showAndReportSize()
      effect(() => setTitle(wordsOf(form, 'title')))
      reportTyped(form, tellTyped)
      if (is_reloaded === true) sayEmptied(form)
      controls = createCheckoutControls(state, form, { ...parts, clock, token, emit, showSession })
    },
    late: () => showLate(form, content),
    abandoned: () => showAbandoned(form, content),
    mismatched: () => {
      showContent(content)
      emit({ event: 'systemError', error: MISMATCH })
    },
    commanded: (command) => {
      if (command.command === 'set') changePageSettings(command.settings)
      if (command.command === 'settle') void controls?.stepClosed(command.is_done)
    },
    reference: () => '',
  })
  let controls: ReturnType<typeof createCheckoutControls> | null = null
  effect(() => void (form.amount.value = amountIn(state, form)))
  keepInputsRead(form, frameWindow)
  keepPlaceOfScreenReaders(form, frameWindow)
  const submit = () => void controls?.submit()
  renderPage(content, <CheckoutPage state={state} form={form} emit={emit} submit={submit} />)
}

function createPayForm({ frameWindow, content, setup }: CheckoutParts, now: () => number): Form {
  return createForm({
    now,
    translation: setup.language,
    inputs: () => content.querySelectorAll('input'),
    afterClick: createAfterClick(frameWindow.document),
    afterPaint: createAfterPaintQueue(frameWindow),
    submitText: payTextOf,
    waitsForAmount: true,
  })
}

/** The amount to pay in the form's language; '' until it is known. */
function amountIn({ session }: CheckoutState, { translation }: Form): string {
  const { amount, currency } = session.value ?? {}
  return amount === undefined || currency === undefined
    ? ''
    : amountText(amount, currency, translation.value.code)
}

/** Calls back once the intent has been read, or there is something to say of that. */
function whenOpened({ screen }: CheckoutState, { alert }: Form, opened: () => void): void {
  const isOpened = computed(() => screen.value !== 'opening' || alert.value !== null)
  const stop = isOpened.subscribe((isNow) => {
    if (!isNow) return
    stop()
    opened()
  })
}

/** The form settings of the intent's templates, and the known details of its card holder. */
function settingsOf({ configuration, customer = {}, ...templates }: CheckoutSession): WidgetSettings {
  const look = mergedSettings(templates.customisation, templates.customisation_since_1_3)
  return { ...configuration, ...look, values: customer }
}

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
function createCheckoutControls(state: CheckoutState, form: Form, parts: ControlParts) {
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
  const { readSession, pay, giveUp } = createServiceCalls(setup, { credentials, send, clock })
  const bankStep = createBankStep({ emit, giveUp, wait: parts.wait })
  const follower = createSessionFollower(state, form, {
    bankStep,
    browser: parts,
    readSession,
    resultScreens,
    showSession,
    loaded: once(() => emit({ event: 'afterLoad' })),
  })
  const payWithCard = createPayWithCard(state, form, {
    tokenise: (card) => unlessLeft(form, tokenise(card), fault('network_error', true)),
    pay,
    bankStep,
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
    /** The page's dialog with the bank's step is closed, or could not be shown. */
    stepClosed: async (wasShown: boolean) => {
      await bankStep.closed(wasShown)
      follower.refreshIfIdle()
    },
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
  if (isWaitingForBank(state)) announce(form, resultLinesOf(state, form))
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

/** From this number of seconds on, the time left is shown. */
const SHOWN_SECONDS = 180
/** From each of these numbers of seconds on, screen readers say the time left, once. */
const ANNOUNCED_SECONDS = [60, SHOWN_SECONDS]
/** An announcement is left alone for so long, so that it can be heard to its end. */
const HEARD_SECONDS = 10
/** Past the end, the service is asked at this interval: only what it says counts. */
const SECONDS_BETWEEN_CHECKS = 10

/**
 * Creates the function that updates the seconds left to pay, at `now` in ms since 1970; call it each second. It calls `refresh` once the
 * time is over.
 */
export function createCountdown(
  { screen, session, secondsLeft }: CheckoutState,
  form: Form,
  refresh: () => void,
): (now: number) => void {
  const announceTimeLeft = createTimeAnnouncer(form)
  return (now) => {
    const end = Date.parse(session.value?.expires_at ?? '')
    if (screen.value !== 'form' || Number.isNaN(end)) {
      secondsLeft.value = null
      return
    }
    const left = Math.ceil((end - now) / 1000)
    secondsLeft.value = left > 0 && left <= SHOWN_SECONDS ? left : null
    if (left > 0) announceTimeLeft(left)
    else if (left % SECONDS_BETWEEN_CHECKS === 0) refresh()
  }
}

/** Creates the function that says the time left where it is due, after what is being said, and takes it back once it was heard. */
function createTimeAnnouncer(form: Form): (left: number) => void {
  let saidFrom = Infinity
  let said = ''
  let current = ''
  let since = 0
  return (left) => {
    const text = form.announcement.peek()
    if (text !== current) since = left
    current = text
    if (text !== '' && since - left < HEARD_SECONDS) return
    if (text === said) announce(form, '')
    const from = ANNOUNCED_SECONDS.find((seconds) => left <= seconds) ?? Infinity
    if (from >= saidFrom) return
    saidFrom = from
    said = timeLeftText(form, left)
    announce(form, said)
  }
}
