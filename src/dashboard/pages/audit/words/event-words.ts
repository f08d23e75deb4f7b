import type { EventView } from '../../../../contract/dashboard/audit.ts'
import { actWords } from './act-words.ts'

/** Types whose names do not say it as a person would. */
const WORDS: Readonly<Record<string, string>> = {
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
  'user.acted': 'Acted on the dashboard',
  'member.invited': 'Person invited',
  'member.joined': 'Person joined the team',
  'member.role_changed': 'Role changed',
  'member.removed': 'Person removed from the team',
  'key.made': 'API key made',
  'key.revoked': 'API key revoked',
  'oauth_client.added': 'OAuth client added',
  'oauth_client.revoked': 'OAuth client revoked',
  'oauth_secret.rolled': 'Secret of an OAuth client rolled',
  'origins.changed': 'Allowed origins changed',
  'pre_auth.changed': 'Holding of funds switched',
  'merchant.added': 'Company added',
  'merchant.renamed': 'Company renamed',
  'gateway.credentials_changed': 'Gateway account changed',
  'gateway.made_default': 'Gateway made the default',
  'gateway.removed': 'Gateway removed',
  'webhook.secret_rolled': 'Secret of a webhook rolled',
  'webhook.replayed': 'Webhook events sent again',
  'test.ping': 'Test event sent',
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
