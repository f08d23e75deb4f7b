import { useId } from 'preact/hooks'
import type { TargetedInputEvent, VNode } from 'preact'
import { describedBy, FieldFrame } from './field-frame.tsx'
import type { FieldProps } from './field-frame.tsx'
import type { FormState } from './use-form.ts'

interface TextFieldProps<Name extends string> extends FieldProps {
  form: FormState<Name>
  name: Name
  /** As in HTML, such as `email`, `name` or `one-time-code`; absent: off. */
  autocomplete?: string
  /** Which keys a phone shows. */
  inputMode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url'
  /** Whether it is a day, as `2026-11-21`. */
  isDay?: boolean
  /** Lines of a text that may have several. */
  rows?: number
  /** Whether it holds a code, whose characters are all to be told apart. */
  isCode?: boolean
  /** Shown in front of the text, such as a currency. */
  prefix?: string
}

/** A field for a text. */
export function TextField<Name extends string>({
  form,
  name,
  autocomplete = 'off',
  inputMode,
  rows,
  isDay = false,
  isCode = false,
  prefix,
  ...frame
}: TextFieldProps<Name>): VNode {
  const id = useId()
  const fault = form.faults.value[name]
  const control = {
    ...describedBy(id, fault),
    name,
    autocomplete,
    spellcheck: rows !== undefined && !isCode,
    class: isCode ? 'control code' : 'control',
    value: form.values.value[name],
    ...(inputMode === undefined ? {} : { inputMode }),
  }
  const typed = {
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => form.set(name, event.currentTarget.value),
  }
  return (
    <FieldFrame id={id} fault={fault} {...frame}>
      {rows === undefined ? (
        <div class="control-row">
          {prefix !== undefined && <span class="prefix">{prefix}</span>}
          {isDay ? (
            <input {...control} {...typed} type="date" />
          ) : (
            <input {...control} {...typed} type="text" />
          )}
        </div>
      ) : (
        <textarea {...control} rows={rows} onInput={(event) => form.set(name, event.currentTarget.value)} />
      )}
    </FieldFrame>
  )
}
