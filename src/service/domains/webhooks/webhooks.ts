import { MOST_URL_LENGTH, TEST_EVENT } from '../../../contract/api/webhook.ts'
import type { WebhookRequest } from '../../../contract/api/webhook.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import type { TextVault } from '../../platform/vault/sealed-text.ts'
import { createSecret } from './delivery/signature.ts'
import { newDelivery, placeOf } from './webhook.ts'
import type { Delivery, Webhook } from './webhook.ts'
import type { WebhookStore } from './webhook-store.ts'

const MOST_PER_MERCHANT = 16

/** What a merchant can do with its webhooks. `actor`: who does it, for the audit log. */
export interface Webhooks {
  /** Makes one; its secret is shown here once and never again. Throws `validation_error` for a URL we can't send to. */
  make: (
    merchantId: string,
    request: WebhookRequest,
    actor: string,
  ) => Promise<{ webhook: Webhook; secret: string }>
  list: (merchantId: string) => Promise<Webhook[]>
  /** Throws `not_found`, as `remove` does. */
  get: (merchantId: string, id: string) => Promise<Webhook>
  remove: (merchantId: string, id: string, actor: string) => Promise<Webhook>
  /** Sends an event to this one alone. Throws `unfulfilled_condition` where it is disabled. */
  test: (merchantId: string, id: string, actor: string) => Promise<Delivery>
}

interface Parts {
  store: WebhookStore
  vault: TextVault
  createId: CreateId
  /** In sandbox a merchant's server may run on the developer's machine, without TLS. */
  isSandbox: boolean
}

export function createWebhooks({ store, vault, createId, isSandbox }: Parts): Webhooks {
  return {
    async make(merchantId, { url, events }, actor) {
      const address = safeAddress(url, isSandbox)
      const place = { id: createId(), merchantId }
      const secret = createSecret()
      const sealed = await vault.seal(secret, placeOf(place))
      const eventTypes = events === undefined ? null : [...new Set(events)]
      const fresh = { ...place, url: address, eventTypes, secret: sealed }
      const webhook = await store.add(fresh, MOST_PER_MERCHANT, { id: createId(), actor })
      if (webhook === null) {
        throw new ServiceError(
          'unfulfilled_condition',
          `A merchant can have ${String(MOST_PER_MERCHANT)} webhooks. Delete one first.`,
        )
      }
      return { webhook, secret }
    },
    list: store.list,
    async get(merchantId, id) {
      return (await store.list(merchantId)).find((webhook) => webhook.id === id) ?? notFound()
    },
    remove: async (merchantId, id, actor) =>
      (await store.remove(merchantId, id, { id: createId(), actor })) ?? notFound(),
    async test(merchantId, id, actor) {
      if (!(await store.list(merchantId)).some((webhook) => webhook.id === id)) notFound()
      const eventId = createId()
      const createdAt = await store.addTestEvent(merchantId, id, { id: eventId, actor })
      if (createdAt === null)
        throw new ServiceError('unfulfilled_condition', 'This webhook is disabled: make another one.')
      return newDelivery({ webhookId: id, eventId, eventType: TEST_EVENT, subject: id, createdAt })
    },
  }
}

/** A URL as it is understood and kept, which need not be as it was written. */
function safeAddress(url: string, isSandbox: boolean): string {
  const { protocol, hostname, username, password, hash, href } = new URL(url)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !(isSandbox && isLocal && protocol === 'http:')) {
    throw refused(
      isSandbox ? 'must begin with https:// (http:// for localhost only)' : 'must begin with https://',
    )
  }
  if (username !== '' || password !== '') throw refused('may hold no user name or password')
  if (hash !== '') throw refused('may hold no fragment (#)')
  if (href.length > MOST_URL_LENGTH) throw refused(`may have ${MOST_URL_LENGTH} characters at most`)
  return href
}

function refused(message: string): ServiceError {
  const details = [{ path: 'url', message }]
  return new ServiceError('validation_error', 'The request is not valid. Correct what details names.', {
    details,
  })
}

function notFound(): never {
  throw new ServiceError('not_found', 'There is no webhook with this id.')
}
