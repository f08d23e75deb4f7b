import type { ChargeTimeline } from '../../../contract/dashboard/payments/charge-timeline.ts'
import type { Database } from '../../platform/database/database.ts'
import { toAmount } from '../../platform/money.ts'
import { findListed } from './charge-store.ts'
import type { ListedCharge } from './charge-store.ts'
import { actorOf, reversedTypeOf } from './charge.ts'
import type { Attempt, Charge } from './charge.ts'
import { ownCharge } from './charges.ts'
import { laterRefusalOf } from './refusal.ts'

/** A merchant's charge with each of its attempts and what webhooks were sent; throws `not_found` if it is not the merchant's. */
export async function readTimeline(
  { database, webhooksAbout }: TimelineDeps,
  merchantId: string,
  chargeId: string,
): Promise<ChargeTimeline> {
  const [listed] = await findListed(database, [chargeId])
  const charge = ownCharge(merchantId, listed?.charge)
  const eventIds = charge.attempts.flatMap(({ id, authentication }) =>
    [id, authentication?.id, authentication?.passedId].filter((one) => one != null),
  )
  return toTimeline(
    { charge, holdEndsAt: listed?.holdEndsAt ?? null },
    await webhooksAbout(merchantId, eventIds),
  )
}

export interface TimelineDeps {
  database: Database
  /** What was sent to a merchant's webhooks about events. */
  webhooksAbout: (merchantId: string, eventIds: readonly string[]) => Promise<SentWebhook[]>
}

/** A message about an event that was sent to a webhook. */
interface SentWebhook {
  webhookId: string
  eventId: string
  url: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  lastStatus: number | null
  lastFault: string | null
  nextAt: Date | null
  deliveredAt: Date | null
}

type AttemptView = ChargeTimeline['attempts'][number]

/** The timeline on the wire. An attempt's id is its event's. */
function toTimeline({ charge, holdEndsAt }: ListedCharge, webhooks: readonly SentWebhook[]): ChargeTimeline {
  return {
    charge_id: charge.id,
    created_at: charge.createdAt.toISOString(),
    hold_ends_at: holdEndsAt?.toISOString() ?? null,
    attempts: charge.attempts.map((attempt) =>
      toAttemptView(charge, attempt, (eventId) =>
        webhooks.filter((sent) => sent.eventId === eventId).map(toWebhookView),
      ),
    ),
  }
}

/** What was sent about an event. */
type SentAbout = (eventId: string) => AttemptView['webhooks']

function toAttemptView(charge: Charge, attempt: Attempt, sentAbout: SentAbout): AttemptView {
  const refusal = laterRefusalOf(charge, attempt)
  return {
    id: attempt.id,
    type: attempt.type,
    reverses: reversedTypeOf(charge, attempt),
    outcome: attempt.outcome,
    amount: toAmount(attempt.amount),
    currency: charge.currency,
    reference: attempt.reference,
    actor: actorOf(attempt),
    source_ip: attempt.sourceIp,
    error_code: refusal?.code ?? null,
    error_message: refusal?.message ?? null,
    gateway_code: attempt.gatewayCode,
    gateway_description: attempt.gatewayDescription,
    external_id: attempt.externalId,
    external_reference: attempt.externalReference,
    created_at: attempt.createdAt.toISOString(),
    settled_at: attempt.settledAt?.toISOString() ?? null,
    authentication: toAuthenticationView(attempt, sentAbout),
    webhooks: sentAbout(attempt.id),
  }
}

function toAuthenticationView(
  { authentication, settledAt }: Attempt,
  sentAbout: SentAbout,
): AttemptView['authentication'] {
  if (authentication === null) return null
  const { id, status, askedBy, askedAt, passedId, result } = authentication
  const asked = askedAt === null ? null : { at: new Date(askedAt).toISOString(), webhooks: sentAbout(id) }
  const ended =
    settledAt === null
      ? null
      : { at: settledAt.toISOString(), webhooks: passedId === null ? [] : sentAbout(passedId) }
  return { status, asked_by: askedBy, flow: result?.flow ?? null, asked, ended }
}

function toWebhookView(sent: SentWebhook): AttemptView['webhooks'][number] {
  return {
    webhook_id: sent.webhookId,
    url: sent.url,
    status: sent.state,
    attempts: sent.attempts,
    last_status: sent.lastStatus,
    last_fault: sent.lastFault,
    next_at: sent.nextAt?.toISOString() ?? null,
    delivered_at: sent.deliveredAt?.toISOString() ?? null,
  }
}
