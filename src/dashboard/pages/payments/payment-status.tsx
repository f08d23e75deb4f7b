import type { VNode } from 'preact'
import type { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import { Badge } from '../../components/data/badge.tsx'
import { statusTexts } from './texts.ts'

const TONES = {
  received: 'info',
  processing: 'wait',
  settled: 'good',
  failed: 'bad',
  under_investigation: 'wait',
} as const

/** The state of a payment. */
export function PaymentStatus({ status }: Pick<AgreementPaymentResource, 'status'>): VNode {
  return <Badge tone={TONES[status]}>{statusTexts[status]}</Badge>
}
