import type { VNode } from 'preact'
import { Words } from '../form/components/words.tsx'
import type { Form } from '../form/form-view.ts'
import { checkoutWordsOf } from './checkout-words.ts'
import type { CheckoutState } from './checkout-state.ts'

/** Amount, merchant and description; a placeholder until they are known. */
export function Bill({ state, form }: { state: CheckoutState; form: Form }): VNode {
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
