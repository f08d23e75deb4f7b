import type { TEST_EVENT, WebhookEventType } from '../api/webhook.ts'

/**
 * Every type of event that the audit log alone has, with what the dashboard calls it; null where the type's own words do, as
 * `webhook.added` does: Webhook added. The types that merchants' servers are told of too are `WebhookEventType`.
 */
export const AUDIT_EVENTS = {
  'user.signed_in': 'Signed in',
  'user.sign_in_failed': 'Sign-in refused',
  'user.signed_out': 'Signed out',
  'user.signed_out_everywhere': 'Signed out everywhere',
  'user.session_ended': 'Session ended',
  'user.merchant_chosen': 'Changed to another company',
  'user.password_confirmed': 'Password given once more',
  'user.password_refused': 'Wrong password given',
  'user.password_changed': 'Password changed',
  'user.changed': 'Profile changed',
  'user.totp_added': 'Authenticator app added',
  'user.totp_removed': 'Authenticator app removed',
  'user.passkey_added': 'Passkey added',
  'user.passkey_removed': 'Passkey removed',
  'user.recovery_codes_made': 'Recovery codes made',
  'user.reset': 'Account reset',
  'user.removed': null,
  'user.acted': 'Acted on the dashboard',
  'member.invited': 'Person invited',
  'member.joined': 'Person joined the team',
  'member.role_changed': 'Role changed',
  'member.removed': 'Person removed from the team',
  'invitation.revoked': null,
  'key.made': 'API key made',
  'key.revoked': 'API key revoked',
  'oauth_client.added': 'OAuth client added',
  'oauth_client.revoked': 'OAuth client revoked',
  'oauth_secret.rolled': 'Secret of an OAuth client rolled',
  'origins.changed': 'Allowed origins changed',
  'pre_auth.changed': 'Holding of funds switched',
  'merchant.added': 'Company added',
  'merchant.renamed': 'Company renamed',
  'gateway.added': null,
  'gateway.credentials_changed': 'Gateway account changed',
  'gateway.made_default': 'Gateway made the default',
  'gateway.removed': 'Gateway removed',
  'gateway.notifications_changed': 'Notifications of a gateway set up',
  'gateway.notification_dismissed': 'Notification of a gateway dismissed',
  'webhook.added': null,
  'webhook.changed': null,
  'webhook.disabled': null,
  'webhook.removed': null,
  'webhook.secret_rolled': 'Secret of a webhook rolled',
  'webhook.replayed': 'Webhook events sent again',
  'charge.release_failed': null,
  'charges.exported': null,
  'maintenance.started': null,
  'maintenance.ended': null,
} as const satisfies Readonly<Record<string, string | null>>

/** The type of any event that the service writes. */
export type EventType = WebhookEventType | typeof TEST_EVENT | keyof typeof AUDIT_EVENTS
