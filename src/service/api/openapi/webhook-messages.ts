import { TEST_EVENT, WebhookEventType } from '../../../contract/api/webhook.ts'
import { EVENT_RESOURCES, refTo } from './json-schema.ts'
import type { Json } from './json-schema.ts'

type EventType = WebhookEventType | typeof TEST_EVENT

/** What happened, by the type of the event. */
export const EVENT_WORDS: Readonly<Record<EventType, string>> = {
  'charge.authorised': 'Funds were held.',
  'charge.captured': 'Money was taken.',
  'charge.cancelled': 'A hold was released.',
  'charge.expired': 'A hold ended by itself and was released.',
  'charge.refunded': 'Money was given back.',
  'charge.failed': 'A new charge failed.',
  'charge.capture_failed': 'A capture failed, at once or after it was approved: the status says what the charge is now.',
  'charge.cancel_failed': 'A cancel failed, at once or after it was approved: the status says what the charge is now.',
  'charge.refund_failed': 'A refund failed, at once or after it was approved: the status says what the charge is now.',
  'charge.authentication_required': 'The bank of the card holder wants to ask them: the page shows its step.',
  'charge.authenticated': 'The bank has authenticated the card holder.',
  'charge.not_authenticated': 'Nobody finished what the bank asked: nothing was taken.',
  'charge.updated': 'Your words on a charge were changed: its reference, description or metadata.',
  'dispute.opened': 'A card holder disputes a charge.',
  'dispute.evidence_due': 'The time to answer a dispute ends within three days.',
  'dispute.under_review': 'Your defence was sent, and issuer or scheme decides.',
  'dispute.won': 'It was decided for you.',
  'dispute.lost': 'It was decided for the card holder.',
  'dispute.accepted': 'You accepted it: the card holder keeps the money.',
  'dispute.reopened': 'It went on to its next stage, and needs a response again.',
  'dispute.updated': 'Its amount, deadline, reason or answer changed, or money was withdrawn or came back.',
  'checkout.completed': 'A checkout was paid; `charge_id` is the charge.',
  'checkout.expired': 'Its time was over before it was paid.',
  'checkout.cancelled': 'You cancelled it.',
  'agreement.created': "An agreement was made and waits for the payer's answer.",
  'agreement.accepted': 'The payer said yes.',
  'agreement.declined': 'The payer said no.',
  'agreement.lapsed': 'The payer did not answer in time.',
  'agreement.amended': 'A change took effect.',
  'agreement.amendment_requested': 'The payer was asked for a change.',
  'agreement.amendment_declined': 'The payer said no to a change.',
  'agreement.amendment_lapsed': 'The payer did not answer in time to a change.',
  'agreement.suspended': 'You or the payer suspended it.',
  'agreement.released': 'Who had suspended it released it.',
  'agreement.cancelled': 'You or the payer ended it.',
  'agreement.expired': 'Its end date is over, or its last payment has settled.',
  'agreement.collection_skipped': 'A due day passed without a payment.',
  'payment.received': 'A payment was accepted.',
  'payment.processing': 'A payment is on its way to the network.',
  'payment.settled': 'You were paid.',
  'payment.failed': 'Nothing was paid; `failure` says why.',
  'payment.under_investigation': 'The network looks into it; `settled` or `failed` follows.',
  [TEST_EVENT]: 'You asked for it, to try a webhook out.',
}

/** What `data` of a message holds, by the first part of its type. */
const RESOURCES: Readonly<Record<string, string>> = { ...EVENT_RESOURCES, test: 'Webhook' }

/** `webhooks` of the document: the message of each event, as it comes to a merchant's server. */
export function webhookMessages(): Json {
  const types = [...WebhookEventType.options, TEST_EVENT] as const
  return Object.fromEntries(types.map((type) => [type, { post: messageOf(type) }]))
}

function messageOf(type: EventType): Json {
  const resource = RESOURCES[type.split('.')[0] ?? '']
  return {
    operationId: `on_${type.replace('.', '_')}`,
    summary: EVENT_WORDS[type],
    tags: ['Webhooks'],
    parameters: SIGNED_BY,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              type: { const: type, description: 'What happened.' },
              timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
              data: {
                ...(resource !== undefined && { $ref: refTo(resource) }),
                description: 'The resource as it was right after the event.',
              },
            },
            required: ['type', 'timestamp', 'data'],
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'You have it. Answer within 15 seconds.' },
      '410': { description: 'You want no more events: the webhook is disabled.' },
      default: { description: 'Any other answer, a redirect too: it is sent again, for up to three days.' },
    },
  }
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** The headers of Standard Webhooks (https://www.standardwebhooks.com). */
const SIGNED_BY: readonly Json[] = [
  header('webhook-id', 'The id of the event: the same when it is sent again.'),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
  header(
    'webhook-signature',
    '`v1,` and the signature of id, timestamp and body in base64; several by spaces.',
  ),
]
