import type { VNode } from 'preact'
import { AcceptedSchemes } from './accepted-schemes.tsx'
import { shownFieldsOf } from './form-fields.ts'
import { cardSchemeOf } from './form-state.ts'
import type { FormState } from './form-state.ts'
import { alertTextOf, wordsOf } from './form-texts.ts'
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
  const fields = shownFieldsOf(form.settings.value)
  const scheme = cardSchemeOf(form)
  return (
    <form
      autocomplete="on"
      noValidate
      aria-label={wordsOf(form, 'title')}
      aria-busy={form.phase.value === 'processing'}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Title form={form} />
      <AcceptedSchemes form={form} scheme={scheme} />
      {fields.map((field) => (
        <TextField key={field} form={form} emit={emit} field={field} last={field === fields.at(-1)}>
          {field === 'card_number' && (
            <SchemeIcon name={scheme?.name ?? ''} label={scheme?.label ?? wordsOf(form, 'card')} />
          )}
        </TextField>
      ))}
      <p id="form-alert" class="alert" tabIndex={-1}>
        {alertTextOf(form)}
      </p>
      <SubmitButton form={form} />
    </form>
  )
}
