import type { Database, Queries } from '../../../platform/database/database.ts'
import { bigint, bool, bytea, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { TextVault } from '../../../platform/vault/sealed-text.ts'
import type { KeyTable } from '../../../platform/vault/wrapped-keys.ts'

const findSecret = statement({
  name: 'find_totp_of_user',
  values: { user_id: text, is_confirmed: bool },
  columns: { master_key_id: text, wrapped_data_key: bytea, secret: bytea },
  sql: `
    SELECT master_key_id, wrapped_data_key, secret FROM user_totp
    WHERE user_id = :user_id AND is_confirmed = :is_confirmed`,
})
/** Replaces one that was not confirmed. */
const offerSecret = statement({
  name: 'offer_totp_to_user',
  values: { user_id: text, master_key_id: text, wrapped_data_key: bytea, secret: bytea },
  columns: { user_id: text },
  sql: `
    INSERT INTO user_totp AS known (user_id, master_key_id, wrapped_data_key, secret)
    VALUES (:user_id, :master_key_id, :wrapped_data_key, :secret)
    ON CONFLICT (user_id) DO UPDATE SET
      master_key_id = excluded.master_key_id, wrapped_data_key = excluded.wrapped_data_key, secret = excluded.secret
    WHERE NOT known.is_confirmed RETURNING user_id`,
})
const confirmSecret = statement({
  name: 'confirm_totp_of_user',
  values: { user_id: text, step: bigint },
  columns: { user_id: text },
  sql: `
    UPDATE user_totp SET is_confirmed = true, last_step = :step
    WHERE user_id = :user_id AND NOT is_confirmed RETURNING user_id`,
})
/** Each code once, also of two requests at the same time: none of a step that was used, or of one before it. */
const spendStep = statement({
  name: 'spend_totp_step_of_user',
  values: { user_id: text, step: bigint },
  columns: { user_id: text },
  sql: `
    UPDATE user_totp SET last_step = :step
    WHERE user_id = :user_id AND is_confirmed AND last_step < :step RETURNING user_id`,
})
const removeSecret = statement({
  name: 'remove_totp_of_user',
  values: { user_id: text },
  columns: { user_id: text },
  sql: 'DELETE FROM user_totp WHERE user_id = :user_id RETURNING user_id',
})

/** The secrets of authenticator apps, sealed. One that its user has not confirmed by a code is no factor yet. */
export interface TotpStore {
  secretOf: (userId: string, state: { isConfirmed: boolean }) => Promise<string | null>
  /** False when the user has a confirmed one. */
  offer: (userId: string, secret: string) => Promise<boolean>
  /** False when there is none to confirm. */
  confirm: (queries: Queries, userId: string, step: number) => Promise<boolean>
  /** False when a code of this step or a later one was used before. */
  spend: (queries: Queries, userId: string, step: number) => Promise<boolean>
  remove: (queries: Queries, userId: string) => Promise<boolean>
}

const placeOf = (userId: string): string => `users/${userId}/totp`

/** The data keys of authenticator apps' secrets. With a lost master key such a factor is gone: an operator removes it. */
export const totpKeys: KeyTable = {
  of: 'second factors',
  table: 'user_totp',
  id: 'user_id',
  idType: 'text',
  merchantId: "''",
  name: 'user_id',
  placeOf: ({ name }) => placeOf(name),
  isNeeded: 'true',
}

export function createTotpStore(database: Database, vault: TextVault): TotpStore {
  return {
    async secretOf(userId, { isConfirmed }) {
      const [row] = await database.run(findSecret, { user_id: userId, is_confirmed: isConfirmed })
      if (row === undefined) return null
      const { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, secret: text } = row
      return vault.open({ masterKeyId, wrappedDataKey, text }, placeOf(userId))
    },
    async offer(userId, secret) {
      const { masterKeyId, wrappedDataKey, text } = await vault.seal(secret, placeOf(userId))
      const sealed = { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, secret: text }
      return (await database.run(offerSecret, { user_id: userId, ...sealed })).length > 0
    },
    async confirm(queries, userId, step) {
      return (await queries.run(confirmSecret, { user_id: userId, step })).length > 0
    },
    async spend(queries, userId, step) {
      return (await queries.run(spendStep, { user_id: userId, step })).length > 0
    },
    async remove(queries, userId) {
      return (await queries.run(removeSecret, { user_id: userId })).length > 0
    },
  }
}
