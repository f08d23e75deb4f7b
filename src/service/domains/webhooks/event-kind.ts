import type { TEST_EVENT, WebhookEventType } from '../../../contract/api/webhook.ts'
import type { DueDelivery } from './webhook.ts'

/** What an event is about: the first word of its type. */
export type EventKind = WebhookEventType | typeof TEST_EVENT extends `${infer Kind}.${string}` ? Kind : never

/** What an event is about, on the wire, as it was right after that event. Rejects where there is no such thing. */
export type ResourceAsOf = (event: DueDelivery['event']) => Promise<object>

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

/** What a message about this event shows. */
export async function resourceOf(resources: ResourcesAsOf, event: DueDelivery['event']): Promise<object> {
  const kind = kindOf(event.type)
  if (kind === null) throw new Error(`nothing shows an event of type ${event.type}`)
  return resources[kind](event)
}
