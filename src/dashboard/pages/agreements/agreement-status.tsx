import type { VNode } from 'preact'
import type { AgreementResource } from '../../../contract/api/agreements/agreement-resource.ts'
import { Badge } from '../../components/data/badge.tsx'
import { statusTexts } from './texts.ts'

const TONES = {
  created: 'wait',
  active: 'good',
  suspended: 'wait',
  cancelled: 'calm',
  expired: 'calm',
} as const

/** The state of an agreement. */
export function AgreementStatus({ status }: Pick<AgreementResource, 'status'>): VNode {
  return <Badge tone={TONES[status]}>{statusTexts[status]}</Badge>
}
