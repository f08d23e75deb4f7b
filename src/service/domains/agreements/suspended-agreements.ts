import type { Database } from '../../platform/database/database.ts'
import { bigint, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { MOST_READ, toNeeds } from '../../platform/listing/needs-a-hand.ts'
import type { FindNeeds } from '../../platform/listing/needs-a-hand.ts'

const findSuspended = statement({
  name: 'find_suspended_agreements',
  values: { merchant_id: text, most: bigint },
  columns: { id: text, at: timestamptz, description: text },
  sql: `
    SELECT id, updated_at AS at, description FROM agreements
    WHERE merchant_id = :merchant_id AND status = 'suspended'
    ORDER BY created_at DESC, id DESC LIMIT :most`,
})

/** Agreements that are suspended, by the merchant or by the payer. */
export function createSuspendedAgreements(database: Database): FindNeeds {
  return async (merchantId) =>
    toNeeds(
      await database.run(findSuspended, { merchant_id: merchantId, most: MOST_READ }),
      { kind: 'agreement_suspended', target: { page: 'agreements', query: { status: 'suspended' } } },
      ({ id, at, description }) => ({ id, at, words: description, cents: null, currency: null }),
    )
}
