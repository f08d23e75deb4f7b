import type { VNode } from 'preact'
import { Words } from '../../form/components/words.tsx'
import type { Form } from '../../form/form-view.ts'
import { checkoutWordsOf } from '../checkout-words.ts'
import { filled } from '../../language/translation.ts'
import type { CheckoutState, Screen } from '../checkout-state.ts'
import { resultWordsOf } from './result-words.ts'

interface ResultProps {
  state: CheckoutState
  form: Form
}

/** Replaces the form: the result of the payment, or what the person waits for. It can be focused. */
export function Result({ state, form }: ResultProps): VNode {
  const screen = state.screen.value
  const { title, text } = resultWordsOf(state, form)
  const reference = screen === 'paid' ? state.session.value?.reference : null
  return (
    <section
      id="result"
      class={`result ${screen}`}
      tabIndex={-1}
      aria-labelledby="result-title"
      aria-describedby="result-text"
    >
      <Icon screen={screen} />
      <h2 id="result-title">
        <Words text={title} />
      </h2>
      <p id="result-text">
        <Words text={text} />
      </p>
      {reference && (
        <p class="reference">
          <Words text={filled(checkoutWordsOf(form, 'reference'), 'reference', reference)} />
        </p>
      )}
    </section>
  )
}

const EXCLAMATION_MARK = 'M24 13v14m0 6v1'
const ICON_PATHS: Partial<Record<Screen, string>> = {
  paid: 'm14 25 7 7 13-15',
  expired: 'M24 14v11l7 4',
  closed: EXCLAMATION_MARK,
  perhaps_paid: EXCLAMATION_MARK,
  tried_out: EXCLAMATION_MARK,
}

function Icon({ screen }: { screen: Screen }): VNode {
  const path = ICON_PATHS[screen]
  if (path === undefined) return <span class="spinner" />
  return (
    <svg class="mark" viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d={path} pathLength="1" />
    </svg>
  )
}
