import * as v from 'valibot'
import { AuthenticationSession } from '../../contract/api/charges/authentication.ts'
import type { AuthenticationStep, ToldByPage } from '../../contract/api/charges/authentication.ts'
import type { ChargeAuthInfoEvent } from '../../contract/page/authentication-event.ts'
import type { FormErrorCode } from '../../contract/page/form-error-code.ts'
import type { Browser } from '../browser.ts'
import type { Emit } from '../page-channel.ts'
import { askService, codeOf } from '../tokenise/service-request.ts'
import type { Answer } from '../tokenise/service-request.ts'
import { isFinal } from './authentication-state.ts'
import type { AuthenticationState, Notice, Screen } from './authentication-state.ts'

/** How a step that is shown ends. */
export interface StepEnds {
  /** A hidden one has, by itself; whether the bank has ended it. */
  ended: (completed: boolean) => void
  /** The bank has sent the browser back. */
  returned: () => void
}

interface FollowParts extends Pick<Browser, 'after' | 'online' | 'send'> {
  url: string
  token: string
  emit: Emit
  /** Shows a step in the bank's frame. */
  show: (step: AuthenticationStep, ends: StepEnds) => void
  /** Whether the bank's frame has got a page, be it the browser's own about a bank that can't be reached. */
  hasBankAnswered: () => boolean
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
/** How often the bank's frame is looked at until there is a page. */
const LOOK_MS = 100
/** After so long with the bank's page, or without it, a person is told what to do if nothing is shown. */
const BLANK_MS = 12_000

/** What is asked or told: by `GET`, by `POST`, or by `DELETE`. */
type Told = ToldByPage | 'read' | 'give_up'
type Heard = { session: AuthenticationSession } | { refused: FormErrorCode } | 'unreachable'

/**
 * Follows an authentication from its first step to its end. What the page and the bank tell only makes the service ask: how it ended is
 * what the service says.
 */
export class Follower {
  readonly #state: AuthenticationState
  readonly #parts: FollowParts
  #shownStep = -1
  /** Whether the bank has sent the browser back from the step that was shown last. */
  #isReturned = false
  #isLoaded = false
  #failures = 0
  #isAsking = false
  /** What comes after the request that is under way. */
  #next: Told | null = null
  /** What was told of a step and no answer came to: a read must not take its place. */
  #unheard: ToldByPage | null = null
  #info: ChargeAuthInfoEvent['info'] | null = null
  #stopWaiting: () => void = () => undefined
  #stopNotice: () => void = () => undefined

  constructor(state: AuthenticationState, parts: FollowParts) {
    this.#state = state
    this.#parts = parts
  }

  start(): void {
    this.#parts.after(FIRST_SIGN_MS, () => this.#loaded())
    this.#restartNotices()
    void this.#ask('read')
  }

  /** Asks now: the network is back, or the person is. */
  refresh(): void {
    void this.#ask(this.#due)
  }

  /** Ends it without an answer: asks for that until the service has heard it. */
  giveUp(): void {
    this.#state.isGivingUp.value = true
    this.#showScreen('waiting')
    void this.#ask('give_up')
  }

  async #ask(told: Told): Promise<void> {
    if (isFinal(this.#state.screen.value)) return
    if (this.#isAsking) {
      if (this.#next === null || told !== 'read') this.#next = told
      return
    }
    this.#isAsking = true
    this.#stopWaiting()
    const heard = await request(this.#parts, told)
    this.#isAsking = false
    this.#hear(heard, told)
    if (this.#next === null) return
    const next = this.#next === 'read' ? this.#due : this.#next
    this.#next = null
    await this.#ask(next)
  }

  #askAfter(ms: number): void {
    this.#stopWaiting()
    this.#stopWaiting = this.#parts.after(ms, () => void this.#ask(this.#due))
  }

  /**
   * What is asked now where nothing new is to be told. Who gives up does so until it is done, what nobody has heard is told again, and where
   * the bank has told something the service is to ask it.
   */
  get #due(): Told {
    if (this.#state.isGivingUp.value) return 'give_up'
    if (this.#unheard !== null) return this.#unheard
    const { step, step_number } = this.#state.session.value ?? {}
    const isWaiting = this.#isReturned || step === null
    return step_number !== undefined && isWaiting ? { kind: 'look', step_number } : 'read'
  }

  #hear(heard: Heard, told: Told): void {
    if (typeof told === 'object') this.#unheard = heard === 'unreachable' ? told : null
    if (heard === 'unreachable') {
      this.#failures += 1
      this.#showUnreachable()
      this.#askAfter(Math.min(1000 * 2 ** this.#failures, LONGEST_PAUSE_MS))
      return
    }
    if (this.#failures > 0) this.#restartNotices()
    this.#failures = 0
    this.#loaded()
    if ('session' in heard) this.#showSession(heard.session)
    else this.#close(heard.refused)
  }

  #showSession(session: AuthenticationSession): void {
    this.#state.session.value = session
    const { step, step_number: number, status } = session
    if (status !== 'pending') {
      this.#end(session, status)
      return
    }
    if (step === null || this.#state.isGivingUp.value) this.#showScreen('waiting')
    else if (number !== this.#shownStep) this.#showStep(step, number)
    const isWaiting = this.#isReturned || step === null
    this.#askAfter(isWaiting ? WHILE_WAITED_MS : WHILE_SHOWN_MS)
  }

  #showStep(step: AuthenticationStep, step_number: number): void {
    this.#shownStep = step_number
    this.#isReturned = false
    this.#state.hasBankAnswered.value = false
    // First: a bank's page that nobody sees has no size.
    this.#showScreen(step.kind === 'method' ? 'waiting' : 'bank')
    this.#parts.show(step, {
      ended: (completed) => void this.#ask({ kind: 'method', step_number, completed }),
      returned: () => {
        if (this.#shownStep !== step_number) return
        this.#isReturned = true
        this.#showScreen('waiting')
        void this.#ask({ kind: 'look', step_number })
      },
    })
    if (step.kind !== 'method') this.#lookForBank(step_number)
  }

  /** No event tells of a page that is there but not all loaded, nor in every browser of one that can't be reached. */
  #lookForBank(step_number: number): void {
    this.#parts.after(LOOK_MS, () => {
      const { screen, hasBankAnswered } = this.#state
      if (isFinal(screen.value) || this.#shownStep !== step_number) return
      hasBankAnswered.value = this.#parts.hasBankAnswered()
      if (!hasBankAnswered.value) this.#lookForBank(step_number)
      else if (screen.value === 'bank' && this.#failures === 0) this.#restartNotices()
    })
  }

  #end(
    { id: authentication_id, succeeded }: AuthenticationSession,
    status: Exclude<AuthenticationSession['status'], 'pending'>,
  ): void {
    const end = { authentication_id, status }
    if (succeeded === true) {
      this.#showScreen('done')
      this.#parts.emit({ event: 'chargeAuthSuccess', ...end })
    } else if (status === 'cancelled') {
      this.#showScreen('cancelled')
      this.#parts.emit({ event: 'chargeAuthCancelled', ...end })
    } else {
      this.#showScreen(status === 'timed_out' ? status : 'failed')
      this.#parts.emit({ event: 'chargeAuthReject', ...end })
    }
  }

  #close(code: FormErrorCode): void {
    this.#showScreen('closed')
    this.#parts.emit({ event: 'systemError', error: { code, message: CLOSED, retryable: false } })
  }

