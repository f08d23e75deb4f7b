import type { VNode } from 'preact'
import { ChainView } from '../../../contract/dashboard/audit.ts'
import { useFormats } from '../../app-context.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { auditTexts } from './texts.ts'

const texts = auditTexts.chain

/** Whether the audit log is as it was written, and how far that was checked. */
export function ChainNotice(): VNode {
  const chain = useResource('/api/events/chain', ChainView)
  return <Loaded of={chain}>{(state) => <ChainState state={state} />}</Loaded>
}

function ChainState({ state }: { state: ChainView }): VNode {
  const { number } = useFormats()
  const { is_intact, broken_at, verified_at, verified_length, length } = state
  if (!is_intact)
    return (
      <Notice tone="bad">
        <strong>{texts.broken}.</strong> {broken_at !== null && texts.brokenAt(number(broken_at))}
      </Notice>
    )
  if (verified_at === null) return <Notice tone="info">{texts.pending}</Notice>
  return (
    <Notice tone="good">
      <strong>{texts.intact}.</strong> {texts.verified(number(verified_length), number(length))},{' '}
      <Moment at={verified_at} as="relative" />.
    </Notice>
  )
}
