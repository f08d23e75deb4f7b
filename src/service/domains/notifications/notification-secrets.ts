import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { bytea, text, timestamptz } from '../../platform/database/sql-types.ts'
import { addEvent } from '../../platform/events.ts'
import type { CreateId } from '../../platform/identifiers.ts'
import { statement } from '../../platform/database/statement.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'
import type { NotificationSecrets } from '../gateways/gateway.ts'
import type { NotifiedAccount } from './notification-store.ts'

/** What secrets of notifications need. */
export interface SecretsDeps {
  database: Database
  textVault: TextVault
}

const placeOf = (gatewayId: string): string => `gateways/${gatewayId}/notifications`

/** The data keys of these secrets. If a master key is lost, the operator sets notifications up anew. */
export const notificationKeys: KeyTable = {
  of: 'secrets of gateways’ notifications',
  table: 'gateway_notification_secrets',
  id: 'gateway_id',
  idType: 'text',
  merchantId: 'merchant_id',
  name: 'gateway_id',
  placeOf: ({ name }) => placeOf(name),
  isNeeded: 'true',
}

const Secrets = v.object({ signingKeys: v.array(v.string()), user: v.string(), password: v.string() })

/** A gateway account with what proves its notifications; null if there is no such account, or nothing was set up for it. */
export async function findNotifiedAccount(
  { database, textVault }: SecretsDeps,
  gatewayId: string,
): Promise<{ account: NotifiedAccount; secrets: NotificationSecrets } | null> {
  const [row] = await database.run(selectAccount, { gateway_id: gatewayId })
  if (row === undefined) return null
  const { merchant_id: merchantId, type: gatewayType } = row
  const sealed = {
    masterKeyId: row.master_key_id,
    wrappedDataKey: row.wrapped_data_key,
    text: row.secrets,
  }
  const secrets = v.parse(Secrets, JSON.parse(await textVault.open(sealed, placeOf(gatewayId))))
  return { account: { gatewayId, gatewayType, merchantId }, secrets }
}

/** What a change of them needs. `actor`: who makes it, for the audit log. */
export interface SecretsChangeDeps extends SecretsDeps {
  createId: CreateId
  actor: Actor
}

/** When notifications of an account were last set up; null if never. */
export async function notificationsChangedAt(queries: Queries, gatewayId: string): Promise<Date | null> {
  return (await queries.run(selectChangedAt, { gateway_id: gatewayId }))[0]?.changed_at ?? null
}

/** Makes a user and a password for an account's notifications, in place of those it had; its signing keys stay. Null if it is gone. */
export async function makePassword(
  deps: SecretsChangeDeps,
  gatewayId: string,
): Promise<Pick<NotificationSecrets, 'user' | 'password'> | null> {
  const kept = await findNotifiedAccount(deps, gatewayId)
  const made = { user: `svc-${gatewayId.slice(-8)}`, password: randomBytes(24).toString('base64url') }
  const secrets = { signingKeys: kept?.secrets.signingKeys ?? [], ...made }
  return (await keepSecrets(deps, gatewayId, secrets, 'password')) ? made : null
}

/** Adds a signing key that the gateway has made. The one before it stays good, for what was sent before the change. */
export async function addSigningKey(
  deps: SecretsChangeDeps,
  gatewayId: string,
  key: string,
): Promise<boolean> {
  const kept = (await findNotifiedAccount(deps, gatewayId))?.secrets
  const { user = '', password = '', signingKeys = [] } = kept ?? {}
  const others = signingKeys.filter((one) => one !== key)
  const secrets = { user, password, signingKeys: [key, ...others.slice(0, 1)] }
  return keepSecrets(deps, gatewayId, secrets, 'signing_key')
}

/** Keeps them with the event that tells what was changed; false if the account is gone. */
async function keepSecrets(
  { database, textVault, createId, actor }: SecretsChangeDeps,
  gatewayId: string,
  secrets: NotificationSecrets,
  change: 'password' | 'signing_key',
): Promise<boolean> {
  const {
    masterKeyId,
    wrappedDataKey,
    text: sealed,
  } = await textVault.seal(JSON.stringify(secrets), placeOf(gatewayId))
  const values = { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, secrets: sealed }
  return database.transaction(async (queries) => {
    const [kept] = await queries.run(upsertSecrets, { gateway_id: gatewayId, ...values })
    if (kept === undefined) return false
    const { merchant_id: merchantId } = kept
    const type = 'gateway.notifications_changed'
    const facts = { id: gatewayId, change }
    await addEvent(queries, { id: createId(), merchantId, type, subject: merchantId, actor, facts })
    return true
  })
}

const selectAccount = statement({
  name: 'find_notified_account',
  values: { gateway_id: text },
  columns: {
    merchant_id: text,
    type: text,
    master_key_id: text,
    wrapped_data_key: bytea,
    secrets: bytea,
  },
  sql: `
    SELECT g.merchant_id, g.type, s.master_key_id, s.wrapped_data_key, s.secrets
    FROM gateway_notification_secrets s JOIN gateways g ON g.id = s.gateway_id WHERE s.gateway_id = :gateway_id`,
})

const selectChangedAt = statement({
  name: 'see_notification_secrets',
  values: { gateway_id: text },
  columns: { changed_at: timestamptz },
  sql: 'SELECT changed_at FROM gateway_notification_secrets WHERE gateway_id = :gateway_id',
})

const upsertSecrets = statement({
  name: 'keep_notification_secrets',
  values: { gateway_id: text, master_key_id: text, wrapped_data_key: bytea, secrets: bytea },
  columns: { merchant_id: text },
  sql: `
    INSERT INTO gateway_notification_secrets (gateway_id, merchant_id, master_key_id, wrapped_data_key, secrets)
    SELECT id, merchant_id, :master_key_id, :wrapped_data_key, :secrets FROM gateways WHERE id = :gateway_id
    ON CONFLICT (gateway_id) DO UPDATE SET master_key_id = excluded.master_key_id,
      wrapped_data_key = excluded.wrapped_data_key, secrets = excluded.secrets, changed_at = now()
    RETURNING merchant_id`,
})
