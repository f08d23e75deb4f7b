import * as v from 'valibot'
import { AuthenticationSession } from '../../contract/api/charges/authentication.ts'
import type { AuthenticationStep, AuthenticationTold } from '../../contract/api/charges/authentication.ts'
import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import type { Browser } from '../browser.ts'
import type { Emit } from '../page-channel.ts'
import { askService, codeOf } from '../tokenise/service-request.ts'
import type { AuthenticationState, Notice, Screen } from './authentication-state.ts'
import { isFinal } from './authentication-state.ts'

interface FollowParts extends Pick<Browser, 'after' | 'online' | 'send'> {
  url: string
  token: string
  emit: Emit
  /** Shows a step in the bank's frame. A hidden one ends by itself, with whether the bank ended it; another calls `returned`. */
  show: (
    step: AuthenticationStep,
    ends: { ended: (completed: boolean) => void; returned: () => void },
  ) => void
}

const TIMEOUT_MS = 30_000
/** The page waits no more than 5 s for a sign of this document. */
const FIRST_SIGN_MS = 4000
/** While the bank's page is shown, how it ended may come from elsewhere: another tab, or the bank's own message. */
const WHILE_SHOWN_MS = 4000
/** While the answer is on its way. */
const WHILE_WAITED_MS = 1500
const LONGEST_PAUSE_MS = 15_000
/** After so long without an answer a person is told that it takes longer than usual. */
const SLOW_MS = 8000
/** After so long with the bank's page a person is told what to do if it shows nothing. */
const BLANK_MS = 25_000

type Told = AuthenticationTold | 'read' | 'give_up'
type Heard = { session: AuthenticationSession } | { refused: FormErrorCode } | 'unreachable'

/**
 * Creates what follows an authentication from its first step to its end. What the page and the bank tell only makes the service ask: how it
 * ended is what the service says. `giveUp` ends it.
 */
