import type { VNode } from 'preact'
import * as v from 'valibot'
import { EventView, ACTORS_WITHOUT_ID, ChainView } from '../../../contract/dashboard/audit.ts'
import { useApp, useFormats } from '../../app-context.ts'
import { ButtonLink } from '../../components/actions/button-link.tsx'
import { DataTable } from '../../components/data/data-table.tsx'
import { FiltersBar } from '../../components/data/filters-bar.tsx'
import { Pager } from '../../components/data/pager.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { PageHeader } from '../../shell/page-header.tsx'
import { createdQuery } from '../../listing/created-query.ts'
import { Loaded } from '../../loading/loaded.tsx'
import { useResource } from '../../loading/use-resource.ts'
import { pathWith } from '../../router/query.ts'
import { usePeople } from '../../people/use-people.ts'
import { useView } from '../../session/use-view.ts'
import type { NamedPerson } from '../../../contract/dashboard/people/team.ts'
import type { Column } from '../../components/data/data-table.tsx'
import { Moment } from '../../formats/moment.tsx'
import { deviceNameOf } from '../../people/device-name.ts'
import { personIdOf, personName } from '../../people/person-name.ts'
import { Link } from '../../components/actions/link.tsx'
import { auditTexts } from './texts.ts'
import { eventWords } from './words/event-words.ts'
import type { Formats } from '../../formats/formats.ts'
import { statusTexts as agreementStatuses } from '../agreements/texts.ts'
import { listedStatusTexts as chargeStatuses } from '../charges/texts.ts'
import { statusTexts as disputeStatuses } from '../disputes/texts.ts'
import { statusTexts as paymentStatuses } from '../payments/texts.ts'
import { factTexts } from './words/texts.ts'
import { auditFilters } from './audit-filters.ts'
import { Notice } from '../../components/feedback/notice.tsx'

const Events = v.array(EventView)

/** Who did what to the merchant's data and settings. */
export function AuditPage(): VNode {
  const { router } = useApp()
  const { time_zone } = useView()
  const { path: here, query } = router.place.value
  const people = usePeople()
  const filters = {
    type: query.get('type'),
    subject: query.get('subject'),
    actor: query.get('actor'),
    ...createdQuery(query, time_zone),
  }
  const isFiltered = Object.values(filters).some((value) => value !== null)
  const events = useResource(pathWith('/api/events', { ...filters, cursor: query.get('cursor') }), Events)
  return (
    <>
      <PageHeader title={auditTexts.title}>{auditTexts.description}</PageHeader>
      <ChainNotice />
      <FiltersBar filters={auditFilters(people)} />
      <Loaded of={events}>
        {(all, { next }) => (
          <>
            {all.length > 0 && (
              <DataTable
                label={auditTexts.list}
                columns={auditColumns(people)}
                rows={all}
                keyOf={({ id }) => id}
              />
            )}
            {all.length === 0 && !isFiltered && (
              <EmptyState icon="events" title={auditTexts.none.title}>
                {auditTexts.none.words}
              </EmptyState>
            )}
            {all.length === 0 && isFiltered && (
              <EmptyState
                icon="search"
                title={auditTexts.notFound.title}
                action={<ButtonLink href={here}>{auditTexts.notFound.clear}</ButtonLink>}
              >
                {auditTexts.notFound.words}
              </EmptyState>
            )}
            <Pager next={next} />
          </>
        )}
      </Loaded>
    </>
  )
}

const { columns, actors, operator } = auditTexts

