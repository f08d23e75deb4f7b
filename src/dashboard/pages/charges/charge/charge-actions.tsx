import { useSignal } from '@preact/signals'
import type { VNode, ComponentChildren } from 'preact'
import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { useFormats } from '../../../app-context.ts'
import { Button } from '../../../components/actions/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { schemeName } from '../scheme-names.ts'
import type { Failure } from '../../../api/failure.ts'
import type { ButtonTone } from '../../../components/actions/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Form } from '../../../components/form/form.tsx'
import { TextField } from '../../../components/form/text-field.tsx'
import { useForm } from '../../../components/form/use-form.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { centsOf, decimalOf, typedCents } from '../../../formats/cents.ts'
import { chargeActTexts } from './texts.ts'
import { moneyOf } from './charge-money.ts'
import { EditDialog } from './edit-dialog.tsx'
import type { ActDialogProps, ChargeActs } from './use-charge-acts.ts'

interface ChargeActionsProps {
  charge: ChargeResource
  acts: ChargeActs
  /** Whether the outcome of the newest attempt is unknown: nothing can be done until it is known. */
  isOutcomeOpen: boolean
}

/** What can be done with a charge as it stands, each behind a dialog that says what will happen. */
export function ChargeActions({ charge, acts, isOutcomeOpen }: ChargeActionsProps): VNode | null {
  const open = useSignal<'capture' | 'cancel' | 'refund' | 'edit' | null>(null)
  const { capturable, refundable } = moneyOf(charge)
  const close = () => (open.value = null)
  return (
    <>
      <Button onClick={() => (open.value = 'edit')}>{chargeActTexts.edit.button}</Button>
      {capturable > 0 && !isOutcomeOpen && (
        <>
          <Button onClick={() => (open.value = 'cancel')}>{chargeActTexts.cancel.button}</Button>
          <Button tone="primary" onClick={() => (open.value = 'capture')}>
            {chargeActTexts.capture.button}
          </Button>
        </>
      )}
      {refundable > 0 && !isOutcomeOpen && (
        <Button icon="undo" onClick={() => (open.value = 'refund')}>
          {chargeActTexts.refund.button}
        </Button>
      )}
      {open.value === 'edit' && <EditDialog charge={charge} acts={acts} close={close} />}
      {open.value === 'cancel' && <CancelDialog charge={charge} acts={acts} close={close} />}
      {(open.value === 'capture' || open.value === 'refund') && (
        <MoneyDialog kind={open.value} charge={charge} acts={acts} close={close} />
      )}
    </>
  )
}

/** Takes held funds, or gives captured ones back: all of them or a part. */
function MoneyDialog({ kind, charge, acts, close }: ActDialogProps & { kind: 'capture' | 'refund' }): VNode {
  const texts = chargeActTexts[kind]
  const { money, card } = useWords(charge)
  const { capturable, refundable } = moneyOf(charge)
  const max = kind === 'capture' ? capturable : refundable
  const disputed = centsOf(charge.statistics.total_disputed_amount)
  const { reference: label, referenceHint: hint } = chargeActTexts.refund
  return (
    <AmountDialog
      title={texts.title}
      max={max}
      currency={charge.currency}
      label={texts.amount}
      hint={texts.hint}
      explain={(cents) =>
        cents === max ? texts.whole(money(cents), card) : texts.part(money(cents), card, money(max - cents))
      }
      submit={texts.submit}
      tone={kind === 'capture' ? 'primary' : 'danger'}
      {...(kind === 'refund' && { referenceField: { label, hint } })}
      {...(kind === 'refund' && disputed > 0 && { warning: chargeActTexts.refund.disputed(money(disputed)) })}
      act={acts[kind]}
      close={close}
    />
  )
}

function CancelDialog({ charge, acts, close }: ActDialogProps): VNode {
  const texts = chargeActTexts.cancel
  const { money, card } = useWords(charge)
  return (
    <ConfirmDialog title={texts.title} confirm={texts.submit} act={acts.cancel} close={close}>
      <p>{texts.words(money(moneyOf(charge).amount), card)}</p>
    </ConfirmDialog>
  )
}

/** Amounts and the card as dialogs say them. */
function useWords({ currency, customer }: ChargeResource) {
  const formats = useFormats()
  const { card_scheme, card_number_last4, card_name } = customer.payment_source
  return {
    money: (cents: number) => formats.money(cents, currency),
    card: `${schemeName(card_scheme)} •••• ${card_number_last4} (${card_name})`,
  }
}

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
  /** What speaks against it; absent: nothing. */
  warning?: string
  act: (cents: number, reference: string) => Promise<Failure | null>
  close: () => void
}

/** Asks how much is to be moved, and says what that does before it is done. */
function AmountDialog(props: AmountDialogProps): VNode {
  const { title, max, currency, label, hint, referenceField, warning, close } = props
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
        {warning !== undefined && <Notice tone="warning">{warning}</Notice>}
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
