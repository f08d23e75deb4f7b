import type { VNode, ComponentChildren } from 'preact'
import { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import type { DisputeResource } from '../../../../contract/api/disputes/dispute-resource.ts'
import { ChargeTimeline } from '../../../../contract/dashboard/payments/charge-timeline.ts'
import { useFormats } from '../../../app-context.ts'
import { TimeLine } from '../../../components/data/time-line.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Notices } from '../../../components/feedback/notices.tsx'
import { centsOf } from '../../../formats/cents.ts'
import { Money } from '../../../formats/money.tsx'
import { PageHeader } from '../../../shell/page-header.tsx'
import { Section } from '../../../shell/section.tsx'
import { TitleWithState } from '../../../shell/title-with-state.tsx'
import { TwoColumns } from '../../../shell/two-columns.tsx'
import { useLiveReload } from '../../../live/use-live.ts'
import { Loaded } from '../../../loading/loaded.tsx'
import type { Resource } from '../../../loading/resource.ts'
import { useResource } from '../../../loading/use-resource.ts'
import { usePeople } from '../../../people/use-people.ts'
import type { PageProps } from '../../../router/route.ts'
import { usePermits, useView } from '../../../session/use-view.ts'
import { ChargeStatusBadge } from '../charge-status.tsx'
import type { NamedPerson } from '../../../../contract/dashboard/people/team.ts'
import { Badge } from '../../../components/data/badge.tsx'
import type { BadgeTone } from '../../../components/data/badge.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import type { TimeLineEntry } from '../../../components/data/time-line.tsx'
import type { IconName } from '../../../components/icon.tsx'
import { personIdOf, personName } from '../../../people/person-name.ts'
import {
  attemptTexts,
  authenticationTexts,
  reversedTexts,
  entryTexts,
  outcomeTexts,
  chargeDetailTexts,
  transStatusTexts,
  waitingTexts,
} from './texts.ts'
import type { Attempt } from './texts.ts'
import { DisputeNotices, DisputesSection, useChargeDisputes } from './charge-disputes.tsx'
import { ChargeActions } from './charge-actions.tsx'
import { IdText } from '../../../components/data/id-text.tsx'
import { Moment } from '../../../formats/moment.tsx'
import { CardName } from '../card-name.tsx'
import { moneyOf } from './charge-money.ts'
import { useChargeActs } from './use-charge-acts.ts'
import './charge.css'

const BACK = { href: '/charges', words: chargeDetailTexts.back }

/** One charge: what can be done with it, what was tried, and what is known of it. */
export function ChargePage({ id }: PageProps): VNode {
  const charge = useResource(`/v1/charges/${encodeURIComponent(id)}`, ChargeResource)
  const timeline = useResource(`/api/charges/${encodeURIComponent(id)}/timeline`, ChargeTimeline)
  const disputes = useChargeDisputes(id)
  const reload = () => {
    void charge.reload()
    void timeline.reload()
    void disputes.reload()
  }
  // An event of a dispute does not name its charge.
  useLiveReload((subject, type) => subject === id || type.startsWith('dispute.'), reload)
  return (
    <>
      {charge.state.value.kind !== 'ready' && <PageHeader back={BACK} title={chargeDetailTexts.title} />}
      <Loaded of={charge}>
        {(loaded) => <ChargeView charge={loaded} timeline={timeline} disputes={disputes} reload={reload} />}
      </Loaded>
    </>
  )
}

interface ChargeViewProps {
  charge: ChargeResource
  timeline: Resource<ChargeTimeline>
  disputes: Resource<DisputeResource[]>
  reload: () => void
}

function ChargeView({ charge, timeline, disputes, reload }: ChargeViewProps): VNode {
  const change = usePermits()('change')
  const acts = useChargeActs(charge, reload)
  const state = timeline.state.value
  const known = state.kind === 'ready' ? state.data : null
  const isOutcomeOpen = known?.attempts.some(({ outcome }) => outcome === 'open') ?? false
  const holdEndsAt = known?.hold_ends_at ?? null
  return (
    <>
      <PageHeader
        back={BACK}
        title={
          <TitleWithState
            state={
              <ChargeStatusBadge
                status={charge.status}
                isPartlyRefunded={charge.statistics.total_refunded_amount > 0}
                isOutcomeOpen={isOutcomeOpen}
              />
            }
          >
            <Money cents={centsOf(charge.amount)} currency={charge.currency} />
          </TitleWithState>
        }
        actions={change && <ChargeActions charge={charge} acts={acts} isOutcomeOpen={isOutcomeOpen} />}
      >
        {charge.reference}
      </PageHeader>
      <Notices>
        <ChargeNotices charge={charge} isOutcomeOpen={isOutcomeOpen} holdEndsAt={holdEndsAt} />
        <DisputeNotices disputes={disputes} />
      </Notices>
      <TwoColumns
        main={
          <>
            <DisputesSection disputes={disputes} />
            <Attempts timeline={timeline} isHold={charge.authorization} />
          </>
        }
        aside={<ChargeFacts charge={charge} holdEndsAt={holdEndsAt} />}
      />
    </>
  )
}

function ChargeNotices({
  charge: { status, _3ds },
  isOutcomeOpen,
  holdEndsAt,
}: {
  charge: ChargeResource
  isOutcomeOpen: boolean
  holdEndsAt: string | null
}): VNode {
  const { relative, dateTime } = useFormats()
  if (status === 'pre_authentication_pending' && _3ds?.expires_at != null)
    return <Notice tone="info">{authenticationTexts.waits(dateTime(_3ds.expires_at))}</Notice>
  return (
    <>
      {isOutcomeOpen && <Notice tone="warning">{chargeDetailTexts.open}</Notice>}
      {!isOutcomeOpen && holdEndsAt !== null && (
        <Notice tone="info">{chargeDetailTexts.hold(relative(holdEndsAt))}</Notice>
      )}
    </>
  )
}

function Attempts({ timeline, isHold }: { timeline: Resource<ChargeTimeline>; isHold: boolean }): VNode {
  const { user } = useView()
  const people = usePeople()
  return (
    <Section title={chargeDetailTexts.timeLine} description={chargeDetailTexts.timeLineWords}>
      <Loaded of={timeline}>
        {({ attempts }) => (
          <TimeLine
            label={chargeDetailTexts.timeLine}
            entries={attempts
              .flatMap((attempt) => {
                const entry = attemptEntry(attempt, { isHold, userId: user.id, people })
                return withAuthentication(attempt, entry)
              })
              .reverse()}
          />
        )}
      </Loaded>
    </Section>
  )
}

const TONES: Readonly<Record<Attempt['outcome'], BadgeTone>> = {
  open: 'wait',
  approved: 'good',
  declined: 'bad',
  unreachable: 'bad',
  not_received: 'bad',
}

const ICONS: Readonly<Record<Attempt['type'], IconName>> = {
  sale: 'charges',
  capture: 'check',
  cancel: 'close',
  refund: 'undo',
  reversal: 'warning',
}

/** What the words for an attempt depend on: the charge, and the person who looks at it. */
interface EntryContext {
  /** Whether the sale only held the funds. */
  isHold: boolean
  userId: string
  /** Who has acted for the merchant. */
  people: readonly NamedPerson[]
}

/** An attempt as an entry of the time line. */
function attemptEntry(attempt: Attempt, context: EntryContext): TimeLineEntry {
  const { id, type, outcome, created_at } = attempt
  return {
    key: id,
    at: created_at,
    tone: toneOf(attempt),
    icon: outcome === 'open' ? 'clock' : outcome === 'approved' ? ICONS[type] : 'warning',
    title: <Title attempt={attempt} isHold={context.isHold} />,
    content: <Content attempt={attempt} context={context} />,
  }
}

function toneOf({ type, outcome, error_message }: Attempt): BadgeTone {
  const isUndone = type === 'reversal' || error_message !== null
  if (outcome !== 'approved') return TONES[outcome]
  if (isUndone) return 'bad'
  return type === 'sale' || type === 'capture' ? 'good' : 'calm'
}

/** A sale with what its card holder's bank asked, oldest first: the money moves after that. */
function withAuthentication(
  { id, outcome, authentication }: Attempt,
  sale: TimeLineEntry,
): readonly TimeLineEntry[] {
  if (authentication === null) return [sale]
  const { asked, ended, status, asked_by, flow } = authentication
  const askedEntry: TimeLineEntry[] =
    asked === null
      ? []
      : [
          {
            ...{ key: `${id} asked`, at: asked.at, tone: 'wait', icon: 'person' },
            title: ended === null ? authenticationTexts.asks : authenticationTexts.asked,
            content: <AuthenticationWords words={authenticationTexts.askedBy[asked_by]} step={asked} />,
          },
        ]
  if (ended === null) return outcome === 'open' ? [sale, ...askedEntry] : [...askedEntry, sale]
  const flowWords = flow === null ? null : authenticationTexts.flows[flow]
  const endedEntry: TimeLineEntry = {
    ...{ key: `${id} ended`, at: ended.at, tone: AUTHENTICATION_TONES[status] },
    icon: AUTHENTICATION_TONES[status] === 'good' ? 'shield' : 'warning',
    title: authenticationTexts.ended[status],
    content: <AuthenticationWords words={flowWords} step={ended} />,
  }
  return [...askedEntry, endedEntry, { ...sale, at: asked === null ? sale.at : ended.at }]
}

const AUTHENTICATION_TONES: Readonly<Record<NonNullable<Attempt['authentication']>['status'], BadgeTone>> = {
  pending: 'wait',
  authenticated: 'good',
  attempted: 'good',
  failed: 'bad',
  cancelled: 'bad',
  timed_out: 'bad',
  unavailable: 'calm',
}

function AuthenticationWords({
  words,
  step: { webhooks },
}: {
  words: string | null
  step: Pick<Attempt, 'webhooks'>
}): VNode {
  return (
    <div class="attempt">
      {words !== null && <p class="soft">{words}</p>}
      <Deliveries webhooks={webhooks} />
    </div>
  )
}

function Title({ attempt, isHold }: { attempt: Attempt; isHold: boolean }): VNode {
  const { type, outcome, amount, currency, reverses } = attempt
  const { name, done: usually } = attemptTexts[type === 'sale' && isHold ? 'hold' : type]
  const done = reverses === null ? usually : reversedTexts[reverses]
  const money = <Money cents={centsOf(amount)} currency={currency} />
  return outcome === 'approved' ? (
    <>
      {done} {money}
    </>
  ) : (
    <>
      {name} of {money} {endOf(attempt, outcomeTexts[outcome])}
    </>
  )
}

/** A sale that waits for its card holder, or that they have given up, was not declined. */
function endOf({ outcome, authentication, error_code }: Attempt, usually: string): string {
  if (outcome === 'open' && authentication !== null) return waitingTexts.open
  return error_code === 'not_authenticated' ? waitingTexts.left : usually
}

function Content({ attempt, context }: { attempt: Attempt; context: EntryContext }): VNode {
  const { error_message, actor, reference, gateway_code, gateway_description } = attempt
  return (
    <div class="attempt">
      {error_message !== null && <p>{error_message}</p>}
      <p class="soft">
        {actorWords(actor, context)}
        {reference !== null && ` · ${entryTexts.reference}: ${reference}`}
      </p>
      <Deliveries webhooks={attempt.webhooks} />
      <details>
        <summary>{entryTexts.more}</summary>
        <Facts
          facts={[
            [entryTexts.gateway, [gateway_code, gateway_description].filter(Boolean).join(' · ')],
            [entryTexts.externalReference, attempt.external_reference],
            [entryTexts.externalId, code(attempt.external_id)],
            [entryTexts.code, code(attempt.error_code)],
            [entryTexts.attempt, code(attempt.id)],
            [entryTexts.address, attempt.source_ip],
          ]}
        />
      </details>
    </div>
  )
}

function code(text: string | null): ComponentChildren {
  return text === null ? null : <code>{text}</code>
}

/** Who asked for an attempt: `merchant`, `service`, `gateway` or `user:ID`. */
function actorWords(actor: string, { userId, people }: EntryContext): string {
  const { you, person, merchant, service, gateway } = entryTexts.actors
  const personId = personIdOf(actor)
  if (personId !== null) return personId === userId ? you : person(personName(personId, people))
  if (actor === 'gateway') return gateway
  return actor === 'service' ? service : merchant
}

const DELIVERY_TONES = { waiting: 'wait', delivered: 'good', failed: 'bad' } as const

function Deliveries({ webhooks }: Pick<Attempt, 'webhooks'>): VNode | null {
  if (webhooks.length === 0) return null
  return (
    <ul class="attempt-webhooks" aria-label={entryTexts.webhooks}>
      {webhooks.map(({ webhook_id, url, status, attempts, last_fault }) => (
        <li key={webhook_id}>
          <Badge tone={DELIVERY_TONES[status]}>{entryTexts.webhook[status]}</Badge> <span>{url}</span>{' '}
          <span class="soft">
            {entryTexts.tries(attempts)}
            {status !== 'delivered' && last_fault !== null && ` · ${last_fault}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

const { facts } = chargeDetailTexts

interface ChargeFactsProps {
  charge: ChargeResource
  /** ISO 8601; null unless funds are held. */
  holdEndsAt: string | null
}

/** What is known of a charge beside what was tried with it. */
function ChargeFacts({ charge, holdEndsAt }: ChargeFactsProps): VNode {
  const { customer, currency } = charge
  const source = customer.payment_source
  const { captured, refunded, chargedBack, refundable, amount } = moneyOf(charge)
  const metadata = Object.entries(charge.metadata)
  const money = (cents: number) => <Money cents={cents} currency={currency} />
  return (
    <>
      <Section title={chargeDetailTexts.details}>
        <Facts
          facts={[
            [facts.amount, money(amount)],
            [facts.captured, captured > 0 && captured !== amount ? money(captured) : null],
            [facts.refunded, refunded > 0 ? money(refunded) : null],
            [facts.chargedBack, chargedBack > 0 ? money(chargedBack) : null],
            [facts.left, refunded + chargedBack > 0 && refundable > 0 ? money(refundable) : null],
            [facts.holdEnds, holdEndsAt && <Moment at={holdEndsAt} />],
            [facts.reference, charge.reference],
            [facts.description, charge.description],
            [facts.statement, charge.statement_descriptor],
            [facts.created, <Moment at={charge.created_at} />],
            [facts.card, <CardName scheme={source.card_scheme} last4={source.card_number_last4} />],
            [facts.holder, source.card_name],
            [facts.expiry, expiryOf(source)],
            [facts.gateway, source.gateway_name],
            [facts.gatewayId, charge.external_id && <code>{charge.external_id}</code>],
            [facts.address, charge._source_ip_address],
            [facts.id, <IdText id={charge._id} label={chargeDetailTexts.idLabel} />],
          ]}
        />
      </Section>
      {metadata.length > 0 && (
        <Section title={chargeDetailTexts.metadata}>
          <Facts facts={metadata} />
        </Section>
      )}
      <AuthenticationFacts charge={charge} />
      <CustomerFacts charge={charge} />
    </>
  )
}

/** What the card holder's bank said of them; nothing where it took no part. */
function AuthenticationFacts({ charge: { status: paid, _3ds } }: { charge: ChargeResource }): VNode | null {
  if (_3ds === undefined) return null
  const { facts: names, states, flows, askedBy, liability } = authenticationTexts
  const { status, asked_by, expires_at, flow, trans_status, liability_shifted } = _3ds
  // Where no money moves there is no fraud to bear.
  const isPaid = paid !== 'failed' && paid !== 'not_authenticated'
  const said = trans_status === null ? null : transStatusTexts[trans_status]
  return (
    <Section title={authenticationTexts.title}>
      <Facts
        facts={[
          [names.status, <Badge tone={AUTHENTICATION_TONES[status]}>{states[status]}</Badge>],
          [names.until, status === 'pending' && expires_at !== null ? <Moment at={expires_at} /> : null],
          [names.flow, flow && flows[flow]],
          // Where nobody was asked, nobody wanted it.
          [names.why, expires_at === null ? null : askedBy[asked_by]],
          [
            names.liability,
            isPaid && liability_shifted !== null ? liability[liability_shifted ? 'bank' : 'merchant'] : null,
          ],
          [names.transStatus, [trans_status, said].filter(Boolean).join(': ')],
          [names.reason, _3ds.trans_status_reason],
          [names.version, _3ds.version],
          [names.eci, _3ds.eci],
          [names.directory, code(_3ds.ds_trans_id)],
          [names.id, <IdText id={_3ds.id} label={authenticationTexts.idLabel} />],
        ]}
      />
    </Section>
  )
}

function CustomerFacts({ charge: { customer } }: { charge: ChargeResource }): VNode | null {
  const { first_name, last_name, email, phone } = customer
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const address = addressOf(customer.payment_source)
  if ([name, email, phone, address].every((one) => one === undefined || one === '')) return null
  return (
    <Section title={chargeDetailTexts.customer}>
      <Facts
        facts={[
          [facts.name, name],
          [facts.email, email],
          [facts.phone, phone],
          [facts.billing, address],
        ]}
      />
    </Section>
  )
}

type Source = ChargeResource['customer']['payment_source']

function expiryOf({ expire_month, expire_year }: Source): string {
  return `${String(expire_month).padStart(2, '0')}/${String(expire_year)}`
}

/** The address in one line. */
function addressOf(source: Source): string {
  const place = [source.city, source.state, source.postcode]
  return [
    source.address_company,
    source.address_line1,
    source.address_line2,
    place.filter(Boolean).join(' '),
    source.country,
  ]
    .filter(Boolean)
    .join(', ')
}
