import type { Words } from './words.ts'

/** Fields that mean the same in every resource, and the queries of lists. */
export const commonWords: Words = {
  _id: 'Its id: 24 hex characters.',
  created_at: 'When it was made (ISO 8601, UTC).',
  updated_at: 'When it last changed (ISO 8601, UTC).',
  currency: 'ISO 4217. The service takes `AUD`.',
  amount: 'In units of the currency, with two decimals at most: `"10.00"`. From 0.01 to 9999999.99.',
  reference: 'Yours: an order number, for example. Lists can be filtered by it.',
  description: 'Yours, for people: what is paid for.',
  email: 'E-mail address of the customer.',
  phone: 'Phone number of the customer, as you write it.',
  first_name: 'First name of the customer.',
  last_name: 'Last name of the customer.',
  name: 'The name, as its bank knows it.',
  type: 'What kind it is.',
  status: 'How it stands.',
  'created_at.from': 'Made at this time or later: `2026-11-21T10:00:00.000Z`.',
  'created_at.to': 'Made before this time.',
  limit: 'How many a page has at the most.',
  skip: 'How many are left out at the beginning, up to 10000. `cursor` goes further.',
  cursor: 'The `resource.next` of an earlier page: the answer goes on after it.',
  version: 'Number of the version.',
  code: 'A stable name for programs: branch on it.',
  message: 'The same in words, for people. They may change.',
}

/** Webhooks, their deliveries and messages. */
export const webhookWords: Words = {
  url: 'Where the events are POSTed to.',
  events: 'The types of events that are sent there.',
  secret: 'Signs every message (Standard Webhooks). Shown when it is made, and never again.',
  'WebhookDelivery.type': 'The type of the event: `charge.captured`, for example.',
  attempts: 'How often it was sent so far.',
  last_status: 'The HTTP status of the last answer of your server; null if there was none.',
  last_fault: 'Why the last attempt failed, in words; null if none failed.',
  next_at: 'When it is sent next; null when it is not sent again.',
  delivered_at: 'When your server took it; null until then.',
  timestamp: 'When it happened (ISO 8601, UTC).',
  data: 'The resource as it was right after the event.',
}
