import type { Actor } from '../../../contract/dashboard/audit.ts'
import { ALL_EVENTS, TEST_EVENT } from '../../../contract/api/webhook.ts'
import type { WebhookChange, WebhookEventType, WebhookRequest } from '../../../contract/api/webhook.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/sealed-text.ts'
import { createSecret } from './delivery/signature.ts'
import { safeAddress } from './safe-address.ts'
import { newDelivery, placeOf } from './webhook.ts'
import type { Delivery, Webhook } from './webhook.ts'
import type { WebhookPlace, WebhookStore } from './webhook-store.ts'

const MAX_PER_MERCHANT = 16
/** Secrets of one webhook that were replaced and sign at once, at the most: each is a signature in every message. */
const MAX_FORMER_SECRETS = 4

/** A webhook with the secret that was just made for it, which is shown here once and never again. */
interface WithSecret {
  webhook: Webhook
  secret: string
}

/** What a merchant can do with its webhooks. `actor`: who does it, for the audit log. */
export interface Webhooks {
  /** Throws `validation_error` for a URL we can't send to. */
  make: (merchantId: string, request: WebhookRequest, actor: Actor) => Promise<WithSecret>
  list: (merchantId: string) => Promise<Webhook[]>
  /** Throws `not_found`, as all that follow do. */
  get: (merchantId: string, id: string) => Promise<Webhook>
  /** One that events can be sent to. Throws `unfulfilled_condition` where it is disabled. */
  getEnabled: (merchantId: string, id: string) => Promise<Webhook>
  /** Throws `unfulfilled_condition` where it is to be enabled and its secret is lost. */
  change: (place: WebhookPlace, change: WebhookChange, actor: Actor) => Promise<Webhook>
  /** Makes a new secret; the one before it signs, too, for `overlapSeconds` more. */
  rollSecret: (place: WebhookPlace, overlapSeconds: number, actor: Actor) => Promise<WithSecret>
  remove: (merchantId: string, id: string, actor: Actor) => Promise<Webhook>
  /** Sends an event to this one alone. Throws `unfulfilled_condition` where it is disabled. */
  test: (merchantId: string, id: string, actor: Actor) => Promise<Delivery>
}

interface Parts {
  store: WebhookStore
  vault: TextVault
  createId: CreateId
  /** In sandbox a merchant's server may run on the developer's machine, without TLS. */
  isSandbox: boolean
}

export function createWebhooks({ store, vault, createId, isSandbox }: Parts): Webhooks {
  const makeSecret = async (place: WebhookPlace) => {
    const secret = createSecret()
    return { secret, sealed: await vault.seal(secret, placeOf(place)) }
  }
  const get: Webhooks['get'] = async (merchantId, id) =>
    (await store.list(merchantId)).find((webhook) => webhook.id === id) ?? notFound()
  return {
    async make(merchantId, { url, events }, actor) {
      const address = safeAddress(url, isSandbox)
      const place = { id: createId(), merchantId }
      const { secret, sealed } = await makeSecret(place)
      const fresh = { ...place, url: address, eventTypes: typesOf(events), secret: sealed }
      const webhook = await store.add(fresh, MAX_PER_MERCHANT, { id: createId(), actor })
      if (webhook === null)
        throw refused(`A merchant can have ${MAX_PER_MERCHANT} webhooks. Delete one first.`)
      return { webhook, secret }
    },
    list: store.list,
    get,
    async getEnabled(merchantId, id) {
      const webhook = await get(merchantId, id)
      if (webhook.disabledAt !== null) throw isDisabled()
      return webhook
    },
    async change(place, { url, events, status }, actor) {
      const settings = {
        url: url === undefined ? undefined : safeAddress(url, isSandbox),
        eventTypes: events === undefined ? undefined : typesOf(events),
        status,
      }
      if (status === 'enabled' && !(await get(place.merchantId, place.id)).hasSecret)
        throw refused('The secret of this webhook is lost. Roll it first, then enable the webhook.')
      return (await store.change(place, settings, { id: createId(), actor })) ?? notFound()
    },
    async rollSecret(place, overlapSeconds, actor) {
      await get(place.merchantId, place.id)
      const { secret, sealed } = await makeSecret(place)
      const roll = { secret: sealed, formerId: createId(), overlapSeconds, maxFormer: MAX_FORMER_SECRETS }
      const webhook = (await store.roll(place, roll, { id: createId(), actor })) ?? notFound()
      if (webhook === 'too many')
        throw refused(
          `${MAX_FORMER_SECRETS} secrets that were replaced still sign. Wait until one has ended, or end them by an overlap_seconds of 0.`,
        )
      return { webhook, secret }
    },
    remove: async (merchantId, id, actor) =>
      (await store.remove(merchantId, id, { id: createId(), actor })) ?? notFound(),
    async test(merchantId, id, actor) {
      await get(merchantId, id)
      const eventId = createId()
      const createdAt = await store.addTestEvent(merchantId, id, { id: eventId, actor })
      if (createdAt === null) throw isDisabled()
      return newDelivery({ webhookId: id, eventId, eventType: TEST_EVENT, subject: id, createdAt })
    },
  }
}

/** What a webhook is to be told of; null: everything, also what comes to exist later. */
function typesOf(events: WebhookRequest['events']): WebhookEventType[] | null {
  if (events === undefined || events.includes(ALL_EVENTS)) return null
  return [...new Set(events)].filter((event) => event !== ALL_EVENTS)
}

function isDisabled(): ServiceError {
  return refused('This webhook is disabled. Enable it first.')
}

function refused(words: string): ServiceError {
  return new ServiceError('unfulfilled_condition', words)
}

function notFound(): never {
  throw new ServiceError('not_found', 'There is no webhook with this id.')
}
