import type { TimeOfDay } from '../../../platform/clocks.ts'
import type { TextVault } from '../../../platform/vault/sealed-text.ts'
import { messageOf } from '../event-kind.ts'
import type { ResourcesAsOf } from '../event-kind.ts'
import { placeOf } from '../webhook.ts'
import type { DueDelivery } from '../webhook.ts'
import { signedHeaders } from './signature.ts'

export interface MessageParts {
  resourcesAsOf: ResourcesAsOf
  /** The `User-Agent` of messages. */
  userAgent: string
  timeOfDay: TimeOfDay
  onFault: (error: unknown) => void
}

export interface Message {
  headers: Record<string, string>
  body: string
}
export interface Fault {
  fault: string
}

/** The message of an event, signed anew. */
export async function makeMessage(
  { resourcesAsOf, timeOfDay, userAgent, onFault }: MessageParts,
  { webhook, event }: DueDelivery,
  opening: Promise<string[]>,
): Promise<Message | Fault> {
  try {
    const [content, secrets] = await Promise.all([messageOf(resourcesAsOf, event), opening])
    if (secrets.length === 0) throw new Error(`the secret of the webhook ${webhook.id} is lost`)
    const timestamp = Math.floor(timeOfDay.epochMs() / 1000)
    const body = JSON.stringify(content)
    const signed = signedHeaders(secrets, { id: event.id, timestamp, body })
    return { body, headers: { ...signed, 'user-agent': userAgent } }
  } catch (error) {
    onFault(error)
    return { fault: "the message could not be made: the service's log says why" }
  }
}

/**
 * Opens the secrets of each webhook once for all messages that are made at the same time, as each opening may be a call to a key
 * service. The secrets are forgotten with the returned function.
 */
export function openOnce(vault: TextVault): (webhook: DueDelivery['webhook']) => Promise<string[]> {
  const opened = new Map<string, Promise<string[]>>()
  return (webhook) => {
    const open = () => Promise.all(webhook.secrets.map((secret) => vault.open(secret, placeOf(webhook))))
    const secrets = opened.get(webhook.id) ?? open()
    opened.set(webhook.id, secrets)
    return secrets
  }
}
