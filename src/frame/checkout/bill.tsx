import type { VNode } from 'preact'
import type { Form } from '../form/form-view.ts'
import { checkoutWordsOf } from './checkout-words.ts'
import type { CheckoutState } from './checkout-state.ts'

/** Amount, merchant and description; a placeholder until they are known. */
export function Bill({ state, form }: { state: CheckoutState; form: Form }): VNode {
  const session = state.session.value
  return (
    <div class={session === null ? 'bill waiting' : 'bill'}>
      <p class="merchant">
        <bdi>{session?.merchant_name}</bdi>
      </p>
      <p class="total">
        <span class="unseen">{checkoutWordsOf(form, 'to_pay')} </span>
        {form.amount.value}
      </p>
      {session?.description !== null && (
        <p class="purpose">
          <bdi>{session?.description}</bdi>
        </p>
      )}
    </div>
  )
}
