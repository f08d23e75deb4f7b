import type { VNode } from 'preact'
import { CardForm } from '../form/components/card-form.tsx'
import { Words } from '../form/components/words.tsx'
import { LiveRegion } from '../form/components/live-region.tsx'
import type { Form } from '../form/form-view.ts'
import type { Emit } from '../page-channel.ts'
import { timeText, checkoutWordsOf } from './checkout-words.ts'
import type { CheckoutState, Screen } from './checkout-state.ts'
import { filled } from '../language/translation.ts'
import { Mark } from '../mark.tsx'
import type { MarkName } from '../mark.tsx'
import { resultWordsOf } from './result/result-words.ts'
import { isDeadEnd } from './checkout-state.ts'

interface CheckoutPageProps {
  state: CheckoutState
  form: Form
  emit: Emit
  submit: () => void
}

/** The content of a checkout: the amount, and the form or a result that replaces it. */
export function CheckoutPage({ state, form, emit, submit }: CheckoutPageProps): VNode {
  const screen = state.screen.value
  const isForm = screen === 'opening' || screen === 'form'
  return (
    <>
      {(isForm || state.session.value !== null) && <Bill state={state} form={form} />}
      {isForm && <TimeLeft state={state} form={form} />}
      {isForm ? <CardForm form={form} emit={emit} submit={submit} /> : <Result state={state} form={form} />}
      {isDeadEnd(state, form) && <BackToShop state={state} form={form} emit={emit} />}
      <LiveRegion form={form} />
    </>
  )
}

/** The time left to pay, once it is short: a clock and the time, with words for screen readers. */
function TimeLeft({ state, form }: ResultProps): VNode {
  const seconds = state.secondsLeft.value
  const [before, after] = checkoutWordsOf(form, 'time_left').split('{time}')
  return (
    <p class="time-left" role={seconds === null ? undefined : 'timer'}>
      {seconds !== null && (
        <>
          <span class="unseen">
            <Words text={before} />
          </span>
          <Words text={timeText(seconds)} />
          <span class="unseen">
            <Words text={after} />
          </span>
        </>
      )}
    </p>
  )
}

/** Amount, merchant and description; a placeholder until they are known. */
function Bill({ state, form }: { state: CheckoutState; form: Form }): VNode {
  const session = state.session.value
  return (
    <div class={session === null ? 'bill waiting' : 'bill'}>
      <p class="merchant">
        <bdi>
          <Words text={session?.merchant_name} />
        </bdi>
      </p>
      <p class="total">
        <span class="unseen">
          <Words text={`${checkoutWordsOf(form, 'to_pay')} `} />
        </span>
        <Words text={form.amount.value} />
      </p>
      {session?.description !== null && (
        <p class="purpose">
          <bdi>
            <Words text={session?.description} />
          </bdi>
        </p>
      )}
    </div>
  )
}

/** The way on for who can't pay here, where the merchant has named one. The page around the frame leads there. */
function BackToShop({ state, form, emit }: ResultProps & { emit: Emit }): VNode | null {
  const address = form.settings.value.return_url ?? state.session.value?.return_url
  if (!address) return null
  return (
    <button type="button" class="back" onClick={() => emit({ event: 'backToShop', return_url: address })}>
      <Words text={checkoutWordsOf(form, 'back_to_shop')} />
    </button>
  )
}

interface ResultProps {
  state: CheckoutState
  form: Form
}

/** Replaces the form: the result of the payment, or what the person waits for. It can be focused. */
function Result({ state, form }: ResultProps): VNode {
  const screen = state.screen.value
  const { title, text } = resultWordsOf(state, form)
  const reference = screen === 'paid' ? state.session.value?.reference : null
  return (
    <section
      id="result"
      class={`result ${screen}`}
      tabIndex={-1}
      aria-labelledby="result-title"
      aria-describedby="result-text"
    >
      <Mark name={MARKS[screen] ?? 'waiting'} />
      <h2 id="result-title">
        <Words text={title} />
      </h2>
      <p id="result-text">
        <Words text={text} />
      </p>
      {reference && (
        <p class="reference">
          <Words text={filled(checkoutWordsOf(form, 'reference'), 'reference', reference)} />
        </p>
      )}
    </section>
  )
}

const MARKS: Partial<Record<Screen, MarkName>> = {
  paid: 'success',
  expired: 'time_over',
  closed: 'attention',
  perhaps_paid: 'attention',
  tried_out: 'attention',
}
