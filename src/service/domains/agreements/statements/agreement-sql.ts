import { bytea, notNull, text } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { agreementColumns } from '../agreement-row.ts'

export const columns = Object.keys(agreementColumns).join(', ')

/**
 * When something changes, `:now` unless it was changed at that moment or later: processes' clocks differ by some milliseconds. So whoever is
 * told of changes can put them in order.
 */
export const laterThan = (updatedAt: string): string =>
  `greatest(:now::timestamptz, ${updatedAt} + interval '1 millisecond')`

export const findAgreement = statement({
  name: 'find_agreement',
  values: { id: text },
  columns: agreementColumns,
  sql: `SELECT ${columns} FROM agreements WHERE id = :id`,
})

/** Until the transaction ends nobody else changes it, or locks it by this statement. */
export const lockAgreement = statement({
  name: 'lock_agreement',
  values: { id: text, merchant_id: text },
  columns: agreementColumns,
  sql: `SELECT ${columns} FROM agreements WHERE id = :id AND merchant_id = :merchant_id FOR NO KEY UPDATE`,
})

export const findSealedAccounts = statement({
  name: 'find_sealed_accounts',
  values: { id: text },
  columns: { master_key_id: notNull(text), wrapped_data_key: notNull(bytea), accounts: notNull(bytea) },
  sql: `
    SELECT master_key_id, wrapped_data_key, accounts FROM agreements
    WHERE id = :id AND master_key_id IS NOT NULL AND wrapped_data_key IS NOT NULL AND accounts IS NOT NULL`,
})
