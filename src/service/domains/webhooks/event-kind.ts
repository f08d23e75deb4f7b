import type { TEST_EVENT, WebhookEventType } from '../../../contract/api/webhook.ts'
import type { ToldEvent } from './webhook.ts'

/** What an event is about: the first word of its type. */
export type EventKind = WebhookEventType | typeof TEST_EVENT extends `${infer Kind}.${string}` ? Kind : never

/** What an event is about, on the wire, as it was right after that event. Rejects where there is no such thing. */
export type ResourceAsOf = (event: ToldEvent) => Promise<object>

/** For each kind of event, what shows it: its domain's. */
export type ResourcesAsOf = Readonly<Record<EventKind, ResourceAsOf>>

const kinds: Readonly<Record<EventKind, true>> = {
  charge: true,
  checkout: true,
  agreement: true,
  payment: true,
  test: true,
}

/** The kind of a type that webhooks can have; null for any other. */
export function kindOf(type: string): EventKind | null {
  const [word] = type.split('.')
  return word === undefined || !isKind(word) ? null : word
}

function isKind(word: string): word is EventKind {
  return Object.hasOwn(kinds, word)
}

/** An event as merchants are told it. */
interface EventMessage {
  type: string
  timestamp: string
  data: object
}

/** What is told of an event, the same by a message and by the list of events; its id goes beside it. */
export async function messageOf(resources: ResourcesAsOf, event: ToldEvent): Promise<EventMessage> {
  const kind = kindOf(event.type)
  if (kind === null) throw new Error(`nothing shows an event of type ${event.type}`)
  const data = await resources[kind](event)
  return { type: event.type, timestamp: event.createdAt.toISOString(), data }
}
