import type { VNode } from 'preact'
import { FREQUENCIES } from '../../../../../contract/api/agreements/payment-terms.ts'
import { localFailure } from '../../../../api/failure.ts'
import { Button } from '../../../../components/actions/button.tsx'
import { Form } from '../../../../components/form/form.tsx'
import { Select } from '../../../../components/form/select.tsx'
import { TextField } from '../../../../components/form/text-field.tsx'
import { useForm } from '../../../../components/form/use-form.ts'
import type { FormState, FormFaults, FormValues } from '../../../../components/form/use-form.ts'
import { agreementActTexts } from '../act-texts.ts'
import type { AmendProps } from '../use-agreement-acts.ts'
import type {
  AgreementResource,
  PaymentTermsResource,
} from '../../../../../contract/api/agreements/agreement-resource.ts'
import { centsOf, decimalOf, typedCents } from '../../../../formats/cents.ts'

const texts = agreementActTexts.amend
const CURRENCY = 'AUD'
const AMOUNT_TYPES = Object.entries(texts.amountTypes).map(([value, words]) => ({ value, words }))
const FREQUENCY_OPTIONS = FREQUENCIES.map((value) => ({ value, words: texts.frequencies[value] }))

/** Asks the payer for other terms, which hold once the payer agrees. */
export function AmendTermsForm({ agreement, acts, close }: AmendProps): VNode {
  const before = termsValues(agreement)
  const form = useForm<TermsField>({
    initial: before,
    check: termsFaults,
    async send(values) {
      const body = termsRequest(before, values)
      if (body === null) return { ...localFailure('cancelled'), words: texts.nothing }
      const failure = await acts.amend(body, texts.asked)
      if (failure === null) close()
      return failure
    },
  })
  return (
    <>
      <p class="soft">{texts.termsWords(agreement.debtor.name)}</p>
      <Form
        form={form}
        submit={texts.ask}
        actions={<Button onClick={close}>{agreementActTexts.back}</Button>}
      >
        <AmountFields form={form} />
        {agreement.type === 'recurring' && <PeriodFields form={form} />}
        <div class="amend-pair">
          <TextField form={form} name="end_date" label={texts.end} hint={texts.endHint} isDay isOptional />
          {agreement.type === 'adhoc' && (
            <TextField
              form={form}
              name="max_number_of_payments"
              label={texts.max}
              inputMode="numeric"
              isOptional
            />
          )}
        </div>
      </Form>
    </>
  )
}

interface FieldsProps {
  form: FormState<TermsField>
}

function AmountFields({ form }: FieldsProps): VNode {
  const isFixed = form.values.value['payment_terms.amount_type'] === 'fixed'
  return (
    <div class="amend-pair">
      <Select form={form} name="payment_terms.amount_type" label={texts.amountType} options={AMOUNT_TYPES} />
      <TextField
        key={isFixed ? 'amount' : 'maximum'}
        form={form}
        name={isFixed ? 'payment_terms.amount' : 'payment_terms.maximum_amount'}
        label={isFixed ? texts.amount : texts.maximum}
        inputMode="decimal"
        prefix={CURRENCY}
      />
    </div>
  )
}

/** What recurring agreements have beside their amount. */
function PeriodFields({ form }: FieldsProps): VNode {
  const isFixed = form.values.value['payment_terms.amount_type'] === 'fixed'
  return (
    <>
      <Select
        form={form}
        name="payment_terms.frequency"
        label={texts.frequency}
        options={FREQUENCY_OPTIONS}
      />
      <div class="amend-pair">
        {isFixed && (
          <TextField
            form={form}
            name="payment_terms.point_in_period"
            label={texts.point}
            hint={texts.pointHint}
            inputMode="numeric"
            isOptional
          />
        )}
        <TextField
          form={form}
          name="payment_terms.count_per_period"
          label={texts.count}
          hint={texts.countHint}
          inputMode="numeric"
          isOptional
        />
      </div>
      <PaymentFields form={form} name="first_payment" words={[texts.firstDate, texts.firstAmount]} />
      <PaymentFields form={form} name="last_payment" words={[texts.lastDate, texts.lastAmount]} />
    </>
  )
}

interface PaymentFieldsProps extends FieldsProps {
  name: 'first_payment' | 'last_payment'
  /** Labels of its day and its amount. */
  words: readonly [string, string]
}

function PaymentFields({ form, name, words: [day, amount] }: PaymentFieldsProps): VNode {
  return (
    <div class="amend-pair">
      <TextField form={form} name={`payment_terms.${name}.date`} label={day} isDay isOptional />
      <TextField
        form={form}
        name={`payment_terms.${name}.amount`}
        label={amount}
        inputMode="decimal"
        prefix={CURRENCY}
        isOptional
      />
    </div>
  )
}

