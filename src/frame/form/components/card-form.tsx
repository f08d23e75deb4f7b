import { h } from 'preact'
import type { VNode } from 'preact'
import { wordsOf } from '../form-state.ts'
import type { Form } from '../form-view.ts'
import type { Emit } from '../../page-channel.ts'
import { SubmitButton } from './submit-button.tsx'
import { TextField } from '../../field/text-field.tsx'
import { Words } from './words.tsx'

export interface CardFormProps {
  form: Form
  emit: Emit
  submit: () => void
  /** What is shown when there is nothing to type; absent or null: the fields. */
  inPlaceOfFields?: VNode | null
}

/** The card form. It is a form element, so that Enter submits and the browser's autofill works. One that belongs to no page says so in its place. */
export function CardForm({ form, emit, submit, inPlaceOfFields = null }: CardFormProps): VNode {
  if (form.isAbandoned.value) {
    return (
      <p class="alert">
        <Words text={wordsOf(form, 'no_page')} />
      </p>
    )
  }
  const fields = form.view.shown.value
  return (
    <form
      autocomplete="on"
      noValidate
      aria-label={wordsOf(form, 'title')}
      aria-busy={form.view.processing.value}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Title form={form} />
      {inPlaceOfFields ??
        fields.map((field) => (
          <TextField key={field} form={form} emit={emit} field={field} last={field === fields.at(-1)} />
        ))}
      <p id="form-alert" class="alert" tabIndex={-1}>
        <AlertLines text={form.view.alert.value} />
      </p>
      <SubmitButton form={form} />
    </form>
  )
}

/** The text of an alert; the first of several lines is its title. */
function AlertLines({ text }: { text: string }): VNode {
  const [title, ...lines] = text.split('\n')
  return lines.length === 0 ? (
    <Words text={title} />
  ) : (
    <>
      <b>
        <Words text={title} />
      </b>
      <Words text={`\n${lines.join('\n')}`} />
    </>
  )
}

const LEVELS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

/** The merchant's title, headings and description, if they are set. */
function Title({ form }: { form: Form }): VNode {
  const { texts = {} } = form.settings.value
  return (
    <>
      {texts.title && (
        <h2 class="title">
          <Words text={texts.title} />
        </h2>
      )}
      {LEVELS.map(
        (level) =>
          texts[`title_${level}`] && h(level, { key: level }, <Words text={texts[`title_${level}`]} />),
      )}
      {texts.title_description && (
        <p class="description">
          <Words text={texts.title_description} />
        </p>
      )}
    </>
  )
}
