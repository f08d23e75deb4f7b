import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { WebhookEventType, WebhookResource } from '../../../contract/api/webhook.ts'
import type { WriteEvent } from '../../platform/write-event.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import type { SealedText } from '../../platform/vault/sealed-text.ts'
import * as changes from './webhook-change-sql.ts'
import * as sql from './webhook-sql.ts'
import type { Webhook } from './webhook.ts'

/** The event that is written with a change: its own id, and who makes the change. */
interface WrittenAct {
  id: string
  actor: Actor
}

/** Which of a merchant's webhooks. */
export interface WebhookPlace {
  merchantId: string
  id: string
}

/** What becomes of a webhook; what is undefined stays. */
export interface NewSettings {
  url: string | undefined
  /** Null: everything. */
  eventTypes: readonly WebhookEventType[] | null | undefined
  status: WebhookResource['status'] | undefined
}

/** A secret in place of the one there is, which signs on for a while under an id of its own. */
export interface SecretRoll {
  secret: SealedText
  formerId: string
  overlapSeconds: number
  /** How many that were replaced may sign at once. */
  maxFormer: number
}

/** A merchant's webhooks in SQL. */
export interface WebhookStore {
  /** Null when the merchant has `most` of them already. */
  add: (webhook: NewWebhook, max: number, act: WrittenAct) => Promise<Webhook | null>
  list: (merchantId: string) => Promise<Webhook[]>
  /** Of any merchant. */
  find: (id: string) => Promise<Webhook | null>
  /** Null when it is not there, as of `roll` and `remove`. */
  change: (place: WebhookPlace, settings: NewSettings, act: WrittenAct) => Promise<Webhook | null>
  roll: (place: WebhookPlace, roll: SecretRoll, act: WrittenAct) => Promise<Webhook | 'too many' | null>
  eraseEndedSecrets: () => Promise<void>
  /** Writes an event for this webhook alone; when that was, or null where it is not there or disabled. */
  addTestEvent: (merchantId: string, id: string, act: WrittenAct) => Promise<Date | null>
  /** With all that was still to be sent there. */
  remove: (merchantId: string, id: string, act: WrittenAct) => Promise<Webhook | null>
}

export type NewWebhook = Pick<Webhook, 'id' | 'merchantId' | 'url' | 'eventTypes'> & { secret: SealedText }

export function createWebhookStore(database: Database, writeEvent: WriteEvent): WebhookStore {
  const add = sql.addWebhook(writeEvent)
  const change = changes.changeWebhook(writeEvent)
  const remove = sql.removeWebhook(writeEvent)
  const addTest = sql.addTestEvent(writeEvent)
  return {
    async add({ id, merchantId, url, eventTypes, secret }, max, act) {
      const [row] = await database.transaction(async (queries) => {
        await queries.run(sql.waitForTurn, { merchant_id: merchantId })
        return queries.run(add, {
          id,
          merchant_id: merchantId,
          url,
          event_types: eventTypes,
          ...toSealedValues(secret),
          most: max,
          ...toValues(act),
        })
      })
      return toWebhook(row)
    },
    list: async (merchantId) =>
      (await database.run(sql.listWebhooks, { merchant_id: merchantId })).map((row) => toWebhook(row)),
    find: async (id) => toWebhook((await database.run(sql.findWebhook, { id }))[0]),
    change({ merchantId, id }, { url = null, eventTypes, status = null }, act) {
      const place = { id, merchant_id: merchantId }
      const settings = {
        url,
        changes_events: eventTypes !== undefined,
        event_types: eventTypes ?? null,
        status,
      }
      return database.transaction(async (queries) => {
        const [there] = await queries.run(changes.lockWebhook, place)
        if (there === undefined) return null
        const values = { ...place, ...settings, was_disabled: there.is_disabled, ...toValues(act) }
        return toWebhook((await queries.run(change, values))[0])
      })
    },
    roll: createRoll(database, writeEvent),
    async eraseEndedSecrets() {
      await database.run(changes.eraseEndedSecrets, {})
    },
    async addTestEvent(merchantId, id, act) {
      const [row] = await database.run(addTest, { id, merchant_id: merchantId, ...toValues(act) })
      return row?.created_at ?? null
    },
    async remove(merchantId, id, act) {
      const values = { id, merchant_id: merchantId, ...toValues(act) }
      return toWebhook((await database.run(remove, values))[0])
    },
  }
}

function createRoll(database: Database, writeEvent: WriteEvent): WebhookStore['roll'] {
  const replace = changes.replaceSecret(writeEvent)
  return ({ merchantId, id }, { secret, formerId, overlapSeconds, maxFormer }, act) =>
    database.transaction(async (queries) => {
      const [there] = await queries.run(changes.lockWebhook, { id, merchant_id: merchantId })
      if (there === undefined) return null
      const overlap = { id, overlap_seconds: overlapSeconds }
      await queries.run(changes.shortenFormerSecrets, overlap)
      const [former] = await queries.run(changes.countFormerSecrets, { id })
      if (overlapSeconds > 0 && (former?.count ?? 0) >= maxFormer) return 'too many'
      await queries.run(changes.keepSecret, { ...overlap, former_id: formerId })
      const [row] = await queries.run(replace, { ...overlap, ...toSealedValues(secret), ...toValues(act) })
      return toWebhook(row)
    })
}

const toValues = ({ id: event_id, actor }: WrittenAct) => ({ event_id, actor })

const toSealedValues = ({ masterKeyId, wrappedDataKey, text }: SealedText) => ({
  master_key_id: masterKeyId,
  wrapped_data_key: wrappedDataKey,
  secret: text,
})

function toWebhook(row: Row): Webhook
function toWebhook(row: Row | undefined): Webhook | null
function toWebhook(row: Row | undefined): Webhook | null {
  if (row === undefined) return null
  return {
    id: row.id,
    merchantId: row.merchant_id,
    url: row.url,
    eventTypes: row.event_types,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    hasSecret: row.has_secret,
    oldSecretEndsAt: row.old_secret_ends_at,
  }
}

type Row = ValuesOf<typeof sql.webhookColumns>
