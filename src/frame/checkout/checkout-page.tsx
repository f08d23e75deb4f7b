import type { VNode } from 'preact'
import { CardForm } from '../form/components/card-form.tsx'
import { Words } from '../form/components/words.tsx'
import { LiveRegion } from '../form/components/live-region.tsx'
import type { Form } from '../form/form-view.ts'
import type { Emit } from '../page-channel.ts'
import { timeLeftText } from './checkout-words.ts'
import { Bill } from './bill.tsx'
import type { CheckoutState } from './checkout-state.ts'
import { Result } from './result/result.tsx'

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
  const seconds = state.secondsLeft.value
  return (
    <>
      {(isForm || state.session.value !== null) && <Bill state={state} form={form} />}
      {isForm && (
        <p class="time-left" role={seconds === null ? undefined : 'timer'}>
          <Words text={seconds === null ? '' : timeLeftText(form, seconds)} />
        </p>
      )}
      {isForm ? <CardForm form={form} emit={emit} submit={submit} /> : <Result state={state} form={form} />}
      <LiveRegion form={form} />
    </>
  )
}
