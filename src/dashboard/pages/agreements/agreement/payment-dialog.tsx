import type { VNode } from 'preact'
import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import { useFormats } from '../../../app-context.ts'
import { Button } from '../../../components/actions/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Checkbox } from '../../../components/form/checkbox.tsx'
import { requiredFault } from '../../../components/form/checks.ts'
import { Form } from '../../../components/form/form.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { TICKED, useForm } from '../../../components/form/use-form.ts'
import type { FormValues } from '../../../components/form/use-form.ts'
import { centsOf, decimalOf, typedCents } from '../../../formats/cents.ts'
import { agreementActTexts } from './act-texts.ts'
import type { AgreementActs } from './use-agreement-acts.ts'

const texts = agreementActTexts.pay
const CURRENCY = 'AUD'

interface PaymentDialogProps {
  agreement: AgreementResource
  acts: AgreementActs
  close: () => void
}

/** Asks what is to be paid, and says what that does. The service decides whether the terms allow it. */
export function PaymentDialog({ agreement, acts, close }: PaymentDialogProps): VNode {
  const formats = useFormats()
  const { amount, maximum_amount: max } = agreement.payment_terms
  const money = (cents: number) => formats.money(cents, CURRENCY)
  const form = useForm({
    initial: {
      amount: amount === null ? '' : decimalOf(centsOf(amount)),
      reference: '',
      description: '',
      last_payment: '',
    },
    check: (values) => ({
      amount: typedCents(values.amount) === null ? texts.amountFault : undefined,
      reference: requiredFault(values.reference),
    }),
    async send(values) {
      const cents = typedCents(values.amount) ?? 0
      const failure = await acts.pay(bodyOf(values, cents), texts.done(money(cents)))
      if (failure === null) close()
      return failure
    },
  })
  const cents = typedCents(form.values.value.amount)
  return (
    <Dialog title={texts.title} close={close}>
      <Form
        form={form}
        submit={cents === null ? texts.button : texts.submit(money(cents))}
        actions={<Button onClick={close}>{agreementActTexts.back}</Button>}
      >
        <TextField
          form={form}
          name="amount"
          label={texts.amount}
          hint={hintOf(amount, max, money)}
          inputMode="decimal"
          prefix={CURRENCY}
        />
        <TextField form={form} name="reference" label={texts.reference} hint={texts.referenceHint} />
        <TextField form={form} name="description" label={texts.description} isOptional />
        <Checkbox form={form} name="last_payment" label={texts.isLast} hint={texts.isLastHint} />
        <p aria-live="polite">{cents !== null && texts.words(money(cents), agreement.debtor.name)}</p>
      </Form>
    </Dialog>
  )
}

function bodyOf(
  values: FormValues<'amount' | 'reference' | 'description' | 'last_payment'>,
  cents: number,
): object {
  const description = values.description.trim()
  return {
    amount: decimalOf(cents),
    reference: values.reference.trim(),
    ...(description === '' ? {} : { description }),
    ...(values.last_payment === TICKED ? { last_payment: true } : {}),
  }
}

function hintOf(amount: number | null, max: number | null, money: (cents: number) => string): string {
  if (amount !== null) return texts.amountFixed(money(centsOf(amount)))
  return max === null ? '' : texts.amountHint(money(centsOf(max)))
}
