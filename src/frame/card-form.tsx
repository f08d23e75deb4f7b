import type { VNode } from 'preact'
import { codeHint } from './field-fault.ts'
import { cardSchemeOf } from './form-state.ts'
import type { FormState } from './form-state.ts'
import type { Emit } from './page-channel.ts'
import { SchemeIcon } from './scheme-icon.tsx'
import { SubmitButton } from './submit-button.tsx'
import { TextField } from './text-field.tsx'
import { Title } from './title.tsx'

export interface CardFormProps {
  form: FormState
  emit: Emit
  submit: () => void
}

/** The card form; a real form element, so that Enter submits and the browser's autofill knows what it sees. */
export function CardForm({ form, emit, submit }: CardFormProps): VNode {
  const shared = { form, emit }
  return (
    <form
      autocomplete="on"
      noValidate
      aria-label="Card details"
      aria-busy={form.phase.value === 'processing'}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Title form={form} />
      <TextField {...shared} field="card_name" label="Name on card" autocomplete="cc-name" />
      <TextField {...shared} field="card_number" label="Card number" autocomplete="cc-number" numeric>
        <SchemeIcon scheme={cardSchemeOf(form)} />
      </TextField>
      <div class="pair">
        <TextField
          {...shared}
          field="expiry"
          label="Expiry date"
          autocomplete="cc-exp"
          placeholder="MM / YY"
          numeric
        />
        <TextField
          {...shared}
          field="card_ccv"
          label="Security code"
          autocomplete="cc-csc"
          hint={codeHint(form)}
          numeric
          last
        />
      </div>
      <p id="form-alert" class="alert">
        {form.alert.value}
      </p>
      <SubmitButton form={form} />
    </form>
  )
}
