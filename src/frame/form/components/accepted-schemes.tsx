import type { VNode } from 'preact'
import { schemeLabelOf } from '../../../card/scheme.ts'
import type { Form } from '../form-view.ts'
import { wordsOf } from '../form-state.ts'
import { SchemeIcon } from './scheme-icon.tsx'

/** The schemes that the merchant says it takes, as a row of small pictures; once a card is typed, those of others step back. */
export function AcceptedSchemes({ form }: { form: Form }): VNode | null {
  const { card_icons = [] } = form.settings.value
  const scheme = form.view.scheme.value
  if (card_icons.length === 0) return null
  return (
    <ul class="schemes" aria-label={wordsOf(form, 'accepted')}>
      {card_icons.map((name) => (
        <li key={name} class={scheme === null || scheme.name === name ? '' : 'other'}>
          <SchemeIcon name={name} label={schemeLabelOf(name)} />
        </li>
      ))}
    </ul>
  )
}
