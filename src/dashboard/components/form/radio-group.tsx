import { useId } from 'preact/hooks'
import type { VNode } from 'preact'
import type { Option } from './select.tsx'
import type { FormState } from './use-form.ts'
import './form.css'

interface RadioGroupProps<Name extends string> {
  form: FormState<Name>
  name: Name
  label: string
  options: readonly (Option & { hint?: string | undefined })[]
}

/** A choice of one among a few that need a word of explanation. */
export function RadioGroup<Name extends string>({
  form,
  name,
  label,
  options,
}: RadioGroupProps<Name>): VNode {
  const id = useId()
  return (
    <fieldset class="radio-group">
      <legend>{label}</legend>
      {options.map(({ value, words, hint }) => (
        <div key={value} class="checkbox">
          <input
            id={`${id}-${value}`}
            type="radio"
            name={id}
            {...(hint !== undefined && { 'aria-describedby': `${id}-${value}-hint` })}
            checked={form.values.value[name] === value}
            onChange={() => form.set(name, value)}
          />
          <label for={`${id}-${value}`}>{words}</label>
          {hint !== undefined && (
            <p class="hint" id={`${id}-${value}-hint`}>
              {hint}
            </p>
          )}
        </div>
      ))}
    </fieldset>
  )
}
