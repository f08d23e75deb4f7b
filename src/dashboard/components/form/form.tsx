import { useEffect, useRef } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'
import { Button } from '../actions/button.tsx'
import type { ButtonTone } from '../actions/button.tsx'
import { Notice } from '../feedback/notice.tsx'
import type { FormState } from './use-form.ts'
import './form.css'

interface FormProps<Name extends string> {
  form: FormState<Name>
  /** The words of the button that sends. */
  submit: string
  submitTone?: ButtonTone
  /** Other buttons beside it, such as one that cancels. */
  actions?: ComponentChildren
  /** The form's name for screen readers, where no heading says it. */
  label?: string
  children: ComponentChildren
}

/** A form with its button. When sending is refused, the first field with a fault, else the alert, gets the focus. */
export function Form<Name extends string>({
  form,
  submit,
  submitTone = 'primary',
  actions,
  label,
  children,
}: FormProps<Name>): VNode {
  const element = useRef<HTMLFormElement>(null)
  const refusals = form.refusals.value
  useEffect(() => {
    if (refusals === 0) return
    const find = (selector: string) => element.current?.querySelector<HTMLElement>(selector)
    const place = find('[aria-invalid=true]') ?? find('.form-alert')
    place?.focus()
  }, [refusals])
  return (
    <form
      ref={element}
      class="form"
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      {form.alert.value !== '' && (
        <div class="form-alert" tabIndex={-1}>
          <Notice tone="bad">{form.alert.value}</Notice>
        </div>
      )}
      {children}
      <div class="form-actions">
        <Button type="submit" tone={submitTone} isBusy={form.isSending.value}>
          {submit}
        </Button>
        {actions}
      </div>
    </form>
  )
}
