import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AuthenticationSession } from '../../contract/api/charges/authentication.ts'
import { schemeLabelOf } from '../../card/scheme.ts'
import { amountText } from '../checkout/checkout-words.ts'
import { Words } from '../form/components/words.tsx'
import { filled } from '../language/translation.ts'
import { Mark } from '../mark.tsx'
import type { MarkName } from '../mark.tsx'
import { BANK_SANDBOX } from './bank-frame.ts'
import { isFinal, wordsOf } from './authentication-state.ts'
import type { AuthenticationState, Screen } from './authentication-state.ts'

export interface AuthenticationPageProps {
  state: AuthenticationState
  /** Called with the bank's frame once that is in the page. */
  framed: (frame: HTMLIFrameElement) => void
  askToCancel: () => void
  goOn: () => void
  giveUp: () => void
}

/** What a card holder sees around the bank's page: what is paid, what is going on, and the way out. */
export function AuthenticationPage(props: AuthenticationPageProps): VNode {
  const { state, askToCancel } = props
  const screen = state.screen.value
  const isAsking = state.asksToCancel.value
  return (
    <main class={`step at-${screen}`} aria-labelledby="heading">
      <h1 id="heading" tabIndex={-1}>
        <Words text={wordsOf(state, 'title')} />
      </h1>
      <p class="paid">
        {state.session.value !== null && <Paid state={state} session={state.session.value} />}
      </p>
      {isAsking && <Question {...props} />}
      {state.session.value !== null && <BankFrame {...props} isShown={screen === 'bank' && !isAsking} />}
      {screen !== 'bank' && !isAsking && (
        <div id="result" class="outcome" tabIndex={-1}>
          <Mark name={MARKS[screen] ?? 'waiting'} />
          <p>
            <Words text={wordsOf(state, screen)} />
          </p>
        </div>
      )}
      <p class="notice" role="status">
        <Words text={noticeWords(state)} />
      </p>
      {!isFinal(screen) && !isAsking && !state.isGivingUp.value && (
        <button id="cancel" type="button" class="link" onClick={askToCancel}>
          <Words text={wordsOf(state, 'cancel')} />
        </button>
      )}
    </main>
  )
}

/** While the card holder is asked, nothing of the bank's page, which they don't see. */
function noticeWords(state: AuthenticationState): string {
  const notice = state.notice.value
  const isOfBank = notice === 'slow' || notice === 'blank'
  return notice === null || (isOfBank && state.asksToCancel.value) ? '' : wordsOf(state, notice)
}

interface PaidProps {
  state: AuthenticationState
  session: AuthenticationSession
}

/** Amount and card: `A$10.00 · Mastercard ending in 1118`. In Arabic an amount that stands by itself keeps its currency. */
function Paid({ state, session }: PaidProps): VNode {
  const { amount, currency } = session
  return (
    <>
      <bdi>
        <Words text={amountText(amount, currency, state.translation.value.code)} />
      </bdi>
      <Words text={` · ${cardWords(state, session)}`} />
    </>
  )
}

function cardWords(state: AuthenticationState, session: AuthenticationSession): string {
  const card = filled(wordsOf(state, 'received_card'), 'digits', session.card_number_last4)
  return filled(card, 'card', schemeLabelOf(session.card_scheme))
}

/**
 * One frame from beginning to end: a browser loads a frame anew that is moved or replaced. Not in the document's own markup, as Firefox would
 * bring back there what stood in it before a reload.
 */
function BankFrame({ state, framed, isShown }: AuthenticationPageProps & { isShown: boolean }): VNode {
  const frame = useRef<HTMLIFrameElement>(null)
  useLayoutEffect(() => {
    if (frame.current !== null) framed(frame.current)
  }, [])
  return (
    <div class="bank" hidden={!isShown}>
      <iframe
        ref={frame}
        id="bank"
        name="svc-bank"
        title={wordsOf(state, 'bank_page')}
        sandbox={BANK_SANDBOX}
        allow=""
        referrerpolicy="strict-origin"
      />
      {!state.hasBankAnswered.value && <Mark name="waiting" />}
    </div>
  )
}

/** Whether the card holder really wants to give up: what the bank has asked stays as it is meanwhile. */
function Question({ state, goOn, giveUp }: AuthenticationPageProps): VNode {
  return (
    <div class="question" role="group" aria-labelledby="question" aria-describedby="question-text">
      <h2 id="question" tabIndex={-1}>
        <Words text={wordsOf(state, 'cancel_title')} />
      </h2>
      <p id="question-text">
        <Words text={wordsOf(state, 'cancel_text')} />
      </p>
      <button type="button" onClick={goOn}>
        <Words text={wordsOf(state, 'go_on')} />
      </button>
      <button type="button" class="second" onClick={giveUp}>
        <Words text={wordsOf(state, 'cancel_now')} />
      </button>
    </div>
  )
}

const MARKS: Partial<Record<Screen, MarkName>> = {
  done: 'success',
  timed_out: 'time_over',
  failed: 'attention',
  cancelled: 'attention',
  closed: 'attention',
}
