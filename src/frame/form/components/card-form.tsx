import type { VNode } from 'preact'
import { AcceptedSchemes } from './accepted-schemes.tsx'
import { wordsOf } from '../form-state.ts'
import type { Form } from '../form-view.ts'
import type { Emit } from '../../page-channel.ts'
import { SubmitButton } from './submit-button.tsx'
import { TextField } from '../../field/text-field.tsx'
import { Title } from './title.tsx'

export interface CardFormProps {
  form: Form
  emit: Emit
  submit: () => void
}

/** The card form; a real form element, so that Enter submits and the browser's autofill knows what it sees. */
export function CardForm({ form, emit, submit }: CardFormProps): VNode {
  const fields = form.view.shown.value
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
      <AcceptedSchemes form={form} />
      {fields.map((field) => (
        <TextField key={field} form={form} emit={emit} field={field} last={field === fields.at(-1)} />
      ))}
      <p id="form-alert" class="alert" tabIndex={-1}>
        {form.view.alert.value}
      </p>
      <SubmitButton form={form} />
    </form>
  )
}
