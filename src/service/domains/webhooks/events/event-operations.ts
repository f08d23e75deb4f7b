import * as v from 'valibot'
import { EventResource } from '../../../../contract/api/event-resource.ts'
import { Identifier } from '../../../../contract/api/fields/identifier.ts'
import { WebhookEventType } from '../../../../contract/api/webhook.ts'
import type { DescribedResource, Operation } from '../../../platform/http/operation.ts'
import { pageEntries } from '../../../platform/listing/page-query.ts'

export const EventParams = v.object({ id: Identifier })

/** Query of `GET /v1/events`. Strict: a misspelt filter would list what was not asked for. */
export const EventQuery = v.strictObject({
  type: v.optional(WebhookEventType),
  'created_at.from': pageEntries['created_at.from'],
  'created_at.to': pageEntries['created_at.to'],
  limit: pageEntries.limit,
  cursor: pageEntries.cursor,
})

const event: DescribedResource = {
  name: 'Event',
  schema: EventResource,
  words: {
    _id: 'The `webhook-id` of its messages.',
    type: 'What happened.',
    timestamp: 'When it happened.',
    data: 'What it is about, as it was right after the event.',
  },
  example: {
    _id: '6b0179b48a1c5e0b3d2f4a61',
    type: 'checkout.cancelled',
    timestamp: '2026-11-21T10:00:00.000Z',
    data: { _id: '6b0179918a1c5e0b3d2f4a62', status: 'cancelled' },
  },
}
const group = 'Events'

/** The routes of events as the OpenAPI document shows them. */
export const eventOperations = {
  list: {
    id: 'listEvents',
    group,
    key: 'secret',
    summary: 'List what happened',
    description:
      'Newest first, whether or not a webhook was told. An event stands here within a second. `resource.next` is the `cursor` of the next page, null on the last.',
    query: { schema: EventQuery, words: { type: 'Of this type alone.' } },
    answers: [{ status: 200, words: 'A page of events.', resource: event, isPage: true }],
  },
  get: {
    id: 'getEvent',
    group,
    key: 'secret',
    params: { schema: EventParams, words: { id: 'The `_id` of an event.' } },
    summary: 'Read an event',
    answers: [{ status: 200, words: 'The event: what a webhook is sent.', resource: event }],
    errors: ['not_found'],
  },
} as const satisfies Record<string, Operation>
