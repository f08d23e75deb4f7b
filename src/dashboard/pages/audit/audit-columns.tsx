import type { VNode } from 'preact'
import type { EventView } from '../../../contract/dashboard/audit.ts'
import type { Column } from '../../components/data/data-table.tsx'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { Moment } from '../../formats/moment.tsx'
import { auditTexts } from './texts.ts'

const { columns, filters, actors, operator } = auditTexts

/** Types that people look for; others are reached by a link that names one. */
const TYPES = [
  'charge.authorised',
  'charge.captured',
  'charge.cancelled',
  'charge.refunded',
  'key.made',
  'key.revoked',
  'user.signed_in',
  'user.sign_in_failed',
  'user.acted',
  'member.invited',
  'webhook.made',
]

export const TYPE_FILTER: Filter = {
  kind: 'choice',
  name: 'type',
  label: filters.type,
  options: TYPES.map((type) => ({ value: type, words: wordsOf(type) })),
}

export const AUDIT_COLUMNS: readonly Column<EventView>[] = [
  { key: 'type', title: columns.type, cell: ({ type }) => wordsOf(type) },
  {
    key: 'subject',
    title: columns.subject,
    isLong: true,
    cell: ({ type, subject }) => <Subject type={type} id={subject} />,
  },
  { key: 'actor', title: columns.actor, isLong: true, cell: ({ actor }) => nameOf(actor) },
  { key: 'facts', title: columns.facts, isLong: true, cell: ({ facts }) => factsOf(facts) },
  { key: 'at', title: columns.at, cell: ({ created_at }) => <Moment at={created_at} /> },
]

/** `charge.captured` as it is said: Charge captured. */
function wordsOf(type: string): string {
  const words = type.replace(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The thing itself where it has a page. */
function Subject({ type, id }: { type: string; id: string }): VNode {
  const shown = <code>{id}</code>
  if (type.startsWith('charge.')) return <a href={`/charges/${id}`}>{shown}</a>
  if (type.startsWith('agreement.')) return <a href={`/agreements/${id}`}>{shown}</a>
  return shown
}

function nameOf(actor: string): string {
  if (actor === 'merchant') return actors.merchant
  if (actor === 'service') return actors.service
  return actor.startsWith('operator:') ? operator(actor.slice('operator:'.length)) : actor
}

/** What else is known, as `name: value`; nested facts as they are written. */
function factsOf(facts: EventView['facts']): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
