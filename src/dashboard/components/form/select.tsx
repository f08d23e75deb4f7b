import type { VNode } from 'preact'
import { FieldFrame } from './field-frame.tsx'
import type { FieldProps } from './field-frame.tsx'
import { useField } from './use-field.ts'
import type { FormState } from './use-form.ts'

/** A value and the words that stand for it. */
export interface Option {
  value: string
  words: string
}

interface SelectProps<Name extends string> extends FieldProps {
  form: FormState<Name>
  name: Name
  options: readonly Option[]
}

/** A choice of one among several. */
export function Select<Name extends string>({ form, name, options, ...frame }: SelectProps<Name>): VNode {
  const { id, value: chosen, fault, set, bound } = useField(form, name)
  return (
    <FieldFrame id={id} fault={fault} {...frame}>
      <select {...bound} class="control" value={chosen} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(({ value, words }) => (
          <option key={value} value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
