import type { ComponentChildren, VNode } from 'preact'
import { fieldBehaviour } from './field-behaviour.ts'
import type { FieldName } from './field-name.ts'
import { FIELD_TRAITS } from './field-traits.ts'
import type { FieldTraits } from './field-traits.ts'
import { shownWordsOf } from './form-faults.ts'
import { fieldsOf } from './form-fields.ts'
import { textIn } from './form-state.ts'
import type { FormState } from './form-state.ts'
import { codeHintOf, labelOf, placeholderOf, wordsOf } from './form-texts.ts'
import type { Emit } from './page-channel.ts'

/** The form itself takes no more digits than a card has. */
const NO_LIMIT = 100

interface TextFieldProps {
  form: FormState
  emit: Emit
  field: FieldName
  last: boolean
  /** What stands inside the box, beside the text. */
  children?: ComponentChildren
}

/** One input with its label and, below it, what is wrong with it in words, or a hint. */
export function TextField({ form, emit, field, last, children }: TextFieldProps): VNode {
  const { autocomplete, mode, half, words: capitals, longest } = FIELD_TRAITS[field]
  const words = shownWordsOf(form, field)
  const required = fieldsOf(form.settings.value).get(field) === true
  const note = `${field}-note`
  return (
    <div class={half === true ? 'field half' : 'field'}>
      <label for={field}>
        {labelOf(form, field)}
        {!required && <small> {wordsOf(form, 'optional')}</small>}
      </label>
      <div class="box">
        <input
          id={field}
          {...fieldBehaviour(form, field, emit)}
          {...typeOf(mode)}
          autocomplete={autocomplete}
          inputMode={mode ?? 'text'}
          enterkeyhint={last ? 'done' : 'next'}
          autoCapitalize={capitals === true ? 'words' : 'off'}
          spellcheck={false}
          maxLength={longest ?? NO_LIMIT}
          placeholder={placeholderOf(form, field)}
          value={textIn(form, field)}
          readOnly={form.phase.value === 'processing'}
          required={required}
          aria-invalid={words !== ''}
          aria-describedby={note}
        />
        {children}
      </div>
      <p id={note} class={words === '' ? 'hint' : 'fault'}>
        {words === '' && field === 'card_ccv' ? codeHintOf(form) : words}
      </p>
    </div>
  )
}

/** Digits of a card are no number: they have gaps, and arrows must not count them up. */
function typeOf(mode: FieldTraits['mode']) {
  if (mode === 'email') return { type: mode }
  return mode === 'tel' ? { type: mode } : { type: 'text' as const }
}
