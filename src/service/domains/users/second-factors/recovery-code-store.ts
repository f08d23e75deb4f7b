import type { Queries } from '../../../platform/database/database.ts'
import { arrayOf, bytea, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { createRecoveryCodes, recoveryCodeHash } from './recovery-code.ts'

const addCodes = statement({
  name: 'add_recovery_codes',
  values: { user_id: text, hashes: arrayOf(bytea) },
  columns: {},
  sql: 'INSERT INTO recovery_codes (user_id, hash) SELECT :user_id, unnest(:hashes::bytea[])',
})
const voidCodes = statement({
  name: 'void_recovery_codes',
  values: { user_id: text },
  columns: {},
  sql: 'DELETE FROM recovery_codes WHERE user_id = :user_id',
})
const spendCode = statement({
  name: 'spend_recovery_code',
  values: { user_id: text, hash: bytea },
  columns: { user_id: text },
  sql: 'DELETE FROM recovery_codes WHERE user_id = :user_id AND hash = :hash RETURNING user_id',
})

/** Makes a user new recovery codes, shown this once, within the transaction; those before them are void. */
export async function renewRecoveryCodes(queries: Queries, userId: string): Promise<string[]> {
  const codes = createRecoveryCodes()
  await queries.run(voidCodes, { user_id: userId })
  await queries.run(addCodes, {
    user_id: userId,
    hashes: codes.map((code) => recoveryCodeHash(userId, code)),
  })
  return codes
}

export async function voidRecoveryCodes(queries: Queries, userId: string): Promise<void> {
  await queries.run(voidCodes, { user_id: userId })
}

/** Uses a code up; false when the user has no such code left. */
export async function spendRecoveryCode(queries: Queries, userId: string, code: string): Promise<boolean> {
  const values = { user_id: userId, hash: recoveryCodeHash(userId, code) }
  return (await queries.run(spendCode, values)).length > 0
}
