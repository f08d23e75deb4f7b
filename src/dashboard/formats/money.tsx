import type { VNode } from 'preact'
import { useFormats } from '../app-context.ts'

interface MoneyProps {
  /** Integer cents. */
  cents: number
  currency: string
}

/** An amount of money. */
export function Money({ cents, currency }: MoneyProps): VNode {
  return <bdi class="money">{useFormats().money(cents, currency)}</bdi>
}
