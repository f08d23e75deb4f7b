import { createHmac, randomBytes } from 'node:crypto'
import { SECRET_PREFIX } from '../../platform/secrets/secret-in-text.ts'

/** A webhook's message before it is signed. */
interface Message {
  /** The event's. */
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/**
 * The headers that sign a message (Standard Webhooks 1.0, symmetric signature v1). Each secret signs, so a server that knows one of
 * them can verify the message.
 */
export function signedHeaders(secrets: readonly string[], message: Message): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signatureOf(secret, message)}`).join(' '),
  }
}

function signatureOf(secret: string, { id, timestamp, body }: Message): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key)
    .update(`${id}.${String(timestamp)}.${body}`)
    .digest('base64')
}

/** A new signing secret of 192 random bits, as Standard Webhooks writes it. */
export function createSecret(): string {
  return `${SECRET_PREFIX.webhookSecret}_${randomBytes(24).toString('base64')}`
}