/** The columns of the audit log; `people`: who has acted for the merchant. */
function auditColumns(people: readonly NamedPerson[]): readonly Column<EventView>[] {
  return [
    { key: 'type', title: columns.type, cell: eventWords },
    {
      key: 'subject',
      title: columns.subject,
      isLong: true,
      cell: (event) => <EventSubject event={event} people={people} />,
    },
    { key: 'actor', title: columns.actor, cell: ({ actor }) => actorName(actor, people) },
    { key: 'facts', title: columns.facts, isLong: true, cell: (event) => <EventFacts event={event} /> },
    { key: 'from', title: columns.from, cell: ({ facts }) => <Origin facts={facts} /> },
    { key: 'at', title: columns.at, cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
}

function actorName(actor: string, people: readonly NamedPerson[]): string {
  const personId = personIdOf(actor)
  if (personId !== null) return personName(personId, people)
  const nameless = ACTORS_WITHOUT_ID.find((one) => one === actor)
  if (nameless !== undefined) return actors[nameless]
  return actor.startsWith('operator:') ? operator(actor.slice('operator:'.length)) : actor
}

function EventFacts({ event }: { event: EventView }): VNode {
  const words = factWords(event, useFormats())
  return (
    <>
      {words.map((one, at) => (
        <>
          {at > 0 && ' · '}
          <bdi>{one}</bdi>
        </>
      ))}
    </>
  )
}

/** The address and the device that an act came from, where they are known. */
function Origin({ facts: { address, user_agent } }: Pick<EventView, 'facts'>): VNode | null {
  if (typeof address !== 'string') return null
  return (
    <span class="two-lines">
      <code>{address}</code>
      {typeof user_agent === 'string' && (
        <span class="soft" title={user_agent}>
          {deviceNameOf(user_agent)}
        </span>
      )}
    </span>
  )
}

const texts = auditTexts.chain

/** Whether the audit log is as it was written, and how far that was checked. */
function ChainNotice(): VNode {
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

/** Kinds of things that have a page: how the types of their entries begin, the path of requests about them, and where the page is. */
const PAGES = [
  { types: 'charge.', path: '/v1/charges/:id', page: '/charges' },
  { types: 'dispute.', path: '/v1/disputes/:id', page: '/disputes' },
  { types: 'agreement.', path: '/agreements/:id', page: '/agreements' },
  { types: 'payment.', path: '/payments/:id', page: '/payments' },
  { types: 'webhook.', path: '/v1/webhooks/:id', page: '/webhooks' },
  { types: 'checkout.', path: '/v1/checkouts/:id', page: '/checkouts' },
  { types: 'template.', path: '/v1/checkouts/templates/:id', page: '/templates' },
] as const

/** What an entry is about: a person or the company by name, else its id, which leads to its page where it has one. */
function EventSubject({ event, people }: { event: EventView; people: readonly NamedPerson[] }): VNode {
  const { merchant } = useView()
  const { subject } = event
  if (subject === merchant.id) return <>{merchant.name}</>
  if (people.some(({ id }) => id === subject)) return <>{personName(subject, people)}</>
  const page = pageOf(event)
  const id = <code>{subject}</code>
  return page === null ? id : <Link href={`${page}/${subject}`}>{id}</Link>
}

function pageOf({ type, facts: { act } }: EventView): string | null {
  const [method, path = ''] = typeof act === 'string' ? act.split(' ') : []
  // A thing that was removed has no page.
  if (type.endsWith('.removed') || (method === 'DELETE' && path === '/v1/webhooks/:id')) return null
  return PAGES.find((one) => type.startsWith(one.types) || belongsTo(path, one.path))?.page ?? null
}

/** Whether a route is about the thing itself, and not about a part of it. */
function belongsTo(route: string, path: string): boolean {
  return route === path || (route.startsWith(`${path}/`) && !route.slice(path.length).includes('/:'))
}

const { names, values, outcomes } = factTexts

/** They have columns of their own, or say what the type of the entry says. */
const SHOWN_ELSEWHERE = new Set(['address', 'user_agent', 'act', 'subject', 'currency', 'outcome', 'attempt'])

/** The other facts of an entry of the audit log, such as "Role: Developer". Texts that people have written are shown unchanged. */
function factWords({ type, facts }: Pick<EventView, 'type' | 'facts'>, formats: Formats): string[] {
  const { currency: named } = facts
  const currency = typeof named === 'string' ? named : AGREEMENT_CURRENCY
  return Object.entries(facts)
    .filter(([name, value]) => value !== null && value !== undefined && !SHOWN_ELSEWHERE.has(name))
    .map(([name, value]) => {
      if (name === 'status' && type === 'user.acted') return outcomeWords(value)
      if (name === 'amount' && typeof value === 'number') return line(name, formats.money(value, currency))
      if (name === 'status') return line(name, statusWords(type, value) ?? valueWords(name, value, formats))
      return line(name, valueWords(name, value, formats))
    })
}

/** By the first word of an entry's type: the words that the pages of such things have for their states. */
const STATUSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  charge: chargeStatuses,
  charges: chargeStatuses,
  dispute: disputeStatuses,
  agreement: agreementStatuses,
  payment: paymentStatuses,
}

function statusWords(type: string, status: unknown): string | undefined {
  return typeof status === 'string' ? STATUSES[type.split('.')[0] ?? '']?.[status] : undefined
}

/** Agreements are paid in this currency alone, and their facts do not repeat it. */
const AGREEMENT_CURRENCY = 'AUD'

function line(name: string, words: string): string {
  return `${names[name] ?? sentenceOf(name)}: ${words}`
}

/** What the service answered to a request, by its HTTP status. */
function outcomeWords(status: unknown): string {
  if (typeof status !== 'number') return outcomes.unknown
  if (status < 400) return outcomes.done
  if (status < 500) return outcomes.refused(status)
  return outcomes.failed(status)
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function valueWords(name: string, value: unknown, formats: Formats): string {
  if (Array.isArray(value))
    return value.length === 0 ? values.none : value.map((one) => valueWords(name, one, formats)).join(', ')
  if (typeof value === 'boolean') return value ? values.yes : values.no
  if (typeof value === 'number') return formats.number(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (TIME.test(value) && !isNaN(Date.parse(value))) return formats.dateTime(value)
  return OF_A_SET.has(name) ? (values.known[value] ?? value.replace(/_/g, ' ')) : value
}

/** Facts whose values are words of the service, not texts that people have written. */
const OF_A_SET = new Set([
  'by',
  'changed',
  'decline_reason',
  'kind',
  'reason',
  'role',
  'stage',
  'status',
  'type',
])

function sentenceOf(name: string): string {
  const words = name.replace(/_/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
