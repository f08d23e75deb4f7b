import type { VNode } from 'preact'
import { CardForm } from './card-form.tsx'
import type { CardFormProps } from './card-form.tsx'

/** All that the frame shows: the form, or why there is none, and the one place a screen reader listens to. */
export function FramePage(props: CardFormProps): VNode {
  const closed = props.form.closed.value
  return (
    <>
      {closed === '' ? <CardForm {...props} /> : <p class="alert">{closed}</p>}
      <p class="unseen" role="status" aria-live="polite">
        {props.form.announcement.value}
      </p>
    </>
  )
}
