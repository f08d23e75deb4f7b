import type { VNode } from 'preact'
import type { FormState } from '../form-state.ts'
import { wordsOf } from '../form-texts.ts'
import type { CheckoutState } from './checkout-state.ts'

/** What is to be paid, to whom and for what; its place while that isn't known yet. */
export function Bill({ state, form }: { state: CheckoutState; form: FormState }): VNode {
  const session = state.session.value
  return (
    <div class={session === null ? 'bill waiting' : 'bill'}>
      <p class="merchant">
        <bdi>{session?.merchant_name}</bdi>
      </p>
      <p class="total">
        <span class="unseen">{wordsOf(form, 'to_pay')} </span>
        {form.amount.value}
      </p>
      {session?.description && (
        <p class="purpose">
          <bdi>{session.description}</bdi>
        </p>
      )}
    </div>
  )
}
