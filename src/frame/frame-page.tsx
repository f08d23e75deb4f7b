import type { VNode } from 'preact'
import { CardForm } from './form/components/card-form.tsx'
import type { CardFormProps } from './form/components/card-form.tsx'
import { wordsOf } from './form/form-state.ts'

/** All that the frame shows: the form, or that there is none, and the one place a screen reader listens to. */
export function FramePage(props: CardFormProps): VNode {
  const { form } = props
  return (
    <>
      {form.closed.value ? <p class="alert">{wordsOf(form, 'closed')}</p> : <CardForm {...props} />}
      <p class="unseen" role="status" aria-live="polite">
        {form.announcement.value}
      </p>
    </>
  )
}
