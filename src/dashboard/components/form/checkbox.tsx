import { useId } from 'preact/hooks'
import type { VNode } from 'preact'
import type { FieldProps } from './field-frame.tsx'
import { TICKED } from './use-form.ts'
import type { FormState } from './use-form.ts'
import './form.css'

interface CheckboxProps<Name extends string> extends Omit<FieldProps, 'isOptional'> {
  form: FormState<Name>
  name: Name
}

/** A choice of yes or no. */
export function Checkbox<Name extends string>({ form, name, label, hint }: CheckboxProps<Name>): VNode {
  const id = useId()
  return (
    <div class="checkbox">
      <input
        id={id}
        type="checkbox"
        name={name}
        aria-describedby={`${id}-hint`}
        checked={form.values.value[name] === TICKED}
        onChange={(event) => form.set(name, event.currentTarget.checked ? TICKED : '')}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
