import type { VNode } from 'preact'
import { NAMELESS_ACTORS } from '../../../contract/dashboard/audit.ts'
import type { EventView } from '../../../contract/dashboard/audit.ts'
import type { NamedPerson } from '../../../contract/dashboard/people/team.ts'
import { useFormats } from '../../app-context.ts'
import type { Column } from '../../components/data/data-table.tsx'
import { Moment } from '../../formats/moment.tsx'
import { deviceNameOf } from '../../people/device-name.ts'
import { personIdOf, personName } from '../../people/person-name.ts'
import { EventSubject } from './event-subject.tsx'
import { auditTexts } from './texts.ts'
import { eventWords } from './words/event-words.ts'
import { factWords } from './words/fact-words.ts'

const { columns, actors, operator } = auditTexts

/** The columns of the audit log; `people`: who has acted for the merchant. */
export function auditColumns(people: readonly NamedPerson[]): readonly Column<EventView>[] {
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
  const nameless = NAMELESS_ACTORS.find((one) => one === actor)
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
