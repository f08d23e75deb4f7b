import type { Queries } from '../../platform/database/database.ts'
import { arrayOf, bigint, bool, bytea, text } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { TextVault } from '../../platform/vault/vault.ts'
import type { KeyTable } from '../../platform/vault/wrapped-keys.ts'

/** The data keys of authenticator apps' secrets. If their master key is lost, an operator removes the factor. */
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

/** The secret of a user's authenticator app. It is no factor until the user has confirmed it with a code. */
export async function findTotpSecret(
  { database, textVault }: { database: Queries; textVault: TextVault },
  userId: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<string | null> {
  const [row] = await database.run(selectSecret, { user_id: userId, is_confirmed: isConfirmed })
  if (row === undefined) return null
  const { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, secret: text } = row
  return textVault.open({ masterKeyId, wrappedDataKey, text }, placeOf(userId))
}

/** Keeps a secret, sealed, to be confirmed. False if the user has a confirmed one. */
export async function offerTotpSecret(
  { database, textVault }: { database: Queries; textVault: TextVault },
  userId: string,
  secret: string,
): Promise<boolean> {
  const { masterKeyId, wrappedDataKey, text } = await textVault.seal(secret, placeOf(userId))
  const sealed = { master_key_id: masterKeyId, wrapped_data_key: wrappedDataKey, secret: text }
  return (await database.run(upsertSecret, { user_id: userId, ...sealed })).length > 0
}

/** False if there is none to confirm. */
export async function confirmTotpSecret(queries: Queries, userId: string, step: number): Promise<boolean> {
  return (await queries.run(updateToConfirmed, { user_id: userId, step })).length > 0
}

/** False if a code of this step or a later one was used before. */
export async function spendTotpStep(queries: Queries, userId: string, step: number): Promise<boolean> {
  return (await queries.run(updateStep, { user_id: userId, step })).length > 0
}

export async function removeTotpSecret(queries: Queries, userId: string): Promise<boolean> {
  return (await queries.run(deleteSecret, { user_id: userId })).length > 0
}

/** Replaces a user's recovery codes, of which only hashes are kept. */
export async function replaceRecoveryCodes(
  queries: Queries,
  userId: string,
  hashes: Buffer[],
): Promise<void> {
  await voidRecoveryCodes(queries, userId)
  await queries.run(insertCodes, { user_id: userId, hashes })
}

export async function voidRecoveryCodes(queries: Queries, userId: string): Promise<void> {
  await queries.run(deleteCodes, { user_id: userId })
}

/** Uses a code up. False if the user has no such code left. */
export async function spendRecoveryCode(queries: Queries, userId: string, hash: Buffer): Promise<boolean> {
  return (await queries.run(deleteCode, { user_id: userId, hash })).length > 0
}

/** What a sealed secret is bound to. */
function placeOf(userId: string): string {
  return `users/${userId}/totp`
}

const selectSecret = statement({
  name: 'find_totp_of_user',
  values: { user_id: text, is_confirmed: bool },
  columns: { master_key_id: text, wrapped_data_key: bytea, secret: bytea },
  sql: `
    SELECT master_key_id, wrapped_data_key, secret FROM user_totp
    WHERE user_id = :user_id AND is_confirmed = :is_confirmed`,
})
/** Replaces a secret that was never confirmed. */
const upsertSecret = statement({
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
const updateToConfirmed = statement({
  name: 'confirm_totp_of_user',
  values: { user_id: text, step: bigint },
  columns: { user_id: text },
  sql: `
    UPDATE user_totp SET is_confirmed = true, last_step = :step
    WHERE user_id = :user_id AND NOT is_confirmed RETURNING user_id`,
})
/** Refuses the step that was used last, and all before it: each code works once, even for two requests at once. */
const updateStep = statement({
  name: 'spend_totp_step_of_user',
  values: { user_id: text, step: bigint },
  columns: { user_id: text },
  sql: `
    UPDATE user_totp SET last_step = :step
    WHERE user_id = :user_id AND is_confirmed AND last_step < :step RETURNING user_id`,
})
const deleteSecret = statement({
  name: 'remove_totp_of_user',
  values: { user_id: text },
  columns: { user_id: text },
  sql: 'DELETE FROM user_totp WHERE user_id = :user_id RETURNING user_id',
})
const insertCodes = statement({
  name: 'add_recovery_codes',
  values: { user_id: text, hashes: arrayOf(bytea) },
  columns: {},
  sql: 'INSERT INTO recovery_codes (user_id, hash) SELECT :user_id, unnest(:hashes::bytea[])',
})
const deleteCodes = statement({
  name: 'void_recovery_codes',
  values: { user_id: text },
  columns: {},
  sql: 'DELETE FROM recovery_codes WHERE user_id = :user_id',
})
const deleteCode = statement({
  name: 'spend_recovery_code',
  values: { user_id: text, hash: bytea },
  columns: { user_id: text },
  sql: 'DELETE FROM recovery_codes WHERE user_id = :user_id AND hash = :hash RETURNING user_id',
})
