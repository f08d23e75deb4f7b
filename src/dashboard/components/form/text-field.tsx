import { useLayoutEffect, useRef } from 'preact/hooks'
import type { TargetedInputEvent, VNode } from 'preact'
import { FieldFrame } from './field-frame.tsx'
import type { FieldProps } from './field-frame.tsx'
import { useField } from './use-field.ts'
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
  /** Whether it gets the focus when it appears: the first field of a page that is only a form. */
  hasFocus?: boolean
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
  hasFocus = false,
  prefix,
  ...frame
}: TextFieldProps<Name>): VNode {
  const { id, value, fault, set, bound } = useField(form, name)
  const control = {
    ...bound,
    autocomplete,
    spellcheck: rows !== undefined && !isCode,
    class: isCode ? 'control code' : 'control',
    value,
    ...(inputMode === undefined ? {} : { inputMode }),
  }
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (hasFocus) input.current?.focus()
  }, [])
  const typed = {
    ref: input,
    onInput: (event: TargetedInputEvent<HTMLInputElement>) => set(event.currentTarget.value),
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
        <textarea {...control} rows={rows} onInput={(event) => set(event.currentTarget.value)} />
      )}
    </FieldFrame>
  )
}
