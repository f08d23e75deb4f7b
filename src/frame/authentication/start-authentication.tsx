import { effect } from '@preact/signals'
import type { AuthenticationStep } from '../../contract/api/charges/authentication.ts'
import type { AuthenticationSetup } from '../../contract/page/authentication-setup.ts'
import { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import { applyAppearance } from '../appearance/apply-appearance.ts'
import type { Browser } from '../browser.ts'
import { emitSize } from '../content-size.ts'
import { createLanguageSwitch } from '../language/language-switch.ts'
import { moveFocusWithin } from '../move-focus.ts'
import { openPageChannel } from '../page-channel.ts'
import type { Emit } from '../page-channel.ts'
import { renderPage } from '../render.ts'
import { AuthenticationPage } from './authentication-page.tsx'
import { createAuthenticationState, isFinal, wordsOf } from './authentication-state.ts'
import type { AuthenticationState } from './authentication-state.ts'
import { BANK_SANDBOX, bankWindowIn, isBankAddress, openStep, whenReturned } from './bank-frame.ts'
import type { BankWindow } from './bank-frame.ts'
import { Follower } from './follow-authentication.ts'
import type { StepEnds } from './follow-authentication.ts'

interface AuthenticationParts extends Browser {
  frameWindow: Window
  /** The element that holds the prerendered markup. */
  content: HTMLElement
  setup: AuthenticationSetup
}

const MISMATCH = {
  code: 'version_mismatch',
  message: 'The page and the document of the bank’s step are of different versions. Reload the page.',
  retryable: false,
} as const

/** A bank's hidden page that has not ended by then counts as one that did not (EMV 3-D Secure). */
const METHOD_MS = 10_000

/** Waits for the page's welcome, then follows the authentication of its token. Composition root of the document. */
export function startAuthentication(parts: AuthenticationParts): void {
  const { frameWindow, content, setup, after } = parts
  const page = frameWindow.document
  const state = createAuthenticationState(setup.language)
  // By its address the page says that this document stands in a dialog or fills the screen; neither has a padding around it.
  const room = new URLSearchParams(frameWindow.location.search).get('room')
  if (room !== null) page.documentElement.dataset['room'] = room
  makeWindow(frameWindow, content)
  let follower: Follower | null = null
  let bank: HTMLIFrameElement | null = null
  const change = createSettingsHandler(state, parts)
  const givingUp = createGivingUp(page, state, () => follower)
  const channel = openPageChannel(frameWindow, CheckoutWelcome, after, {
    welcomed: ({ token, settings }) => {
      change(settings)
      // A page that stood still, as before an alert of its own, welcomes a document that was given up.
      state.screen.value = 'waiting'
      emitSize(content, channel.emit)
      effect(() => channel.setTitle(wordsOf(state, 'title')))
      follower = new Follower(state, {
        ...parts,
        url: setup.authentication_url,
        token,
        emit: channel.emit,
        show: (step, ends) => bank && showStep(parts, { bank, emit: channel.emit }, step, ends),
        // Nothing of a page of another origin may be read.
        hasBankAnswered: () => bank?.contentDocument === null,
      })
      follower.start()
    },
    late: () => undefined,
    abandoned: () => void (state.screen.value = 'closed'),
    mismatched: () => {
      state.screen.value = 'closed'
      channel.emit({ event: 'systemError', error: MISMATCH })
    },
    commanded: (command) => {
      if (command.command === 'set') change(command.settings)
      if (command.command === 'focus') focusIn(page, state)
      if (command.command === 'cancel') givingUp.askToCancel()
    },
    reference: () => '',
  })
  askWhenBack(parts, () => follower?.refresh())
  keepFocus(parts, state)
  renderPage(content, <AuthenticationPage state={state} framed={(frame) => (bank = frame)} {...givingUp} />)
}

/** What the buttons do by which a person gives up or goes on; Escape asks whether they give up, and takes that question back. */
function createGivingUp(page: Document, state: AuthenticationState, followed: () => Follower | null) {
  const askToCancel = () => {
    if (isFinal(state.screen.value) || state.isGivingUp.value) return
    state.asksToCancel.value = true
    page.getElementById('question')?.focus()
  }
  const goOn = () => {
    state.asksToCancel.value = false
    focusIn(page, state)
  }
  const giveUp = () => {
    state.asksToCancel.value = false
    followed()?.giveUp()
    focusIn(page, state)
  }
  page.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    if (state.asksToCancel.value) goOn()
    else askToCancel()
  })
  return { askToCancel, goOn, giveUp }
}

