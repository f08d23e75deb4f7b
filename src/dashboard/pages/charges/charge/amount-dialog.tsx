import type { ComponentChildren, VNode } from 'preact'
import type { Failure } from '../../../api/failure.ts'
import { useFormats } from '../../../app-context.ts'
import { Button } from '../../../components/actions/button.tsx'
import type { ButtonTone } from '../../../components/actions/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Form } from '../../../components/form/form.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { useForm } from '../../../components/form/use-form.ts'
import { decimalOf, typedCents } from '../../../formats/cents.ts'
import { chargeActTexts } from './texts.ts'

interface AmountDialogProps {
  title: string
  /** What may be moved at most, in cents; the field begins with it. */
  max: number
  currency: string
  label: string
  hint: (max: string) => string
  /** What will happen, by the amount in cents that stands in the field. */
  explain: (cents: number) => string
  /** The words of the button, with the amount in them. */
  submit: (amount: string) => string
  tone: ButtonTone
  /** A second field, for a reference; absent: the act takes none. */
  referenceField?: { label: string; hint: string }
  act: (cents: number, reference: string) => Promise<Failure | null>
  close: () => void
}

/** Asks how much is to be moved, and says what that does before it is done. */
export function AmountDialog(props: AmountDialogProps): VNode {
  const { title, max, currency, label, hint, referenceField, close } = props
  const { money } = useFormats()
  const form = useForm({
    initial: { amount: decimalOf(max), reference: '' },
    check: ({ amount }) => ({ amount: amountFault(amount, max, money(max, currency)) }),
    async send({ amount, reference }) {
      const failure = await props.act(typedCents(amount) ?? max, reference.trim())
      if (failure === null) close()
      return failure
    },
  })
  const cents = typedCents(form.values.value.amount)
  const isPossible = cents !== null && cents <= max
  return (
    <Dialog title={title} close={close}>
      <Form
        form={form}
        submit={props.submit(isPossible ? money(cents, currency) : '').trim()}
        submitTone={props.tone}
        actions={<Button onClick={close}>{chargeActTexts.keep}</Button>}
      >
        <TextField
          form={form}
          name="amount"
          label={label}
          hint={hint(money(max, currency))}
          inputMode="decimal"
          prefix={currency}
        />
        {referenceField && (
          <TextField
            form={form}
            name="reference"
            label={referenceField.label}
            hint={referenceField.hint}
            isOptional
          />
        )}
        <Explanation>{isPossible ? props.explain(cents) : ''}</Explanation>
      </Form>
    </Dialog>
  )
}

function Explanation({ children }: { children: ComponentChildren }): VNode {
  return (
    <p class="dialog-words" aria-live="polite">
      {children}
    </p>
  )
}

/** What is wrong with an amount that a person has typed; undefined for nothing. */
function amountFault(text: string, max: number, maxInWords: string): string | undefined {
  const cents = typedCents(text)
  if (cents === null) return chargeActTexts.amountFault
  return cents > max ? chargeActTexts.maxFault(maxInWords) : undefined
}
