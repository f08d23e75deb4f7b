import type { VNode } from 'preact'
import { schemeLabelOf } from '../card/scheme.ts'
import type { Scheme } from '../card/scheme.ts'
import type { FormState } from './form-state.ts'
import { wordsOf } from './form-texts.ts'
import { SchemeIcon } from './scheme-icon.tsx'

interface AcceptedSchemesProps {
  form: FormState
  /** Scheme of the card that is typed: the others step back. */
  scheme: Scheme | null
}

/** The schemes that the merchant says it takes, as a row of small pictures. */
export function AcceptedSchemes({ form, scheme }: AcceptedSchemesProps): VNode | null {
  const { card_icons = [] } = form.settings.value
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
