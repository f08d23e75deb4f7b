import type { VNode } from 'preact'
import { schemeName } from './scheme-names.ts'
import './card-name.css'

interface CardNameProps {
  scheme: string
  last4: string
}

/** A card by its scheme and last four digits. */
export function CardName({ scheme, last4 }: CardNameProps): VNode {
  return (
    <span class="card-name">
      {schemeName(scheme)}{' '}
      <span class="card-digits">
        <span aria-hidden="true">•••• </span>
        {last4}
      </span>
    </span>
  )
}
