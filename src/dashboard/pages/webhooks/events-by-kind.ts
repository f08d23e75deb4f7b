import { WebhookEventType } from '../../../contract/api/webhook.ts'
import { webhookTexts } from './texts.ts'

/** What events are about: the first word of their types. */
type Kind = WebhookEventType extends `${infer Word}.${string}` ? Word : never
const KINDS: Readonly<Record<Kind, string>> = webhookTexts.choice.kinds

interface EventsOfKind {
  /** What they are about, in words. */
  words: string
  types: WebhookEventType[]
}

/** Types of events by what they are about; a kind without any is left out. */
export function byKind(types: readonly WebhookEventType[]): EventsOfKind[] {
  return Object.entries(KINDS)
    .map(([kind, words]) => ({ words, types: types.filter((type) => type.startsWith(`${kind}.`)) }))
    .filter((group) => group.types.length > 0)
}

/** Whether these are all the events that there are. */
export function isEveryEvent(types: readonly WebhookEventType[]): boolean {
  return WebhookEventType.options.every((type) => types.includes(type))
}
