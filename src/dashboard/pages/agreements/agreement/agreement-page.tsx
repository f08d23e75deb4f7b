import type { VNode } from 'preact'
import { AgreementResource } from '../../../../contract/api/agreements/agreement-resource.ts'
import { useFormats } from '../../../app-context.ts'
import { TimeLine } from '../../../components/data/time-line.tsx'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Section } from '../../../shell/section.tsx'
import { TitleWithState } from '../../../shell/title-with-state.tsx'
import { TwoColumns } from '../../../shell/two-columns.tsx'
import { useLiveReload } from '../../../live/use-live.ts'
import { Loaded } from '../../../loading/loaded.tsx'
import { useResource } from '../../../loading/use-resource.ts'
import type { PageProps } from '../../../router/route.ts'
import { usePermits } from '../../../session/use-view.ts'
import { AgreementStatus } from '../agreement-status.tsx'
import { termsLine } from '../terms/terms-words.ts'
import { AgreementActions } from './agreement-actions.tsx'
import { AgreementFacts, TermsSection } from './agreement-facts.tsx'
import { AgreementNotices } from './agreement-notices.tsx'
import { historyEntry } from './history-entry.tsx'
import { PaymentsSection, usePayments } from './payments-section.tsx'
import { agreementDetailTexts } from './texts.ts'

const BACK = { href: '/agreements', words: agreementDetailTexts.back }

/** One agreement: its terms, its payments, its history, and what can be done with it. */
export function AgreementPage({ id }: PageProps): VNode {
  const agreement = useResource(`/agreements/${encodeURIComponent(id)}`, AgreementResource)
  useLiveReload(
    (subject) => subject === id,
    () => void agreement.reload(),
  )
  return (
    <>
      {agreement.state.value.kind !== 'ready' && (
        <PageHeader back={BACK} title={agreementDetailTexts.title} />
      )}
      <Loaded of={agreement}>
        {(loaded, { etag }) => (
          <AgreementView agreement={loaded} etag={etag} reload={() => void agreement.reload()} />
        )}
      </Loaded>
    </>
  )
}

interface AgreementViewProps {
  agreement: AgreementResource
  /** The tag of the agreement as it is shown: a change applies to what the person sees, or is refused. */
  etag: string | null
  reload: () => void
}

function AgreementView({ agreement, etag, reload }: AgreementViewProps): VNode {
  const change = usePermits()('change')
  const formats = useFormats()
  const payments = usePayments(agreement._id)
  const changed = () => {
    reload()
    void payments.list.reload()
  }
  return (
    <>
      <PageHeader
        back={BACK}
        title={
          <TitleWithState state={<AgreementStatus status={agreement.status} />}>
            {agreement.description}
          </TitleWithState>
        }
        actions={change && <AgreementActions agreement={agreement} etag={etag} changed={changed} />}
      >
        {agreement.debtor.name} · {termsLine(agreement.payment_terms, agreement, formats)}
      </PageHeader>
      <AgreementNotices agreement={agreement} />
      <TwoColumns
        main={
          <>
            <TermsSection agreement={agreement} />
            <PaymentsSection agreementId={agreement._id} payments={payments} />
            <History agreement={agreement} />
          </>
        }
        aside={<AgreementFacts agreement={agreement} />}
      />
    </>
  )
}

function History({ agreement: { history = [] } }: { agreement: AgreementResource }): VNode {
  return (
    <Section title={agreementDetailTexts.history}>
      <TimeLine label={agreementDetailTexts.history} entries={history.map(historyEntry).reverse()} />
    </Section>
  )
}
