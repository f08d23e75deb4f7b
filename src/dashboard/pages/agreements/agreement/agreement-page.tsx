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
import { termsLine, termsWords } from '../terms/terms-words.ts'
import { useSignal } from '@preact/signals'
import { Button } from '../../../components/actions/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { agreementActTexts } from './act-texts.ts'
import { AmendDialog } from './amending/amend-dialog.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { StatusDialog } from './status-dialog.tsx'
import { useAgreementActs } from './use-agreement-acts.ts'
import { Facts } from '../../../components/data/facts.tsx'
import { IdText } from '../../../components/data/id-text.tsx'
import { Day } from '../../../formats/day.tsx'
import { Moment } from '../../../formats/moment.tsx'
import { typeTexts } from '../texts.ts'
import { agreementDetailTexts, reasonTexts } from './texts.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Notices } from '../../../components/feedback/notices.tsx'
import { historyEntry } from './history-entry.tsx'
import { PaymentsSection, usePayments } from './payments-section.tsx'

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

interface AgreementActionsProps {
  agreement: AgreementResource
  /** Of the agreement as it is shown. */
  etag: string | null
  /** Called after each request. */
  changed: () => void
}

type Act = 'pay' | 'amend' | 'suspend' | 'release' | 'cancel'

/** What can be done with an agreement as it stands, each behind a dialog that says what will happen. */
function AgreementActions({ agreement, etag, changed }: AgreementActionsProps): VNode {
  const acts = useAgreementActs({ agreement, etag, changed })
  const open = useSignal<Act | null>(null)
  const close = () => (open.value = null)
  const dialog = { agreement, acts, close }
  return (
    <>
      {actsOf(agreement).map((act) => (
        <Button key={act} tone={act === 'pay' ? 'primary' : 'plain'} onClick={() => (open.value = act)}>
          {agreementActTexts[act].button}
        </Button>
      ))}
      {open.value === 'pay' && <PaymentDialog {...dialog} />}
      {open.value === 'amend' && <AmendDialog {...dialog} />}
      {(open.value === 'suspend' || open.value === 'cancel') && (
        <StatusDialog {...dialog} action={open.value} />
      )}
      {open.value === 'release' && (
        <ConfirmDialog
          title={agreementActTexts.release.title}
          confirm={agreementActTexts.release.button}
          tone="primary"
          act={() => acts.changeStatus({ action: 'release' }, agreementActTexts.release.done)}
          close={close}
        >
          <p>{agreementActTexts.release.words}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** What an agreement allows its creditor (contract §6.4); what the debtor has suspended, it releases itself. */
function actsOf({ status, suspended_by }: AgreementResource): readonly Act[] {
  switch (status) {
    case 'created':
      return ['cancel', 'amend']
    case 'active':
      return ['cancel', 'suspend', 'amend', 'pay']
    case 'suspended':
      return suspended_by === 'creditor' ? ['cancel', 'amend', 'release'] : ['cancel', 'amend']
    case 'cancelled':
    case 'expired':
      return []
  }
}

const { fields } = agreementDetailTexts

interface AgreementProps {
  agreement: AgreementResource
}

/** What the payer has agreed to, in words. */
function TermsSection({ agreement }: AgreementProps): VNode {
  const words = termsWords(agreement.payment_terms, agreement, useFormats())
  const { end_date, next_collection_date: next } = agreement
  return (
    <Section title={agreementDetailTexts.terms}>
      <Facts
        facts={[
          [fields.amount, words.amount],
          [fields.often, words.often],
          [fields.who, words.who],
          [fields.first, words.first],
          [fields.last, words.last],
          [fields.start, <Day day={agreement.start_date} />],
          [fields.end, end_date === null ? agreementDetailTexts.noEnd : <Day day={end_date} />],
          [fields.next, next && <Day day={next} />],
        ]}
      />
    </Section>
  )
}

/** Everything else that is known of an agreement. */
function AgreementFacts({ agreement }: AgreementProps): VNode {
  const { debtor, creditor, metadata } = agreement
  const names = Object.entries(metadata)
  return (
    <>
      <Section title={agreementDetailTexts.details}>
        <Facts
          facts={[
            [fields.payer, payerOf(debtor)],
            [fields.payerAccount, debtor.account ? accountOf(debtor.account) : debtor.pay_id?.value],
            [fields.creditor, creditor.name],
            [fields.creditorAccount, accountOf(creditor.account)],
            [fields.type, typeTexts[agreement.type]],
            [fields.purpose, agreement.purpose.replaceAll('_', ' ')],
            [fields.short, agreement.short_description],
            [fields.reference, agreement.reference],
            [fields.version, String(agreement.version)],
            [fields.created, <Moment at={agreement.created_at} />],
            [fields.updated, <Moment at={agreement.updated_at} />],
            [fields.answer, agreement.status === 'created' && <Moment at={agreement.response_required_by} />],
            [fields.id, <IdText id={agreement._id} label={agreementDetailTexts.idLabel} />],
          ]}
        />
      </Section>
      {names.length > 0 && (
        <Section title={agreementDetailTexts.metadata}>
          <Facts facts={names} />
        </Section>
      )}
    </>
  )
}

function payerOf({ name, type }: AgreementResource['debtor']): string {
  return type === 'organisation' ? `${name} (${agreementDetailTexts.organisation})` : name
}

function accountOf({ bsb, account_number }: { bsb: string; account_number: string }): string {
  return `${bsb} ${account_number}`
}

/** The notices of an agreement: what it waits for, and why its status has changed. */
function AgreementNotices({ agreement }: { agreement: AgreementResource }): VNode {
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
