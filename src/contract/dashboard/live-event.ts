import * as v from 'valibot'

/**
 * Data of one message of `GET /api/live` (server-sent events). A message whose `event` is `happened` holds this as JSON, and its id is
 * the event's. `reset` (no data worth reading): some events are not told, so what is shown is to be loaded anew. A connection that
 * the service ends is opened again by the browser, with `Last-Event-ID`; after 401 and 429 it is not.
 */
export const LiveEvent = v.strictObject({
  id: v.string(),
  /** Such as `charge.captured`, `agreement.accepted`, `webhook.created`. */
  type: v.string(),
  /** Id of what it is about. */
  subject: v.string(),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
})
export type LiveEvent = v.InferOutput<typeof LiveEvent>