  #loaded(): void {
    if (!this.#isLoaded) this.#parts.emit({ event: 'afterLoad' })
    this.#isLoaded = true
  }

  #showScreen(screen: Screen): void {
    const state = this.#state
    if (state.screen.value === screen) return
    state.screen.value = screen
    this.#stopNotice()
    if (isFinal(screen)) {
      this.#showNotice(null)
      state.asksToCancel.value = false
    } else this.#restartNotices()
  }

  /** Takes back the notice, and has the next ones shown in their time: that it takes long, and what to do where the bank shows nothing. */
  #restartNotices(): void {
    const { screen, hasBankAnswered } = this.#state
    const isAtBank = screen.value === 'bank'
    const stops: (() => void)[] = []
    const showAfter = (ms: number, notice: Notice) =>
      void stops.push(this.#parts.after(ms, () => this.#showNotice(notice)))
    this.#stopNotice()
    this.#stopNotice = () => stops.forEach((stop) => stop())
    this.#showNotice(null)
    this.#emitInfo(isAtBank ? 'challenge' : 'waiting')
    if (!isAtBank || !hasBankAnswered.value) showAfter(SLOW_MS, 'slow')
    if (isAtBank) showAfter(BLANK_MS, 'blank')
  }

  #showUnreachable(): void {
    const isOffline = !this.#parts.online()
    if (!isOffline && this.#failures < 2) return
    this.#stopNotice()
    this.#showNotice(isOffline ? 'offline' : 'unreachable')
  }

  #showNotice(notice: Notice | null): void {
    this.#state.notice.value = notice
    if (notice === 'slow' || notice === 'offline') this.#emitInfo(notice)
  }

  #emitInfo(info: ChargeAuthInfoEvent['info']): void {
    const { id } = this.#state.session.value ?? {}
    if (id === undefined || info === this.#info) return
    this.#info = info
    this.#parts.emit({ event: 'chargeAuthInfo', authentication_id: id, info })
  }
}

/** For the merchant's developer. */
const CLOSED =
  'The service does not know this authentication by this token, or no more. Ask for the charge on your server.'

/** One request; never rejects. */
async function request({ url, token, send }: FollowParts, told: Told): Promise<Heard> {
  const authorization = `Bearer ${token}`
  const common = { url, headers: { authorization }, timeoutMs: TIMEOUT_MS }
  const isTold = typeof told === 'object'
  const answer = await askService(
    isTold
      ? {
          ...common,
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(told),
        }
      : { ...common, method: told === 'read' ? 'GET' : 'DELETE' },
    send,
  )
  return answer.kind === 'fault' ? 'unreachable' : heardIn(answer)
}

/** To be asked too often, or while another asks, and a fault of the service are like a lost network: it is asked again. */
const PASSING = [409, 429]

function heardIn({ status, envelope }: Answer): Heard {
  const { success, output } = v.safeParse(AuthenticationSession, envelope?.resource.data)
  if (status === 200 && success) return { session: output }
  const code = envelope?.error?.code
  if (code === undefined || status >= 500 || PASSING.includes(status)) return 'unreachable'
  const known = codeOf(code)
  // After a fault of the service a page waits for the person; here nothing follows.
  return { refused: known === 'system_error' ? 'version_mismatch' : known }
}
