import { useEffect, useRef } from 'preact/hooks'
import type { VNode } from 'preact'
import { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { DisputeResource } from '../../../../contract/api/disputes/dispute-resource.ts'
import type { EarlierAnswerResource } from '../../../../contract/api/disputes/dispute-resource.ts'
import { useApp, useFormats } from '../../../app-context.ts'
import { Link } from '../../../components/actions/link.tsx'
import type { BadgeTone } from '../../../components/data/badge.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import { IdText } from '../../../components/data/id-text.tsx'
import { TimeLine } from '../../../components/data/time-line.tsx'
import type { TimeLineEntry } from '../../../components/data/time-line.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Notices } from '../../../components/feedback/notices.tsx'
import type { IconName } from '../../../components/icon.tsx'
import { centsOf } from '../../../formats/cents.ts'
import { Moment } from '../../../formats/moment.tsx'
import { Money } from '../../../formats/money.tsx'
import { Loaded } from '../../../loading/loaded.tsx'
import { useResource } from '../../../loading/use-resource.ts'
import { useLiveReload } from '../../../live/use-live.ts'
import type { PageProps } from '../../../router/route.ts'
import { usePermits } from '../../../session/use-view.ts'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Section } from '../../../shell/section.tsx'
import { TitleWithState } from '../../../shell/title-with-state.tsx'
import { TwoColumns } from '../../../shell/two-columns.tsx'
import { CardName } from '../../charges/card-name.tsx'
import { Deadline, DisputeStatusBadge, standingOf } from '../dispute-status.tsx'
import type { Standing } from '../dispute-status.tsx'
import { categoryTexts, gatewayName, stageTexts } from '../texts.ts'
import { AnswerSection } from './answer-section.tsx'
import { EvidenceFile } from './evidence.tsx'
import { answerTexts, changeTexts, claimTexts, disputeDetailTexts, noticeTexts } from './texts.ts'
import './dispute.css'

const BACK = { href: '/disputes', words: disputeDetailTexts.back }

/** One dispute: what is claimed, until when and how it can be answered, and what happened. */
export function DisputePage({ id }: PageProps): VNode {
  const dispute = useResource(`/v1/disputes/${encodeURIComponent(id)}`, DisputeResource)
  useLiveReload(
    (subject) => subject === id,
    () => void dispute.reload(),
  )
  return (
    <>
      {dispute.state.value.kind !== 'ready' && <PageHeader back={BACK} title={disputeDetailTexts.title} />}
      <Loaded of={dispute}>
        {(loaded) => <DisputeView dispute={loaded} replace={dispute.replace} reload={dispute.reload} />}
      </Loaded>
    </>
  )
}

interface DisputeViewProps {
  dispute: DisputeResource
  replace: (dispute: DisputeResource) => void
  reload: () => Promise<void>
}

function DisputeView(props: DisputeViewProps): VNode {
  const { dispute } = props
  const mayAnswer = usePermits()('change')
  const standing = standingOf(dispute, useApp().browser.now())
  useFocusKept(standing)
  return (
    <>
      <PageHeader
        back={BACK}
        title={
          <TitleWithState state={<DisputeStatusBadge dispute={dispute} />}>
            <Money cents={centsOf(dispute.amount)} currency={dispute.currency} />
          </TitleWithState>
        }
      >
        {categoryTexts[dispute.reason.category]}
      </PageHeader>
      <DisputeNotices dispute={dispute} standing={standing} />
      <TwoColumns
        main={
          <>
            <Story dispute={dispute} standing={standing} />
            <GivenBefore dispute={dispute} />
            {standing === 'open' && mayAnswer && <AnswerSection {...props} />}
            {standing !== 'open' && <Given dispute={dispute} />}
            <Section title={disputeDetailTexts.history} description={disputeDetailTexts.historyWords}>
              <TimeLine
                label={disputeDetailTexts.history}
                entries={dispute.history.map(historyEntry).reverse()}
              />
            </Section>
          </>
        }
        aside={
          <>
            <DisputeFacts dispute={dispute} />
            <ChargeSection id={dispute.charge_id} />
          </>
        }
      />
    </>
  )
}

/** An answer takes its form away, and the focus with it: then the title of the page gets it. */
function useFocusKept(standing: Standing): void {
  const { document } = useApp().browser
  const before = useRef(standing)
  useEffect(() => {
    const hasChanged = before.current !== standing
    before.current = standing
    if (hasChanged && document.activeElement === document.body)
      document.querySelector<HTMLElement>('main h1')?.focus()
  }, [standing])
}

interface StandingProps {
  dispute: DisputeResource
  standing: Standing
}

