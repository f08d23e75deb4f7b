import type { VNode } from 'preact'
import { reopen } from '../empty-form.ts'
import { wordsOf } from '../form-state.ts'
import type { ReceivedCard } from '../form-state.ts'
import { receivedWordsOf } from '../form-texts.ts'
import type { Form } from '../form-view.ts'
import { SchemeIcon } from './scheme-icon.tsx'
import { isSubmitHidden, Tick } from './submit-button.tsx'
import { Words } from './words.tsx'

interface ReceivedProps {
  form: Form
  card: ReceivedCard
  /** Moves the focus to the form's first field. */
  focusForm: () => void
}

/** Stands in the place of the fields once the page has used the token: which card was received, and how to type another one. */
export function Received({ form, card, focusForm }: ReceivedProps): VNode {
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
