import { ALL_EVENTS, MAX_URL_LENGTH } from '../../../contract/api/webhook.ts'
import type { WebhookEventType, WebhookRequest } from '../../../contract/api/webhook.ts'
import { invalidField } from '../../platform/errors.ts'
import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'

/** An address of a merchant's server that gets its events. */
export interface Webhook {
  id: string
  merchantId: string
  url: string
  /** Null: every type, also those that come to exist later. */
  eventTypes: readonly WebhookEventType[] | null
  createdAt: Date
  /** When its server said 410 Gone, or its merchant disabled it. */
  disabledAt: Date | null
  /** False once the master key of its secret is lost. */
  hasSecret: boolean
  /** Until when replaced secrets sign, too. */
  oldSecretEndsAt: Date | null
}

/** Which of a merchant's webhooks. */
export interface WebhookPlace {
  merchantId: string
  id: string
}

/** The types that a webhook gets; null: every type. */
export function typesOf(events: WebhookRequest['events']): WebhookEventType[] | null {
  if (events === undefined || events.includes(ALL_EVENTS)) return null
  return [...new Set(events)].filter((event) => event !== ALL_EVENTS)
}

/**
 * The normal form of a URL that events may be sent to; throws `validation_error` for any other. In the sandbox a server on this machine
 * may go without TLS.
 */
export function safeAddress(url: string, isSandbox: boolean): string {
  const { protocol, hostname, username, password, hash, href } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(isSandbox && isLocal && protocol === 'http:')) {
    throw invalidField(
      'url',
      isSandbox ? 'must begin with https:// (http:// for localhost only)' : 'must begin with https://',
    )
  }
  if (username !== '' || password !== '') throw invalidField('url', 'may hold no user name or password')
  if (hash !== '') throw invalidField('url', 'may hold no fragment (#)')
  if (href.length > MAX_URL_LENGTH) throw invalidField('url', `may have ${MAX_URL_LENGTH} characters at most`)
  return href
}

/** The place of a webhook's signing secret in the vault. */
export function placeOf({ merchantId, id }: WebhookPlace): string {
  return `${merchantId}/webhook/${id}`
}

/**
 * The data keys of signing secrets, also of disabled webhooks, which may be enabled again. A webhook whose secret is lost is disabled
 * until its merchant rolls the secret.
 */
export const webhookKeys: KeyTable = {
  of: 'webhook secrets',
  table: 'webhooks',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'id',
  placeOf: ({ merchantId, name }) => placeOf({ merchantId, id: name }),
  isNeeded: 'true',
  erase:
    'disabled_at = coalesce(disabled_at, now()), master_key_id = NULL, wrapped_data_key = NULL, secret = NULL',
}

/** The data keys of replaced secrets that still sign. */
export const formerSecretKeys: KeyTable = {
  of: 'replaced webhook secrets',
  table: 'webhook_former_secrets',
  id: 'id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'webhook_id',
  placeOf: ({ merchantId, name }) => placeOf({ merchantId, id: name }),
  isNeeded: 'ends_at > now()',
  erase: 'ends_at = now()',
}
