import type { CheckoutWithJourney } from '../../../contract/api/checkouts/checkout-resource.ts'
import { Link } from '../../components/actions/link.tsx'
import type { BadgeTone } from '../../components/data/badge.tsx'
import type { TimeLineEntry } from '../../components/data/time-line.tsx'
import type { IconName } from '../../components/icon.tsx'
import { checkoutTexts, stepTexts } from './texts.ts'

type Step = CheckoutWithJourney['journey'][number]

const LOOKS: Readonly<Record<Step['step'], { tone: BadgeTone; icon: IconName }>> = {
  created: { tone: 'calm', icon: 'plus' },
  viewed: { tone: 'calm', icon: 'person' },
  payment_tried: { tone: 'info', icon: 'charges' },
  payment_failed: { tone: 'bad', icon: 'warning' },
  paid: { tone: 'good', icon: 'check' },
  expired: { tone: 'calm', icon: 'clock' },
  cancelled: { tone: 'calm', icon: 'close' },
}

/** A step of a checkout as an entry of its time line. */
export function journeyEntry({ step, at, charge_id, code }: Step, index: number): TimeLineEntry {
  return {
    key: String(index),
    at,
    ...LOOKS[step],
    title: stepTexts[step],
    content: (
      <>
        {code !== undefined && (
          <p>
            <code>{code}</code>
          </p>
        )}
        {charge_id !== undefined && <Link href={`/charges/${charge_id}`}>{checkoutTexts.one.charge}</Link>}
      </>
    ),
  }
}
