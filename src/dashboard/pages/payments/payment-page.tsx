import type { VNode } from 'preact'
import { AgreementPaymentResource } from '../../../contract/api/agreements/agreement-payment-resource.ts'
import { Link } from '../../components/actions/link.tsx'
import { Facts } from '../../components/data/facts.tsx'
import { IdText } from '../../components/data/id-text.tsx'
import { Notice } from '../../components/feedback/notice.tsx'
import { Notices } from '../../components/feedback/notices.tsx'
import { centsOf } from '../../formats/cents.ts'
import { Day } from '../../formats/day.tsx'
import { Moment } from '../../formats/moment.tsx'
import { Money } from '../../formats/money.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { Section } from '../../shell/section.tsx'
import { TitleWithState } from '../../shell/title-with-state.tsx'
import { useLiveReload } from '../../live/use-live.ts'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import type { PageProps } from '../../router/route.ts'
import { PaymentStatus } from './payment-status.tsx'
import { paymentTexts } from './texts.ts'

const { facts, states } = paymentTexts

const BACK = { href: '/payments', words: paymentTexts.back }

const TONES = {
  received: 'info',
  processing: 'info',
  settled: 'good',
  failed: 'bad',
  under_investigation: 'warning',
} as const

/** One payment of an agreement. */
export function PaymentPage({ id }: PageProps): VNode {
  const payment = useResource(`/payments/${encodeURIComponent(id)}`, AgreementPaymentResource)
  useLiveReload(
    (subject) => subject === id,
    () => void payment.reload(),
  )
  return (
    <>
      {payment.state.value.kind !== 'ready' && <PageHeader back={BACK} title={paymentTexts.title} />}
      <Loaded of={payment}>{(loaded) => <PaymentView payment={loaded} />}</Loaded>
    </>
  )
}

function PaymentView({ payment }: { payment: AgreementPaymentResource }): VNode {
  const { amount, currency, status, failure, agreement_id, due_on, settled_at } = payment
  return (
    <>
      <PageHeader
        back={BACK}
        title={
          <TitleWithState state={<PaymentStatus status={status} />}>
            <Money cents={centsOf(amount)} currency={currency} />
          </TitleWithState>
        }
      >
        {payment.reference}
      </PageHeader>
      <Notices>
        <Notice tone={TONES[status]}>{[failure?.message, states[status]].filter(Boolean).join(' ')}</Notice>
      </Notices>
      <Section title={paymentTexts.details}>
        <Facts
          facts={[
            [facts.reference, payment.reference],
            [facts.description, payment.description],
            [facts.agreement, <Link href={`/agreements/${agreement_id}`}>{paymentTexts.seeAgreement}</Link>],
            [facts.version, String(payment.agreement_version)],
            [facts.sent, due_on === null ? facts.server : facts.service],
            [facts.due, due_on && <Day day={due_on} />],
            [facts.created, <Moment at={payment.created_at} />],
            [facts.updated, <Moment at={payment.updated_at} />],
            [facts.settled, settled_at && <Moment at={settled_at} />],
            [facts.network, payment.network_reference && <code>{payment.network_reference}</code>],
            [facts.id, <IdText id={payment._id} label={paymentTexts.idLabel} />],
          ]}
        />
      </Section>
    </>
  )
}
