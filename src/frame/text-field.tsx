import type { ComponentChildren, TargetedEvent, VNode } from 'preact'
import type { CardField } from './card-field.ts'
import { formFieldsOf } from './card-field.ts'
import { editField, leaveField, reopen } from './field-actions.ts'
import { shownWordsOf } from './form-faults.ts'
import type { FormState } from './form-state.ts'
import type { Emit } from './page-channel.ts'

interface TextFieldProps {
  form: FormState
  emit: Emit
  field: CardField
  label: string
  autocomplete: string
  numeric?: boolean
  last?: boolean
  placeholder?: string
  hint?: string
  children?: ComponentChildren
}

/** One input with its label and, below it, what is wrong with it in words, or a hint. */
export function TextField(props: TextFieldProps): VNode {
  const { form, field, label, hint = '', children } = props
  const words = shownWordsOf(form, field)
  const note = `${field}-note`
  return (
    <div class="field">
      <label for={field}>{label}</label>
      <div class="box">
        <input
          id={field}
          {...behaviourOf(props)}
          type="text"
          autocomplete={props.autocomplete}
          inputMode={props.numeric === true ? 'numeric' : 'text'}
          enterkeyhint={props.last === true ? 'done' : 'next'}
          autoCapitalize={field === 'card_name' ? 'words' : 'off'}
          spellcheck={false}
          placeholder={props.placeholder}
          value={form.typed[field].value}
          readOnly={form.phase.value === 'processing'}
          required
          aria-invalid={words !== ''}
          aria-describedby={note}
        />
        {children}
      </div>
      <p id={note} class={words === '' ? 'hint' : 'fault'}>
        {words === '' ? hint : words}
      </p>
    </div>
  )
}

function behaviourOf({ form, field, emit }: TextFieldProps) {
  const wireName = formFieldsOf([field])[0] ?? 'card_name'
  return {
    onInput: (event: TargetedEvent<HTMLInputElement, InputEvent>) => {
      if (!event.isComposing) takeEdit(form, field, event.currentTarget, event.inputType)
    },
    onCompositionEnd: (event: TargetedEvent<HTMLInputElement, CompositionEvent>) =>
      takeEdit(form, field, event.currentTarget, 'insertCompositionText'),
    onClick: () => reopen(form),
    onFocus: () => {
      reopen(form)
      emit({ event: 'focus', field: wireName })
    },
    onBlur: () => {
      leaveField(form, field)
      emit({ event: 'blur', field: wireName })
    },
  }
}

/** The caret is set only where it is: in another field, autofill would otherwise pull the focus there. */
function takeEdit(form: FormState, field: CardField, input: HTMLInputElement, inputType = ''): void {
  const { value } = input
  const shown = editField(form, field, { value, caret: input.selectionStart ?? value.length, inputType })
  if (value === shown.value) return
  input.value = shown.value
  if (input.ownerDocument.activeElement === input) input.setSelectionRange(shown.caret, shown.caret)
}
