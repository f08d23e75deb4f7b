import type { VNode } from 'preact'
import { CardForm } from './form/components/card-form.tsx'
import type { CardFormProps } from './form/components/card-form.tsx'
import { reopen } from './form/empty-form.ts'
import { wordsOf } from './form/form-state.ts'
import type { ReceivedCard } from './form/form-state.ts'
import { receivedWordsOf } from './form/form-texts.ts'
import type { Form } from './form/form-view.ts'
import { SchemeIcon } from './form/components/scheme-icon.tsx'
import { isSubmitHidden, Tick } from './form/components/submit-button.tsx'
import { Words } from './form/components/words.tsx'
import { LiveRegion } from './form/components/live-region.tsx'

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

interface ReceivedProps {
  form: Form
  card: ReceivedCard
  /** Moves the focus to the form's first field. */
  focusForm: () => void
}

/** Stands in the place of the fields once the page has used the token: which card was received, and how to type another one. */
function Received({ form, card, focusForm }: ReceivedProps): VNode {
  const [done, words] = receivedWordsOf(form, card)
  return (
    <div id="received" class="received" role="group" tabIndex={-1} aria-label={`${done}. ${words}`}>
      {isSubmitHidden(form) && (
        <p class="done">
          <Tick />
          <Words text={done} />
        </p>
      )}
      <span class="icon" aria-hidden="true">
        <SchemeIcon name={card.icon} label={card.label} />
      </span>
      <p>
        <bdi aria-hidden="true">
          {card.label} <span class="digits">•••• {card.lastFour}</span>
        </bdi>
        <span class="unseen">
          <Words text={words} />
        </span>
      </p>
      <button
        type="button"
        class="link"
        onClick={() => {
          reopen(form)
          focusForm()
        }}
      >
        <Words text={wordsOf(form, 'other_card')} />
      </button>
    </div>
  )
}
