import type { NamedPerson } from '../../contract/dashboard/people/team.ts'
import { inSentence } from '../formats/in-sentence.ts'

const texts = {
  former: (name: string) => `${inSentence(name)} (former member)`,
  unknown: 'Somebody who has left',
} as const

/** The id in an actor such as `user:6b01…`; null for an actor that is no person. */
export function personIdOf(actor: string): string | null {
  return actor.startsWith('user:') ? actor.slice('user:'.length) : null
}

/** A person as the team knows them, and whether they have left. */
export function personName(id: string, people: readonly NamedPerson[]): string {
  const person = people.find((one) => one.id === id)
  if (person === undefined) return texts.unknown
  return person.is_former ? texts.former(person.name) : person.name
}
