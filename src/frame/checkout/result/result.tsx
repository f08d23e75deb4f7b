import type { VNode } from 'preact'
import type { Form } from '../../form/form-view.ts'
import { checkoutWordsOf } from '../checkout-words.ts'
import { filled } from '../../language/translation.ts'
import type { CheckoutState, Scene } from '../checkout-state.ts'
import { resultWordsOf } from './result-words.ts'

interface ResultProps {
  state: CheckoutState
  form: Form
  retry: () => void
}

/** What stands in the place of the form: how the payment ended, or what is being waited for. It can take the focus. */
export function Result({ state, form, retry }: ResultProps): VNode {
  const scene = state.scene.value
  const { title, text } = resultWordsOf(state, form)
  const reference = scene === 'paid' ? state.session.value?.reference : null
  return (
    <section id="result" class={`result ${scene}`} tabIndex={-1} aria-labelledby="result-title">
      <Mark scene={scene} />
      <h2 id="result-title">{title}</h2>
      <p>{text}</p>
      {reference && (
        <p class="reference">{filled(checkoutWordsOf(form, 'reference'), 'reference', reference)}</p>
      )}
      {scene === 'unreachable' && (
        <button type="button" onClick={retry}>
          {checkoutWordsOf(form, 'try_again')}
        </button>
      )}
    </section>
  )
}

const DRAWINGS: Partial<Record<Scene, string>> = {
  paid: 'm14 25 7 7 13-15',
  expired: 'M24 14v11l7 4',
  closed: 'M24 13v14m0 6v1',
}

function Mark({ scene }: { scene: Scene }): VNode {
  const drawing = DRAWINGS[scene]
  if (drawing === undefined) return <span class="spinner" />
  return (
    <svg class="mark" viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="22" />
      <path d={drawing} pathLength="1" />
    </svg>
  )
}