const NOTICE_TONES = {
  open: 'warning',
  elsewhere: 'warning',
  over: 'warning',
  sending: 'info',
  under_review: 'info',
  won: 'good',
  lost: 'info',
  accepted: 'info',
} as const satisfies Record<Standing, string>

/** What is to be done, or how it has ended. */
function DisputeNotices({ dispute, standing }: StandingProps): VNode {
  const may = usePermits()
  const words = useStandingWords(dispute, standing)
  const { answer } = dispute
  return (
    <Notices>
      {standing === 'open' && answer?.state === 'refused' && (
        <Notice tone="bad">
          {noticeTexts.refused(answer.message ?? '')} {noticeTexts.refusedNext}
        </Notice>
      )}
      <Notice tone={NOTICE_TONES[standing]}>
        {words} {standing === 'open' && !may('change') && noticeTexts.mayOnlyRead}
      </Notice>
    </Notices>
  )
}

/** What the words on a dispute's standing say of it. */
interface StandingFacts {
  dispute: DisputeResource
  /** What is disputed, in words. */
  amount: string
  /** The deadline, in words; null where none is known. */
  due: { at: string; when: string } | null
}

const STANDING_WORDS: Readonly<Record<Standing, (facts: StandingFacts) => string>> = {
  open({ dispute: { stage }, amount, due }) {
    if (due === null) return noticeTexts.openUntold(amount)
    return stage === 'inquiry'
      ? noticeTexts.openInquiry(due.at, due.when)
      : noticeTexts.open(amount, due.at, due.when)
  },
  sending: ({ dispute: { answer } }) =>
    answer?.action === 'accept' ? noticeTexts.sendingAccept : noticeTexts.sendingDefence,
  over: ({ due }) => noticeTexts.over(due?.at ?? ''),
  elsewhere({ dispute: { gateway_type: gateway, external_id: id }, due }) {
    const where = noticeTexts.elsewhere(gatewayName(gateway), id)
    return due === null ? where : `${where} ${noticeTexts.elsewhereBy(due.at, due.when)}`
  },
  under_review: ({ dispute: { answer } }) =>
    answer === null ? noticeTexts.reviewElsewhere : noticeTexts.review,
  won: ({ dispute: { funds_withdrawn: isWithdrawn }, amount }) =>
    isWithdrawn ? noticeTexts.wonPending(amount) : noticeTexts.won(amount),
  lost: ({ dispute: { stage }, amount }) =>
    stage === 'inquiry' ? noticeTexts.lostInquiry : noticeTexts.lost(amount),
  accepted: ({ amount }) => noticeTexts.accepted(amount),
}

function useStandingWords(dispute: DisputeResource, standing: Standing): string {
  const { money, dateTime, relativeDay } = useFormats()
  const { amount, currency, respond_by: by } = dispute
  return STANDING_WORDS[standing]({
    dispute,
    amount: money(centsOf(amount), currency),
    due: by === null ? null : { at: dateTime(by), when: relativeDay(by) },
  })
}

/** What the card holder claims, what is at stake, and what would convince the bank. */
function Story({ dispute, standing }: StandingProps): VNode {
  const { claim, proof } = claimTexts[dispute.reason.category]
  const isAnswerable = standing === 'open' || standing === 'elsewhere'
  return (
    <Section title={disputeDetailTexts.happened}>
      <div class="story">
        <p>{claim}</p>
        {isAnswerable && <p>{useStake(dispute)}</p>}
        {isAnswerable && proof !== null && (
          <p>
            <b>{disputeDetailTexts.proof}</b>
            {proof}
          </p>
        )}
      </div>
    </Section>
  )
}

function useStake({ stage, amount, currency, funds_withdrawn: isWithdrawn }: DisputeResource): string {
  const money = useFormats().money(centsOf(amount), currency)
  const { stake } = disputeDetailTexts
  if (stage === 'inquiry') return stake.inquiry(money)
  if (stage === 'second_chargeback') return stake.second(money)
  return isWithdrawn ? stake.withdrawn(money) : stake.notWithdrawn(money)
}

/** What the merchant answered, with the files. */
function Given({ dispute: { _id, answer, documents } }: { dispute: DisputeResource }): VNode | null {
  if (answer === null || answer.state === 'refused') return null
  const files = documents.filter((file) => answer.documents.includes(file._id))
  return (
    <Section title={answerTexts.given.title}>
      <GivenFacts disputeId={_id} answer={{ ...answer, documents: files }} />
    </Section>
  )
}

