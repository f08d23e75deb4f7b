import type { VNode } from 'preact'
import { CardForm } from '../form/components/card-form.tsx'
import type { Form } from '../form/form-view.ts'
import { checkoutWordsOf } from './checkout-words.ts'
import { filled } from '../language/translation.ts'
import { Bill } from './bill.tsx'
import type { CheckoutState } from './checkout-state.ts'
import { Result } from './result/result.tsx'

interface CheckoutPageProps {
  state: CheckoutState
  form: Form
  submit: () => void
  retry: () => void
}

const tellNobody = () => undefined

/** All that a checkout shows: what is to be paid, and the form or what stands in its place. */
export function CheckoutPage({ state, form, submit, retry }: CheckoutPageProps): VNode {
  const scene = state.scene.value
  const isForm = scene === 'opening' || scene === 'form'
  const seconds = state.secondsLeft.value
  return (
    <>
      {(isForm || state.session.value !== null) && <Bill state={state} form={form} />}
      {seconds !== null && (
        <p class="time-left" role="timer">
          {filled(checkoutWordsOf(form, 'time_left'), 'time', clockText(seconds))}
        </p>
      )}
      {isForm ? (
        <CardForm form={form} emit={tellNobody} submit={submit} />
      ) : (
        <Result state={state} form={form} retry={retry} />
      )}
      <p class="unseen" role="status" aria-live="polite">
        {form.announcement.value}
      </p>
    </>
  )
}

function clockText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
