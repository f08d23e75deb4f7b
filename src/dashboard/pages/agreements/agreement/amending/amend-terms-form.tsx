import type { VNode } from 'preact'
import { FREQUENCIES } from '../../../../../contract/api/agreements/payment-terms.ts'
import { localFailure } from '../../../../api/failure.ts'
import { Button } from '../../../../components/actions/button.tsx'
import { Form } from '../../../../components/form/form.tsx'
import { Select } from '../../../../components/form/select.tsx'
import { TextField } from '../../../../components/form/text-field.tsx'
import { useForm } from '../../../../components/form/use-form.ts'
import type { FormState } from '../../../../components/form/use-form.ts'
import { agreementActTexts } from '../act-texts.ts'
import type { AmendProps } from '../use-agreement-acts.ts'
import { termsFaults, termsRequest, termsValues } from './terms-form.ts'
import type { TermsField } from './terms-form.ts'

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