/** What the merchant answered before the dispute went on, a section for each stage. */
function GivenBefore({ dispute: { _id, earlier_answers } }: { dispute: DisputeResource }): VNode {
  return (
    <>
      {earlier_answers.map((answer) => (
        <Section key={answer.stage} title={answerTexts.givenAt[answer.stage]}>
          <GivenFacts disputeId={_id} answer={answer} />
        </Section>
      ))}
    </>
  )
}

interface GivenFactsProps {
  disputeId: string
  answer: Omit<EarlierAnswerResource, 'stage'>
}

function GivenFacts({ disputeId, answer }: GivenFactsProps): VNode {
  const { given } = answerTexts
  return (
    <Facts
      facts={[
        [given[answer.action], <Moment at={answer.created_at} />],
        [given.notTaken, answer.state === 'refused' && answer.message],
        [given.defence, answer.defence_description],
        [given.statement, answer.statement && <p class="given-statement">{answer.statement}</p>],
        [
          given.files,
          answer.documents.length > 0 && (
            <ul>
              {answer.documents.map((file) => (
                <li key={file._id}>
                  <EvidenceFile disputeId={disputeId} file={file} />
                </li>
              ))}
            </ul>
          ),
        ],
      ]}
    />
  )
}

type Entry = DisputeResource['history'][number]

const LOOKS: Readonly<Record<Entry['change'], { tone: BadgeTone; icon: IconName }>> = {
  opened: { tone: 'wait', icon: 'disputes' },
  evidence_due: { tone: 'wait', icon: 'clock' },
  under_review: { tone: 'info', icon: 'ring' },
  won: { tone: 'good', icon: 'check' },
  lost: { tone: 'bad', icon: 'close' },
  accepted: { tone: 'calm', icon: 'check' },
  reopened: { tone: 'wait', icon: 'disputes' },
  updated: { tone: 'calm', icon: 'info' },
}

function historyEntry({ change, stage, description, at }: Entry, index: number): TimeLineEntry {
  return {
    key: String(index),
    at,
    ...LOOKS[change],
    title: changeTexts[change],
    content: <p class="soft">{[stageTexts[stage], description].filter(Boolean).join(' · ')}</p>,
  }
}

const { facts } = disputeDetailTexts

function DisputeFacts({ dispute }: { dispute: DisputeResource }): VNode {
  const { reason, respond_by: by, funds_withdrawn: isWithdrawn } = dispute
  return (
    <Section title={disputeDetailTexts.details}>
      <Facts
        facts={[
          [facts.amount, <Money cents={centsOf(dispute.amount)} currency={dispute.currency} />],
          [facts.money, isWithdrawn ? disputeDetailTexts.withdrawn : disputeDetailTexts.notWithdrawn],
          [
            facts.due,
            dispute.status === 'needs_response' && by !== null && (
              <>
                <Moment at={by} /> (<Deadline dispute={dispute} />)
              </>
            ),
          ],
          [facts.stage, stageTexts[dispute.stage]],
          [facts.reason, categoryTexts[reason.category]],
          [facts.code, reason.code],
          [facts.words, reason.description],
          [facts.opened, <Moment at={dispute.created_at} />],
          [facts.gateway, gatewayName(dispute.gateway_type)],
          [facts.gatewayId, dispute.external_id && <code>{dispute.external_id}</code>],
          [facts.id, <IdText id={dispute._id} label={disputeDetailTexts.idLabel} />],
        ]}
      />
    </Section>
  )
}

/** The charge that is disputed, with its card and customer. */
function ChargeSection({ id }: { id: string }): VNode {
  const charge = useResource(`/v1/charges/${encodeURIComponent(id)}`, ChargeResource)
  return (
    <Section
      title={disputeDetailTexts.charge}
      actions={<Link href={`/charges/${id}`}>{disputeDetailTexts.openCharge}</Link>}
    >
      <Loaded of={charge}>{(loaded) => <ChargeFacts charge={loaded} />}</Loaded>
    </Section>
  )
}

function ChargeFacts({ charge }: { charge: ChargeResource }): VNode {
  const { customer, statistics, currency } = charge
  const { card_scheme, card_number_last4, card_name } = customer.payment_source
  const money = (amount: number) => <Money cents={centsOf(amount)} currency={currency} />
  return (
    <Facts
      facts={[
        [facts.charged, money(charge.amount)],
        [facts.refunded, statistics.total_refunded_amount > 0 && money(statistics.total_refunded_amount)],
        [facts.paid, <Moment at={charge.created_at} />],
        [facts.reference, charge.reference],
        [facts.card, <CardName scheme={card_scheme} last4={card_number_last4} />],
        [facts.holder, card_name],
        [facts.customer, [customer.first_name, customer.last_name].filter(Boolean).join(' ')],
        [facts.email, customer.email],
      ]}
    />
  )
}
