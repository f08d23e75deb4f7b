import { TEST_EVENT } from '../../../../contract/api/webhook.ts'
import type { EventView } from '../../../../contract/dashboard/audit.ts'
import { AUDIT_EVENTS } from '../../../../contract/dashboard/event-types.ts'

const WORDS: Readonly<Record<string, string | null>> = {
  ...AUDIT_EVENTS,
  'charge.authentication_required': 'Card holder asked by the bank',
  'charge.authenticated': 'Card holder authenticated',
  'charge.not_authenticated': 'Card holder not authenticated',
  'dispute.evidence_due': 'Dispute to be answered soon',
  'dispute.reopened': 'Disputed once more',
  [TEST_EVENT]: 'Test event sent',
}

/** What an entry of the audit log says, such as "Charge captured". */
export function eventWords({ type, facts: { act } }: Pick<EventView, 'type' | 'facts'>): string {
  const asked = type === 'user.acted' && typeof act === 'string' ? actWords(act) : null
  return asked ?? typeWords(type)
}

/** A type of entries in words. */
export function typeWords(type: string): string {
  return WORDS[type] ?? sentenceOf(type)
}

/** `charge.captured` in words: Charge captured. */
function sentenceOf(type: string): string {
  const words = type.replace(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What each request of a person to the dashboard asks for. */
const ACTS: Readonly<Record<string, string>> = {
  'DELETE /api/session': 'Asked to sign out',
  'POST /api/session/confirm': 'Gave the password once more',
  'POST /api/session/merchant': 'Asked for another company',
  'DELETE /api/sessions': 'Asked to sign out everywhere',
  'DELETE /api/sessions/:id': 'Asked to end a session',
  'PATCH /api/user': 'Asked to change the profile',
  'POST /api/user/password': 'Asked to change the password',
  'POST /api/user/totp': 'Asked for an authenticator app',
  'POST /api/user/totp/confirm': 'Asked to confirm an authenticator app',
  'DELETE /api/user/totp': 'Asked to remove the authenticator app',
  'POST /api/user/recovery_codes': 'Asked for recovery codes',
  'POST /api/user/passkeys/options': 'Began to add a passkey',
  'POST /api/user/passkeys': 'Asked to add a passkey',
  'DELETE /api/user/passkeys/:id': 'Asked to remove a passkey',
  'POST /api/team/invitations': 'Asked to invite a person',
  'DELETE /api/team/invitations/:id': 'Asked to revoke an invitation',
  'PATCH /api/team/members/:id': 'Asked to change a role',
  'DELETE /api/team/members/:id': 'Asked to remove a person',
  'POST /v1/charges': 'Asked for a charge',
  'PATCH /v1/charges/:id': 'Asked to change the words of a charge',
  'PATCH /v1/checkouts/:id': 'Asked to change the words of a checkout',
  'POST /v1/charges/:id/capture': 'Asked to capture a charge',
  'DELETE /v1/charges/:id/capture': 'Asked to cancel a charge',
  'POST /v1/charges/:id/refunds': 'Asked to refund a charge',
  'POST /v1/disputes/:id/documents': 'Asked to add a file to a dispute',
  'DELETE /v1/disputes/:id/documents/:document_id': 'Asked to remove a file of a dispute',
  'POST /v1/disputes/:id/accept': 'Asked to accept a dispute',
  'POST /v1/disputes/:id/defend': 'Asked to defend a dispute',
  'POST /v1/checkouts/intent': 'Asked for a checkout',
  'DELETE /v1/checkouts/:id': 'Asked to cancel a checkout',
  'POST /v1/checkouts/templates': 'Asked to make a template',
  'PUT /v1/checkouts/templates/:id': 'Asked to change a template',
  'POST /agreements': 'Asked for an agreement',
  'POST /agreements/validate': 'Asked to check an agreement',
  'PATCH /agreements/:id': 'Asked to amend an agreement',
  'PATCH /agreements/:id/status': 'Asked to change an agreement’s state',
  'POST /agreements/:id/payments': 'Asked for a payment',
  'POST /v1/webhooks': 'Asked to add a webhook',
  'PATCH /v1/webhooks/:id': 'Asked to change a webhook',
  'POST /v1/webhooks/:id/secret': 'Asked for a new secret of a webhook',
  'DELETE /v1/webhooks/:id': 'Asked to remove a webhook',
  'POST /v1/webhooks/:id/test': 'Asked to send a test event',
  'POST /v1/webhooks/:id/deliveries/:event_id/resend': 'Asked to send an event again',
  'PATCH /api/company': 'Asked to rename the company',
  'PUT /api/origins': 'Asked to change the allowed origins',
  'POST /api/keys': 'Asked for a new API key',
  'DELETE /api/keys/:id': 'Asked to revoke an API key',
  'POST /api/clients': 'Asked to add an OAuth client',
  'POST /api/clients/:id/secret': 'Asked to roll an OAuth client’s secret',
  'DELETE /api/clients/:id': 'Asked to revoke an OAuth client',
  'POST /api/gateways': 'Asked to add a gateway',
  'PATCH /api/gateways/:id': 'Asked to change a gateway',
  'POST /api/gateways/:id/test': 'Asked to test a gateway',
  'PUT /api/gateways/:id/credentials': 'Asked to replace the key of a gateway',
  'POST /api/gateways/:id/notifications/password': 'Asked for a password for a gateway’s notifications',
  'PUT /api/gateways/:id/notifications/signing_key': 'Asked to take a signing key of a gateway',
  'DELETE /api/gateways/:id/notifications/former': 'Asked to end former secrets of a gateway’s notifications',
  'POST /api/gateways/:id/notifications/test': 'Asked to test the address of a gateway’s notifications',
  'POST /api/notifications/:id/dismiss': 'Asked to dismiss a gateway’s notification',
}

/** A request such as `POST /api/keys` in words; null for one that this version does not know. */
export function actWords(act: string): string | null {
  return ACTS[act] ?? null
}
