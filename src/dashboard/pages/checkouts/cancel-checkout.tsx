import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { CheckoutWithJourney } from '../../../contract/api/checkouts/checkout-resource.ts'
import { failureOf } from '../../api/api.ts'
import { useApp, useFormats } from '../../app-context.ts'
import { Button } from '../../components/actions/button.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { centsOf } from '../../formats/cents.ts'
import { useChange } from '../../loading/use-change.ts'
import { checkoutTexts } from './texts.ts'

const texts = checkoutTexts.cancel

interface CancelCheckoutProps {
  checkout: CheckoutWithJourney
  changed: (checkout: CheckoutWithJourney) => void
}

/** The button that cancels a checkout, behind a question. */
export function CancelCheckout({ checkout, changed }: CancelCheckoutProps): VNode {
  const { toasts } = useApp()
  const { money } = useFormats()
  const { send } = useChange()
  const isAsking = useSignal(false)
  const cancel = async () => {
    const outcome = await send({
      method: 'DELETE',
      path: `/v1/checkouts/${checkout._id}`,
      answer: CheckoutWithJourney,
    })
    if (outcome.kind === 'done') {
      toasts.show(texts.done)
      changed(outcome.data)
    }
    return failureOf(outcome)
  }
  return (
    <>
      <Button onClick={() => (isAsking.value = true)}>{texts.button}</Button>
      {isAsking.value && (
        <ConfirmDialog
          title={texts.title}
          confirm={texts.button}
          act={cancel}
          close={() => (isAsking.value = false)}
        >
          <p>{texts.words(money(centsOf(checkout.amount), checkout.currency))}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
