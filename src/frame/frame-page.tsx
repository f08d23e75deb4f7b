import type { VNode } from 'preact'
import { CardForm } from './form/components/card-form.tsx'
import type { CardFormProps } from './form/components/card-form.tsx'
import { LiveRegion } from './form/components/live-region.tsx'
import { wordsOf } from './form/form-state.ts'

/** The content of the frame: the form or a message that none is available, and the live region for screen readers. */
export function FramePage(props: CardFormProps): VNode {
  const { form } = props
  return (
    <>
      {form.unavailable.value ? <p class="alert">{wordsOf(form, 'closed')}</p> : <CardForm {...props} />}
      <LiveRegion form={form} />
    </>
  )
}
