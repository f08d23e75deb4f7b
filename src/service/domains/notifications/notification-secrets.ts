import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Actor } from '../../../contract/dashboard/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { bytea, nullable, text, timestamptz } from '../../platform/database/sql-types.ts'
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

/** What is kept for an account: what is good now. `former`: the user and password before these, which stay good until they are ended. */
const Secrets = v.object({
  signingKeys: v.array(v.string()),
  user: v.string(),
  password: v.string(),
  former: v.nullish(v.object({ user: v.string(), password: v.string() }), null),
})
export type KeptSecrets = v.InferOutput<typeof Secrets>
/** Of an account for which nothing was set up. */
export const NO_SECRETS: KeptSecrets = { signingKeys: [], user: '', password: '', former: null }

/** An account for which notifications were set up, with what proves them. */
export interface SetUpAccount {
  account: NotifiedAccount
  secrets: KeptSecrets
  changedAt: Date
}

/** A gateway account with what proves its notifications; null if there is no such account, or nothing was set up for it. */
export async function findNotifiedAccount(
  deps: SecretsDeps,
  gatewayId: string,
): Promise<SetUpAccount | null> {
  return (await findSealed(deps, gatewayId))?.found ?? null
}

async function findSealed({ database, textVault }: SecretsDeps, gatewayId: string) {
  const [row] = await database.run(selectAccount, { gateway_id: gatewayId })
  if (row === undefined) return null
  const { merchant_id: merchantId, type: gatewayType, changed_at: changedAt } = row
  const sealed = { masterKeyId: row.master_key_id, wrappedDataKey: row.wrapped_data_key, text: row.secrets }
  const secrets = v.parse(Secrets, JSON.parse(await textVault.open(sealed, placeOf(gatewayId))))
  return {
    found: { account: { gatewayId, gatewayType, merchantId }, secrets, changedAt },
    sealed: row.secrets,
  }
}

/**
 * Ways in which a notification may be proved, the newest secrets alone first: while one is replaced, the one before it is good, too. Each of
 * them is complete.
 */
export function provingSecrets({
  signingKeys,
  former,
  ...newest
}: KeptSecrets): readonly NotificationSecrets[] {
  const ways = [{ ...newest, signingKeys: signingKeys.slice(0, 1) }]
  if (signingKeys.length > 1) ways.push({ ...newest, signingKeys })
  if (former !== null) ways.push({ ...former, signingKeys })
  return ways
}

/** Whether anything from before the last change is still good. */
export function hasFormer({ signingKeys, former }: KeptSecrets): boolean {
  return signingKeys.length > 1 || former !== null
}

/** What a change of them needs. `actor`: who makes it, for the audit log. */
export interface SecretsChangeDeps extends SecretsDeps {
  createId: CreateId
  actor: Actor
}

/** Makes a user and a password for an account's notifications. Those it had stay good until `endFormer`. Null if the account is gone. */
export async function makePassword(
  deps: SecretsChangeDeps,
  gatewayId: string,
): Promise<Pick<NotificationSecrets, 'user' | 'password'> | null> {
  const made = { user: `svc-${gatewayId.slice(-8)}`, password: randomBytes(24).toString('base64url') }
  const isKept = await changeSecrets(deps, gatewayId, 'password', ({ user, password, ...kept }) => ({
    ...kept,
    ...made,
    former: password === '' ? null : { user, password },
  }))
  return isKept ? made : null
}

/** Adds a signing key that the gateway has made. The one before it stays good until `endFormer`. False if the account is gone. */
export function addSigningKey(deps: SecretsChangeDeps, gatewayId: string, key: string): Promise<boolean> {
  return changeSecrets(deps, gatewayId, 'signing_key', ({ signingKeys, ...kept }) => ({
    ...kept,
    signingKeys: [key, ...signingKeys.filter((one) => one !== key).slice(0, 1)],
  }))
}

/** Ends what was good before the last change: what leaked is of no use any more. False if the account is gone. */
export function endFormer(deps: SecretsChangeDeps, gatewayId: string): Promise<boolean> {
  return changeSecrets(deps, gatewayId, 'former_ended', ({ signingKeys, ...kept }) => ({
    ...kept,
    signingKeys: signingKeys.slice(0, 1),
    former: null,
  }))
}

/** How often a change is tried against others that come between. */
const TRIES = 5

/** Changes them, with the event that tells what was changed; false if the account is gone. Two changes at once are both made. */
async function changeSecrets(
  deps: SecretsChangeDeps,
  gatewayId: string,
  change: 'password' | 'signing_key' | 'former_ended',
  changed: (kept: KeptSecrets) => KeptSecrets,
): Promise<boolean> {
  const { database, textVault, createId, actor } = deps
  for (let tries = 0; tries < TRIES; tries += 1) {
    const kept = await findSealed(deps, gatewayId)
    const next = JSON.stringify(changed(kept?.found.secrets ?? NO_SECRETS))
    const { masterKeyId, wrappedDataKey, text: secrets } = await textVault.seal(next, placeOf(gatewayId))
    const sealed = { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, secrets }
    const isKept = await database.transaction(async (queries) => {
      const as_read = kept?.sealed ?? null
      const [row] = await queries.run(upsertSecrets, { gateway_id: gatewayId, as_read, ...sealed })
      if (row === undefined) return false
      const { merchant_id: merchantId } = row
      const type = 'gateway.notifications_changed'
      const facts = { id: gatewayId, change }
      await addEvent(queries, { id: createId(), merchantId, type, subject: merchantId, actor, facts })
      return true
    })
    if (isKept) return true
  }
  return false
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
    changed_at: timestamptz,
  },
  sql: `
    SELECT g.merchant_id, g.type, s.master_key_id, s.wrapped_data_key, s.secrets, s.changed_at
    FROM gateway_notification_secrets s JOIN gateways g ON g.id = s.gateway_id WHERE s.gateway_id = :gateway_id`,
})

/** What was heard under the secrets before says nothing of these, and nor does what was refused. */
const upsertSecrets = statement({
  name: 'keep_notification_secrets',
  values: {
    gateway_id: text,
    as_read: nullable(bytea),
    master_key_id: text,
    wrapped_data_key: bytea,
    secrets: bytea,
  },
  columns: { merchant_id: text },
  sql: `
    INSERT INTO gateway_notification_secrets AS kept (gateway_id, merchant_id, master_key_id, wrapped_data_key, secrets)
    SELECT id, merchant_id, :master_key_id, :wrapped_data_key, :secrets FROM gateways WHERE id = :gateway_id
    ON CONFLICT (gateway_id) DO UPDATE SET master_key_id = excluded.master_key_id,
      wrapped_data_key = excluded.wrapped_data_key, secrets = excluded.secrets, changed_at = now(),
      newest_heard_at = NULL, refused_at = NULL, refused_why = NULL, refused_count = 0
    WHERE kept.secrets = :as_read
    RETURNING merchant_id`,
})
