import { useComputed } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { FormState } from './use-form.ts'

/** One field of a form, for the control that shows it. It is rendered again only when this field changes. */
export interface FieldState {
  id: string
  value: string
  fault: string | undefined
  set: (text: string) => void
  /** Attributes that bind the control to its label, hint and fault. */
  bound: { id: string; name: string; 'aria-describedby': string; 'aria-invalid': boolean }
}

/** The state of a form's field, in a component of its own. */
export function useField<Name extends string>(form: FormState<Name>, name: Name): FieldState {
  const id = useId()
  const value = useComputed(() => form.values.value[name]).value
  const fault = useComputed(() => form.faults.value[name]).value
  const set = (text: string) => form.set(name, text)
  const bound = {
    id,
    name,
    'aria-describedby': `${id}-hint ${id}-fault`,
    'aria-invalid': fault !== undefined,
  }
  return { id, value, fault, set, bound }
}
