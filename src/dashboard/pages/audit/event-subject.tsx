import type { VNode } from 'preact'
import type { EventView } from '../../../contract/dashboard/audit.ts'
import type { NamedPerson } from '../../../contract/dashboard/people/team.ts'
import { Link } from '../../components/actions/link.tsx'
import { personName } from '../../people/person-name.ts'
import { useView } from '../../session/use-view.ts'

/** Kinds of things that have a page: how the types of their entries begin, the path of requests about them, and where the page is. */
const PAGES = [
  { types: 'charge.', path: '/v1/charges/:id', page: '/charges' },
  { types: 'agreement.', path: '/agreements/:id', page: '/agreements' },
  { types: 'payment.', path: '/payments/:id', page: '/payments' },
  { types: 'webhook.', path: '/v1/webhooks/:id', page: '/webhooks' },
  { types: 'checkout.', path: '/v1/checkouts/:id', page: '/checkouts' },
  { types: 'template.', path: '/v1/checkouts/templates/:id', page: '/templates' },
] as const

/** What an entry is about: a person or the company by name, else its id, which leads to its page where it has one. */
export function EventSubject({ event, people }: { event: EventView; people: readonly NamedPerson[] }): VNode {
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
