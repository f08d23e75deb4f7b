import { useSignal } from '@preact/signals'
import type { TargetedInputEvent, VNode } from 'preact'
import { FieldFrame } from './field-frame.tsx'
import type { FieldProps } from './field-frame.tsx'
import { formTexts } from './texts.ts'
import { useField } from './use-field.ts'
import type { FormState } from './use-form.ts'

interface PasswordFieldProps<Name extends string> extends FieldProps {
  form: FormState<Name>
  name: Name
  /** Whether the password is a new one, for password managers. */
  isNew?: boolean
}

/** A field for a password, which can be shown. */
export function PasswordField<Name extends string>({
  form,
  name,
  isNew = false,
  ...frame
}: PasswordFieldProps<Name>): VNode {
  const { id, value, fault, set, bound } = useField(form, name)
  const isShown = useSignal(false)
  const control = {
    ...bound,
    class: 'control',
    autocomplete: isNew ? 'new-password' : 'current-password',
    autocapitalize: 'off',
    spellcheck: false,
    value,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => set(event.currentTarget.value),
  } as const
  return (
    <FieldFrame id={id} fault={fault} {...frame}>
      <div class="control-row">
        {isShown.value ? <input {...control} type="text" /> : <input {...control} type="password" />}
        <button
          type="button"
          class="show-password"
          aria-pressed={isShown.value}
          aria-label={formTexts.showPassword}
          onClick={() => (isShown.value = !isShown.value)}
        >
          {isShown.value ? formTexts.hide : formTexts.show}
        </button>
      </div>
    </FieldFrame>
  )
}