const termsTexts = agreementActTexts.amend

/** The fields of the form. Their names are the paths of the request, so that what the service finds wrong is shown at its field. */
type TermsField =
  | `payment_terms.${'amount_type' | 'amount' | 'maximum_amount' | 'frequency' | 'point_in_period' | 'count_per_period'}`
  | `payment_terms.${'first_payment' | 'last_payment'}.${'date' | 'amount'}`
  | 'end_date'
  | 'max_number_of_payments'

export type TermsValues = FormValues<TermsField>

/** The texts of the form for an agreement as it is. */
export function termsValues({
  payment_terms: terms,
  end_date,
  max_number_of_payments,
}: Pick<AgreementResource, 'payment_terms' | 'end_date' | 'max_number_of_payments'>): TermsValues {
  const { first_payment: first, last_payment: last } = terms
  return {
    'payment_terms.amount_type': terms.amount_type,
    'payment_terms.amount': amountText(terms.amount),
    'payment_terms.maximum_amount': amountText(terms.maximum_amount),
    'payment_terms.frequency': terms.frequency ?? '',
    'payment_terms.point_in_period': numberText(terms.point_in_period),
    'payment_terms.count_per_period': numberText(terms.count_per_period),
    'payment_terms.first_payment.date': first?.date ?? '',
    'payment_terms.first_payment.amount': amountText(first?.amount ?? null),
    'payment_terms.last_payment.date': last?.date ?? '',
    'payment_terms.last_payment.amount': amountText(last?.amount ?? null),
    end_date: end_date ?? '',
    max_number_of_payments: numberText(max_number_of_payments),
  }
}

function amountText(amount: PaymentTermsResource['amount']): string {
  return amount === null ? '' : decimalOf(centsOf(amount))
}

function numberText(number: number | null): string {
  return number === null ? '' : String(number)
}

/** What is wrong with texts that can't be sent at all. All else the service decides. */
export function termsFaults(values: TermsValues): FormFaults {
  const isFixed = values['payment_terms.amount_type'] === 'fixed'
  const amountField = isFixed ? 'payment_terms.amount' : 'payment_terms.maximum_amount'
  const numbers = [
    'payment_terms.point_in_period',
    'payment_terms.count_per_period',
    'max_number_of_payments',
  ] as const
  return {
    ...Object.fromEntries(
      numbers.map((name) => [name, /^\d*$/.test(values[name].trim()) ? undefined : termsTexts.numberFault]),
    ),
    [amountField]: typedCents(values[amountField]) === null ? agreementActTexts.pay.amountFault : undefined,
  }
}

/** The request for what differs from the agreement as it is; null where nothing does. */
export function termsRequest(before: TermsValues, after: TermsValues): object | null {
  const terms = termsOf(after)
  const isOther = (name: TermsField) => after[name].trim() !== '' && after[name].trim() !== before[name]
  const request = {
    ...(JSON.stringify(terms) === JSON.stringify(termsOf(before)) ? {} : { payment_terms: terms }),
    ...(isOther('end_date') ? { end_date: after.end_date } : {}),
    ...(isOther('max_number_of_payments')
      ? { max_number_of_payments: Number(after.max_number_of_payments) }
      : {}),
  }
  return Object.keys(request).length === 0 ? null : request
}

/** All terms as the service takes them: one that is left empty is left out. */
function termsOf(values: TermsValues): object {
  const type = values['payment_terms.amount_type']
  const count = values['payment_terms.count_per_period'].trim()
  const point = type === 'fixed' ? values['payment_terms.point_in_period'].trim() : ''
  const frequency = values['payment_terms.frequency']
  return {
    amount_type: type,
    ...(type === 'fixed'
      ? { amount: decimalText(values['payment_terms.amount']) }
      : { maximum_amount: decimalText(values['payment_terms.maximum_amount']) }),
    ...(frequency === '' ? {} : { frequency }),
    ...(point === '' ? {} : { point_in_period: Number(point) }),
    ...(count === '' ? {} : { count_per_period: Number(count) }),
    ...paymentOf(values, 'first_payment'),
    ...paymentOf(values, 'last_payment'),
  }
}

function paymentOf(values: TermsValues, name: 'first_payment' | 'last_payment'): object {
  const date = values[`payment_terms.${name}.date`]
  const amount = values[`payment_terms.${name}.amount`].trim()
  if (date === '' && amount === '') return {}
  return { [name]: { date, amount: decimalText(amount) } }
}

/** An amount as the service takes it; an invalid one stays as it was typed, and the service refuses it. */
function decimalText(text: string): string {
  const cents = typedCents(text)
  return cents === null ? text : decimalOf(cents)
}
