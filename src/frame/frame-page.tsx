import type { VNode } from 'preact'
import { CardForm } from './form/components/card-form.tsx'
import type { CardFormProps } from './form/components/card-form.tsx'
import { Received } from './form/components/received-card.tsx'
import { LiveRegion } from './form/components/live-region.tsx'
import { Words } from './form/components/words.tsx'
import { wordsOf } from './form/form-state.ts'

interface FramePageProps extends CardFormProps {
  /** Moves the focus to the form's first field. */
  focusForm: () => void
}

/** The content of the frame: the form or a message that none is available, and the live region for screen readers. */
export function FramePage({ focusForm, ...props }: FramePageProps): VNode {
  const { form } = props
  const card = form.received.value
  const received = card && <Received form={form} card={card} focusForm={focusForm} />
  return (
    <>
      {form.unavailable.value ? (
        <p class="alert">
          <Words text={wordsOf(form, 'closed')} />
        </p>
      ) : (
        <CardForm {...props} inPlaceOfFields={received} />
      )}
      <LiveRegion form={form} />
    </>
  )
}
