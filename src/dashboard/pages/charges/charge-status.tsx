import type { VNode } from 'preact'
import { Badge } from '../../components/data/badge.tsx'
import type { BadgeTone } from '../../components/data/badge.tsx'
import { chargeTexts, statusTexts } from './texts.ts'
import type { ChargeStatus } from './texts.ts'

const TONES: Readonly<Record<ChargeStatus, BadgeTone>> = {
  processing: 'wait',
  pre_authentication_pending: 'wait',
  pending: 'info',
  complete: 'good',
  cancelled: 'calm',
  failed: 'bad',
  not_authenticated: 'bad',
  refunded: 'calm',
}

interface ChargeStatusBadgeProps {
  status: ChargeStatus
  /** Whether some of what was captured went back. */
  isPartlyRefunded: boolean
  /** Whether the gateway has not said yet what became of the newest attempt. While the bank asks the card holder, that is known. */
  isOutcomeOpen: boolean
}

/** The state of a charge. */
export function ChargeStatusBadge({
  status,
  isPartlyRefunded,
  isOutcomeOpen,
}: ChargeStatusBadgeProps): VNode {
  if (isOutcomeOpen && status !== 'pre_authentication_pending')
    return <Badge tone="wait">{chargeTexts.unknown}</Badge>
  const isPartly = status === 'complete' && isPartlyRefunded
  return <Badge tone={TONES[status]}>{isPartly ? chargeTexts.partlyRefunded : statusTexts[status]}</Badge>
}
