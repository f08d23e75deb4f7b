import { createHmac, randomBytes } from 'node:crypto'

/** A new signing secret of 192 random bits, as Standard Webhooks writes it. */
export function createSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

interface Message {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The headers that a message is known by as ours (Standard Webhooks 1.0, symmetric signature v1). */
export function signedHeaders(secret: string, { id, timestamp, body }: Message): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key)
    .update(`${id}.${String(timestamp)}.${body}`)
    .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
}
