import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import type { BadgeTone } from '../../../components/data/badge.tsx'
import type { TimeLineEntry } from '../../../components/data/time-line.tsx'
import type { IconName } from '../../../components/icon.tsx'
import { changeTexts, partyTexts, reasonTexts } from './texts.ts'

type Entry = NonNullable<AgreementResource['history']>[number]

const LOOKS: Readonly<Record<Entry['type'], { tone: BadgeTone; icon: IconName }>> = {
  created: { tone: 'calm', icon: 'plus' },
  accepted: { tone: 'good', icon: 'check' },
  declined: { tone: 'bad', icon: 'close' },
  lapsed: { tone: 'bad', icon: 'clock' },
  amended: { tone: 'info', icon: 'check' },
  amendment_requested: { tone: 'wait', icon: 'clock' },
  amendment_declined: { tone: 'bad', icon: 'close' },
  amendment_lapsed: { tone: 'bad', icon: 'clock' },
  suspended: { tone: 'wait', icon: 'dash' },
  released: { tone: 'good', icon: 'check' },
  cancelled: { tone: 'calm', icon: 'close' },
  expired: { tone: 'calm', icon: 'clock' },
  collection_skipped: { tone: 'wait', icon: 'dash' },
}

/** An entry of an agreement's history, for the time line. */
export function historyEntry({ type, by, at, reason_code, reason }: Entry, index: number): TimeLineEntry {
  const why = [reason_code && reasonTexts[reason_code], reason].filter(Boolean).join(': ')
  return {
    key: String(index),
    at,
    ...LOOKS[type],
    title: changeTexts[type],
    content: <p class="soft">{[partyTexts[by], why].filter(Boolean).join(' · ')}</p>,
  }
}
