import * as v from 'valibot'
import { Identifier } from './fields/identifier.ts'
import { WebhookEventType } from './webhook.ts'

/** The charge, checkout, agreement or payment that an event is about, as it was right after it. */
export const EventData = v.looseObject({ _id: Identifier })

/** An event on the wire (`resource.type` is `event`): a webhook's message about it has the same `type`, `timestamp` and `data`. */
export const EventResource = v.strictObject({
  /** The `webhook-id` of its messages. */
  _id: Identifier,
  type: WebhookEventType,
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: EventData,
})
export type EventResource = v.InferOutput<typeof EventResource>
