import { useId } from 'preact/hooks'
import type { VNode } from 'preact'
import { Checkbox } from '../../../components/form/checkbox.tsx'
import type { FormState } from '../../../components/form/use-form.ts'
import { optionWords } from './place-words.ts'

interface TicksFieldProps {
  form: FormState<string>
  options: readonly string[]
  path: string
  words: string
  hint: string | undefined
}

/** A choice of any among several. */
export function TicksField({ form, options, path, words, hint }: TicksFieldProps): VNode {
  const id = useId()
  const fault = form.faults.value[path]
  return (
    <fieldset class="schema-group" aria-describedby={`${id}-hint`}>
      <legend>{words}</legend>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
      <div class="schema-ticks">
        {options.map((option) => (
          <Checkbox key={option} form={form} name={`${path}.${option}`} label={optionWords(option)} />
        ))}
      </div>
      {fault !== undefined && <p class="fault">{fault}</p>}
    </fieldset>
  )
}
