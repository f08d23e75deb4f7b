import { h } from 'preact'
import type { VNode } from 'preact'
import { LINE_FIELDS } from '../../../contract/page/fields/form-fields.ts'
import type { FieldName } from '../../../contract/page/fields/field-name.ts'
import { wordsOf } from '../form-state.ts'
import { boxLabelOf } from '../form-texts.ts'
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
      {inPlaceOfFields ?? <Fields form={form} emit={emit} />}
      <p id="form-alert" class="alert" tabIndex={-1}>
        <AlertLines text={form.view.alert.value} />
      </p>
      <SubmitButton form={form} />
    </form>
  )
}

type FieldsProps = Pick<CardFormProps, 'form' | 'emit'>

/** The inputs, each under its label; in the layout `line` those of the card in one box. */
function Fields({ form, emit }: FieldsProps): VNode {
  const fields = form.view.shown.value
  const inputOf = (field: FieldName) => (
    <TextField key={field} form={form} emit={emit} field={field} last={field === fields.at(-1)} />
  )
  const others = (start: number, end?: number) => fields.slice(start, end).map(inputOf)
  if (!form.view.isLine.value) return <>{others(0)}</>
  const at = fields.indexOf('card_number')
  const end = at + LINE_FIELDS.length
  return (
    <>
      {others(0, at)}
      <div class="line" role="group" aria-labelledby="line-label">
        <BoxLabel form={form} />
        {others(at, end)}
      </div>
      {others(end)}
    </>
  )
}

/** Rendered apart, so that other settings than its own render no input again. */
function BoxLabel({ form }: Pick<CardFormProps, 'form'>): VNode {
  return (
    <span class="label" id="line-label">
      <Words text={boxLabelOf(form)} />
    </span>
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