interface Shown {
  bank: HTMLIFrameElement
  emit: Emit
}

/** A step at an address that no bank has stays unopened: then the person can only give up. */
function showStep(
  { frameWindow, content, setup, after }: AuthenticationParts,
  { bank, emit }: Shown,
  step: AuthenticationStep,
  { ended, returned }: StepEnds,
): void {
  const page = frameWindow.document
  if (!isBankAddress(step.url, setup.is_sandbox)) {
    const message = 'The bank’s page has no https address. Tell the operator of the service.'
    emit({ event: 'systemError', error: { code: 'system_error', message, retryable: false } })
    if (step.kind === 'method') ended(false)
    return
  }
  if (step.kind === 'method') {
    runMethod(frameWindow, step, { after, ended })
    return
  }
  const { size, width, height } = makeWindow(frameWindow, content)
  Object.assign(bank.style, { width: cssSize(width), height: cssSize(height) })
  openStep(page, bank, step, size)
  whenReturned(frameWindow, bank, returned)
}

/** What stands above and below a bank's page, in this document and around it, in px. */
const ROOM_AROUND = 240

/** The window that the bank's page gets; the lines around it are as wide from the beginning. */
function makeWindow({ document: page, screen }: Window, content: Element): BankWindow {
  const { style, dataset } = page.documentElement
  const made = bankWindowIn({
    // Without a padding.
    width: content.firstElementChild?.clientWidth ?? 0,
    height: screen.availHeight - ROOM_AROUND,
    fills: dataset['room'] === 'screen',
  })
  style.setProperty('--window-width', cssSize(made.width))
  return made
}

const cssSize = (px: number | null) => (px === null ? '' : `${px}px`)

/** Lets the bank look at the browser, in a frame that nobody sees: it ends as soon as the bank says so, and after 10 s anyway. */
function runMethod(
  frameWindow: Window,
  step: AuthenticationStep,
  { after, ended }: Pick<Browser, 'after'> & Pick<StepEnds, 'ended'>,
): void {
  const page = frameWindow.document
  const frame = page.createElement('iframe')
  Object.assign(frame, { name: 'svc-method', title: '', tabIndex: -1, hidden: true, allow: '' })
  frame.setAttribute('aria-hidden', 'true')
  frame.setAttribute('sandbox', BANK_SANDBOX)
  page.body.append(frame)
  const end = (completed: boolean) => {
    stop()
    cancel()
    frame.remove()
    ended(completed)
  }
  const stop = whenReturned(frameWindow, frame, () => end(true))
  const cancel = after(METHOD_MS, () => end(false))
  openStep(page, frame, step, '')
}

/** Where a person goes on: in the bank's page if it is shown, else at what is said in its place. */
function focusIn(page: Document, state: AuthenticationState): void {
  page.getElementById(state.screen.value === 'bank' ? 'bank' : 'result')?.focus()
}

/** Moves the focus of whoever is in this document as the screen changes: into the bank's page, and from there to what came of it. */
function keepFocus({ frameWindow }: AuthenticationParts, state: AuthenticationState): void {
  const page = frameWindow.document
  let shown = state.screen.peek()
  effect(() => {
    const screen = state.screen.value
    if (screen === shown) return
    const wasInBank = shown === 'bank'
    shown = screen
    if (state.asksToCancel.peek()) return
    // The frame's own document may have had the focus, which it loses as it is hidden.
    if (screen === 'bank') queueMicrotask(() => moveFocusWithin(page, 'bank'))
    else if (wasInBank || isFinal(screen)) queueMicrotask(() => moveFocusWithin(page, 'result'))
  })
}

/** Asks at once when the network or the person is back: another tab, or the bank's app, may have ended it. */
function askWhenBack({ frameWindow }: AuthenticationParts, refresh: () => void): void {
  const page = frameWindow.document
  frameWindow.addEventListener('online', refresh)
  page.addEventListener('visibilitychange', () => {
    if (page.visibilityState === 'visible') refresh()
  })
}

/** Returns the handler for changed settings: it updates the looks of the document, and its language. */
function createSettingsHandler(
  state: AuthenticationState,
  { frameWindow, setup, send, warn }: AuthenticationParts,
) {
  const page = frameWindow.document
  const source = { page, languagesUrl: setup.languages_url, send, warn }
  const switchLanguage = createLanguageSwitch(
    state.translation.peek(),
    source,
    (translation) => void (state.translation.value = translation),
  )
  return (settings: WidgetSettings): void => {
    applyAppearance(page, settings, warn)
    if (settings.language !== undefined) void switchLanguage(settings.language)
  }
}
