import { ACTORS_WITHOUT_ID } from '../../../contract/dashboard/audit.ts'
import type { NamedPerson } from '../../../contract/dashboard/people/team.ts'
import type { Filter } from '../../components/data/filters-bar.tsx'
import { CREATED_FILTERS } from '../../listing/created-query.ts'
import { personName } from '../../people/person-name.ts'
import { auditTexts } from './texts.ts'
import { typeWords } from './words/event-words.ts'

const { filters, actors, people: everybody } = auditTexts

/** Types that people look for; others are reached by a link that names one. */
const TYPES = [
  'charge.authorised',
  'charge.captured',
  'charge.cancelled',
  'charge.refunded',
  'charge.updated',
  'charges.exported',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
  'dispute.accepted',
  'key.made',
  'key.revoked',
  'origins.changed',
  'user.signed_in',
  'user.sign_in_failed',
  'user.acted',
  'member.invited',
  'member.removed',
  'webhook.added',
  'webhook.removed',
]

const TYPE_FILTER: Filter = {
  kind: 'choice',
  name: 'type',
  label: filters.type,
  options: TYPES.map((type) => ({ value: type, words: typeWords(type) })),
}

/** What the audit log is filtered by; `people`: who has acted for the merchant. */
export function auditFilters(people: readonly NamedPerson[]): readonly Filter[] {
  const options = [
    { value: 'people', words: everybody },
    ...people.map(({ id }) => ({ value: `user:${id}`, words: personName(id, people) })),
    ...ACTORS_WITHOUT_ID.map((value) => ({ value, words: actors[value] })),
  ]
  return [
    TYPE_FILTER,
    { kind: 'choice', name: 'actor', label: filters.actor, options },
    { kind: 'text', name: 'subject', label: filters.subject },
    ...CREATED_FILTERS,
  ]
}
