import type { VNode } from 'preact'
import type { CheckoutResource } from '../../../contract/api/checkouts/checkout-resource.ts'
import { Badge } from '../../components/data/badge.tsx'
import { statusTexts } from './texts.ts'

const TONES = { active: 'info', completed: 'good', expired: 'calm', cancelled: 'calm' } as const

/** The state of a checkout. */
export function CheckoutStatus({ status }: Pick<CheckoutResource, 'status'>): VNode {
  return <Badge tone={TONES[status]}>{statusTexts[status]}</Badge>
}
