import type { WebhookDeliveryResource } from '../../../contract/api/webhook.ts'
import { isProxyCode } from '../../platform/outbound/no-answer.ts'
import type { Moves } from '../../platform/state-machine.ts'
import type { SealedText } from '../../platform/vault/vault.ts'
import type { MerchantEvent } from './events.ts'

/** One event on its way to one webhook, as merchants see it. */
export interface Delivery {
  webhookId: string
  eventId: string
  eventType: string
  subject: string
  attempts: number
  lastStatus: number | null
  lastFault: string | null
  nextAt: Date | null
  deliveredAt: Date | null
  createdAt: Date
}

/** A delivery that this process has taken for one attempt. */
export interface DueDelivery {
  /** Every secret signs; the newest is first. */
  webhook: { id: string; merchantId: string; url: string; secrets: readonly SealedText[] }
  event: MerchantEvent
  /** Includes the attempt that it was taken for. */
  attempts: number
}

/** Why an attempt failed. */
export interface Failure {
  /** HTTP status of the answer; null if there was none. */
  status: number | null
  fault: string
}

/** The state of a delivery, as the wire has it. `failed`: given up after the last attempt. */
export type DeliveryState = WebhookDeliveryResource['status']

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const satisfies readonly DeliveryState[]

/** `take`: for one attempt; `give_back`: the attempt was cut short; `disable`: the webhook gets nothing any more. */
export type DeliveryAction = 'take' | 'give_back' | 'deliver' | 'retry' | 'give_up' | 'disable'

/** A failed delivery can still become delivered: another process may have been sending it when it was given up. */
export const deliveryMoves: Moves<DeliveryState, DeliveryAction> = {
  waiting: {
    take: 'waiting',
    give_back: 'waiting',
    deliver: 'delivered',
    retry: 'waiting',
    give_up: 'failed',
    disable: 'failed',
  },
  delivered: {},
  failed: { deliver: 'delivered' },
}

export function deliveryStateOf({
  deliveredAt,
  nextAt,
}: Pick<Delivery, 'deliveredAt' | 'nextAt'>): DeliveryState {
  if (deliveredAt !== null) return 'delivered'
  return nextAt === null ? 'failed' : 'waiting'
}

/** A delivery before its first attempt: due at once. */
export function newDelivery(
  about: Pick<Delivery, 'webhookId' | 'eventId' | 'eventType' | 'subject' | 'createdAt'>,
): Delivery {
  const { createdAt: nextAt } = about
  return { ...about, attempts: 0, lastStatus: null, lastFault: null, nextAt, deliveredAt: null }
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds to wait after each failed attempt, as Standard Webhooks proposes; after the last the delivery is given up. */
const DELAYS = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

/** Delays vary at random by up to this share, so that a server that comes back is not flooded. */
const JITTER = 0.2

/** The longest delay after each number of attempts, from 1 on, in seconds. */
export const LONGEST_DELAYS: readonly number[] = DELAYS.map((delay) => delay * (1 + JITTER))

/** Seconds until the next attempt, or null after the last one. `random` returns 0 to 1. */
export function retryDelay(attempts: number, random: () => number): number | null {
  const delay = DELAYS[attempts - 1]
  return delay === undefined ? null : delay * (1 - JITTER + 2 * JITTER * random())
}

const FAULTS: Readonly<Record<string, string>> = {
  TIMED_OUT: 'no answer in time',
  NOT_PUBLIC: 'the address is not a public one',
  UPGRADED: 'the server switched protocols',
  TOO_MANY_INTERIM_ANSWERS: 'the server sent too many interim answers (1xx)',
  CLOSED: 'the server closed the connection',
  UNASKED_ANSWER: 'the server answered what it was not asked',
  NOT_HTTP: 'the server does not speak HTTP as it should',
  HEADERS_TOO_LONG: 'the headers of the answer are too long',
  ECONNREFUSED: 'nothing listens at this address (ECONNREFUSED)',
  ECONNRESET: 'the connection was broken off (ECONNRESET)',
  EPIPE: 'the connection was broken off (EPIPE)',
  ENOTFOUND: 'there is no host of this name (ENOTFOUND)',
  ENODATA: 'there is no host of this name (ENODATA)',
  EAI_AGAIN: 'the name of the host could not be looked up (EAI_AGAIN)',
  EHOSTUNREACH: 'the host cannot be reached (EHOSTUNREACH)',
  ENETUNREACH: 'the host cannot be reached (ENETUNREACH)',
  ETIMEDOUT: 'no connection in time (ETIMEDOUT)',
  CERT_HAS_EXPIRED: 'the certificate has expired (CERT_HAS_EXPIRED)',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an unknown authority (SELF_SIGNED_CERT_IN_CHAIN)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'certificates between that of the server and its authority are missing (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
  EPROTO: 'the server does not speak TLS as it should (EPROTO)',
}

/** A failed attempt in words, with the system's code that people search for; no resolved address is shown. */
export function faultOf(code: string): string {
  if (isProxyCode(code)) return `the proxy of this service let nothing through (${code})`
  return FAULTS[code] ?? code
}
