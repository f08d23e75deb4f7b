import type { VNode } from 'preact'
import type { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import { useFormats } from '../../../app-context.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Notices } from '../../../components/feedback/notices.tsx'
import { termsLine } from '../terms/terms-words.ts'
import { agreementDetailTexts, reasonTexts } from './texts.ts'

/** The notices of an agreement: what it waits for, and why its status has changed. */
export function AgreementNotices({ agreement }: { agreement: AgreementResource }): VNode {
  const { relative } = useFormats()
  const { status, debtor, response_required_by: until } = agreement
  return (
    <Notices>
      {status === 'created' && (
        <Notice tone="info">{agreementDetailTexts.waiting(debtor.name, relative(until))}</Notice>
      )}
      <PendingAmendment agreement={agreement} />
      {status === 'suspended' && (
        <Notice tone="warning">
          {agreement.suspended_by === 'debtor'
            ? agreementDetailTexts.suspendedByDebtor(debtor.name)
            : agreementDetailTexts.suspendedByCreditor}{' '}
          {reasonWords(agreement)}
        </Notice>
      )}
      {status === 'cancelled' && reasonWords(agreement) !== '' && (
        <Notice tone="info">{reasonWords(agreement)}</Notice>
      )}
    </Notices>
  )
}

function PendingAmendment({ agreement }: { agreement: AgreementResource }): VNode | null {
  const formats = useFormats()
  const { pending_amendment: pending, debtor } = agreement
  if (pending === null) return null
  const { payment_terms: terms, end_date: end, max_number_of_payments: max } = pending
  const words = [
    agreementDetailTexts.pending(debtor.name, formats.relative(pending.response_required_by)),
    terms && agreementDetailTexts.pendingTerms(termsLine(terms, agreement, formats)),
    end !== undefined && agreementDetailTexts.pendingEnd(formats.day(end)),
    max !== undefined && agreementDetailTexts.pendingMax(max),
  ]
  return <Notice tone="info">{words.filter(Boolean).join(' ')}</Notice>
}

function reasonWords({ reason_code: code, reason }: AgreementResource): string {
  const words = [code && reasonTexts[code], reason].filter(Boolean).join(': ')
  return words === '' ? '' : agreementDetailTexts.reason(words)
}
