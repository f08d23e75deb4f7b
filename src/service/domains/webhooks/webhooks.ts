import { TEST_EVENT } from '../../../contract/api/webhook.ts'
import type { WebhookChange, WebhookRequest } from '../../../contract/api/webhook.ts'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { notFound, ServiceError } from '../../platform/errors.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import { newDelivery } from './delivery.ts'
import type { Delivery } from './delivery.ts'
import { resend } from './delivery-log.ts'
import { createSecret } from './signature.ts'
import { placeOf, safeAddress, typesOf } from './webhook.ts'
import type { Webhook, WebhookPlace } from './webhook.ts'
import * as store from './webhook-store.ts'

/** What the use cases of webhooks need. */
export interface WebhooksDeps {
  database: Database
  vault: TextVault
  createId: CreateId
  /** In the sandbox a merchant's server may run on the developer's machine, without TLS. */
  isSandbox: boolean
}

/** A webhook with its new secret, which is shown this once and never again. */
interface WithSecret {
  webhook: Webhook
  secret: string
}

const MAX_PER_MERCHANT = 16
/** Replaced secrets of one webhook that may sign at once: each is a signature in every message. */
const MAX_FORMER_SECRETS = 4

/** Adds a webhook. Throws `validation_error` for a URL that events can't be sent to. */
export async function addWebhook(
  deps: WebhooksDeps,
  merchantId: string,
  { url, events }: WebhookRequest,
  actor: Actor,
): Promise<WithSecret> {
  const { database, createId, isSandbox } = deps
  const address = safeAddress(url, isSandbox)
  const place = { id: createId(), merchantId }
  const { secret, sealed } = await makeSecret(deps, place)
  const fresh = { ...place, url: address, eventTypes: typesOf(events), secret: sealed }
  const webhook = await store.addWebhook(database, fresh, MAX_PER_MERCHANT, actOf(deps, actor))
  if (webhook === null) throw refused(`A merchant can have ${MAX_PER_MERCHANT} webhooks. Delete one first.`)
  return { webhook, secret }
}

/** Throws `not_found`, as all below do. */
export async function getWebhook(
  { database }: WebhooksDeps,
  { merchantId, id }: WebhookPlace,
): Promise<Webhook> {
  const webhook = (await store.listWebhooks(database, merchantId)).find((one) => one.id === id)
  if (webhook === undefined) throw notFound('webhook')
  return webhook
}

/** Throws `unfulfilled_condition` if it is to be enabled and its secret is lost. */
export async function changeWebhook(
  deps: WebhooksDeps,
  place: WebhookPlace,
  { url, events, status }: WebhookChange,
  actor: Actor,
): Promise<Webhook> {
  const settings = {
    url: url === undefined ? undefined : safeAddress(url, deps.isSandbox),
    eventTypes: events === undefined ? undefined : typesOf(events),
    status,
  }
  if (status === 'enabled' && !(await getWebhook(deps, place)).hasSecret)
    throw refused('The secret of this webhook is lost. Roll it first, then enable the webhook.')
  const changed = await store.changeWebhook(deps.database, place, settings, actOf(deps, actor))
  if (changed === null) throw notFound('webhook')
  return changed
}

/** Gives a webhook a new secret; the one before signs too, for `overlapSeconds` more. */
export async function rollSecret(
  deps: WebhooksDeps,
  place: WebhookPlace,
  overlapSeconds: number,
  actor: Actor,
): Promise<WithSecret> {
  await getWebhook(deps, place)
  const { secret, sealed } = await makeSecret(deps, place)
  const roll = { secret: sealed, formerId: deps.createId(), overlapSeconds, maxFormer: MAX_FORMER_SECRETS }
  const webhook = await store.replaceSecret(deps.database, place, roll, actOf(deps, actor))
  if (webhook === null) throw notFound('webhook')
  if (webhook === 'too many')
    throw refused(
      `${MAX_FORMER_SECRETS} secrets that were replaced still sign. Wait until one has ended, or end them by an overlap_seconds of 0.`,
    )
  return { webhook, secret }
}

export async function removeWebhook(deps: WebhooksDeps, place: WebhookPlace, actor: Actor): Promise<Webhook> {
  const removed = await store.removeWebhook(deps.database, place, actOf(deps, actor))
  if (removed === null) throw notFound('webhook')
  return removed
}

/** Sends a test event to this webhook alone. Throws `unfulfilled_condition` if it is disabled. */
export async function testWebhook(deps: WebhooksDeps, place: WebhookPlace, actor: Actor): Promise<Delivery> {
  const { id } = await getWebhook(deps, place)
  const act = actOf(deps, actor)
  const createdAt = await store.addTestEvent(deps.database, place, act)
  if (createdAt === null) throw isDisabled()
  return newDelivery({ webhookId: id, eventId: act.id, eventType: TEST_EVENT, subject: id, createdAt })
}

/** Sends an event once more, delivered before or not. Throws `unfulfilled_condition` if the webhook is disabled. */
export async function resendEvent(
  deps: WebhooksDeps,
  { merchantId, id }: WebhookPlace,
  eventId: string,
  actor: Actor,
): Promise<Delivery> {
  const { disabledAt } = await getWebhook(deps, { merchantId, id })
  if (disabledAt !== null) throw isDisabled()
  const delivery = await resend(deps.database, { merchantId, webhookId: id, eventId }, actOf(deps, actor))
  if (delivery === null) throw new ServiceError('not_found', 'This webhook was not sent such an event.')
  return delivery
}

async function makeSecret({ vault }: WebhooksDeps, place: WebhookPlace) {
  const secret = createSecret()
  return { secret, sealed: await vault.seal(secret, placeOf(place)) }
}

function actOf({ createId }: WebhooksDeps, actor: Actor): store.Act {
  return { id: createId(), actor }
}

function isDisabled(): ServiceError {
  return refused('This webhook is disabled. Enable it first.')
}

function refused(words: string): ServiceError {
  return new ServiceError('unfulfilled_condition', words)
}