export function createFollower(state: AuthenticationState, parts: FollowParts) {
  const { after, emit, online } = parts
  let shownStep = -1
  /** Whether the bank has sent the browser back from the step that was shown last. */
  let isReturned = false
  let isGivingUp = false
  let failures = 0
  let isAsking = false
  let next: Told | null = null
  let stopWaiting = () => undefined as void
  let stopNotice = () => undefined as void
  let info = ''
  const loaded = once(() => emit({ event: 'afterLoad' }))

  const tellInfo = (now: 'waiting' | 'challenge' | 'slow' | 'offline') => {
    const { id } = state.session.value ?? {}
    if (id === undefined || now === info) return
    info = now
    emit({ event: 'chargeAuthInfo', authentication_id: id, info: now })
  }
  const say = (notice: Notice | null) => {
    state.notice.value = notice
    if (notice === 'slow' || notice === 'offline') tellInfo(notice)
  }
  const sayAfter = (ms: number, notice: Notice) => {
    stopNotice()
    say(null)
    stopNotice = after(ms, () => say(notice))
  }
  const showScreen = (screen: Screen) => {
    if (state.screen.value === screen) return
    state.screen.value = screen
    stopNotice()
    if (isFinal(screen)) {
      say(null)
      state.asksToCancel.value = false
    } else sayAfter(screen === 'bank' ? BLANK_MS : SLOW_MS, screen === 'bank' ? 'blank' : 'slow')
    if (!isFinal(screen)) tellInfo(screen === 'bank' ? 'challenge' : 'waiting')
  }

  const showStep = (step: AuthenticationStep, step_number: number) => {
    shownStep = step_number
    isReturned = false
    // First: a bank's page that nobody sees has no size.
    showScreen(step.kind === 'method' ? 'waiting' : 'bank')
    parts.show(step, {
      ended: (completed) => void ask({ kind: 'method', step_number, completed }),
      returned: () => {
        if (shownStep !== step_number) return
        isReturned = true
        showScreen('waiting')
        void ask({ kind: 'look', step_number })
      },
    })
  }
  const showSession = (session: AuthenticationSession) => {
    state.session.value = session
    loaded()
    const { step, step_number: number, status, succeeded } = session
    if (status !== 'pending' || succeeded !== null) return end(session)
    if (step === null) showScreen('waiting')
    else if (number !== shownStep) showStep(step, number)
    askAfter(isReturned || step === null ? WHILE_WAITED_MS : WHILE_SHOWN_MS)
  }
  const end = ({ id: authentication_id, status, succeeded }: AuthenticationSession) => {
    if (status === 'pending') return askAfter(WHILE_WAITED_MS)
    const isCancelled = status === 'cancelled'
    if (succeeded === true) showScreen('done')
    else showScreen(isCancelled || status === 'timed_out' ? status : 'failed')
    emit({
      event:
        succeeded === true ? 'chargeAuthSuccess' : isCancelled ? 'chargeAuthCancelled' : 'chargeAuthReject',
      authentication_id,
      status,
    })
  }

  /** What is told while a request is under way comes after it. */
  const ask = async (told: Told): Promise<void> => {
    if (isFinal(state.screen.value)) return
    if (isAsking) {
      if (next === null || told !== 'read') next = told
      return
    }
    isAsking = true
    stopWaiting()
    const heard = await request(parts, told)
    isAsking = false
    hear(heard, told)
    if (next === null) return
    const waiting = next
    next = null
    await ask(waiting)
  }
  const hear = (heard: Heard, told: Told) => {
    if (heard === 'unreachable') {
      failures += 1
      const isOffline = !online()
      if (isOffline || failures > 1) {
        stopNotice()
        say(isOffline ? 'offline' : 'unreachable')
      }
      // What was told and not heard is told again.
      askAfter(Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS), told)
      return
    }
    if (failures > 0) say(null)
    failures = 0
    if ('session' in heard) return showSession(heard.session)
    loaded()
    showScreen('closed')
    emit({
      event: 'systemError',
      error: { code: heard.refused, message: CLOSED, retryable: false },
    })
  }
  const askAfter = (ms: number, told: Told = usual()) => {
    stopWaiting()
    stopWaiting = after(ms, () => void ask(told))
  }
  /** Where the bank has told something the service is to ask it again; who gives up does so until it is done. */
  const usual = (): Told => {
    if (isGivingUp) return 'give_up'
    const { step, step_number } = state.session.value ?? {}
    return step_number !== undefined && (isReturned || step === null) ? { kind: 'look', step_number } : 'read'
  }

  return {
    start(): void {
      after(FIRST_SIGN_MS, loaded)
      sayAfter(SLOW_MS, 'slow')
      void ask('read')
    },
    /** Asks now: the network is back, or the person is. */
    refresh: () => void ask(usual()),
    giveUp(): void {
      isGivingUp = true
      showScreen('waiting')
      void ask('give_up')
    },
    get isGivingUp() {
      return isGivingUp
    },
  }
}

/** For the merchant's developer. */
const CLOSED =
  'The service does not know this authentication by this token, or no more. Ask for the charge on your server.'

/** One request; never rejects. A page that asks too often, and a fault of the service, wait as a lost network does. */
async function request({ url, token, send }: FollowParts, told: Told): Promise<Heard> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await askService(
    typeof told === 'string'
      ? { method: told === 'read' ? 'GET' : 'DELETE', url, headers, timeoutMs: TIMEOUT_MS }
      : {
          method: 'POST',
          url,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(told),
          timeoutMs: TIMEOUT_MS,
        },
    send,
  )
  if (answer.kind === 'fault') return 'unreachable'
  const { status, envelope } = answer
  const { success, output } = v.safeParse(AuthenticationSession, envelope?.resource.data)
  if (status === 200 && success) return { session: output }
  const isRefused = envelope?.error != null && status < 500 && status !== 429 && status !== 409
  return isRefused ? { refused: codeOf(envelope.error?.code ?? '') } : 'unreachable'
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
