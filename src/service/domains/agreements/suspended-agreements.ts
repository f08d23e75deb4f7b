import { MAX_SHOWN } from '../../../contract/dashboard/overview.ts'
import type { Database } from '../../platform/database/database.ts'
import { bigint, text, timestamptz } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import { MAX_READ, toNeeds } from '../../platform/listing/needs-attention.ts'
import type { FindNeeds } from '../../platform/listing/needs-attention.ts'

const SUSPENDED = "agreements WHERE merchant_id = :merchant_id AND status = 'suspended'"

/** The newest, and how many there are, which an index alone counts. */
const findSuspended = statement({
  name: 'find_suspended_agreements',
  values: { merchant_id: text, most: bigint, shown: bigint },
  columns: { id: text, at: timestamptz, description: text, found: bigint },
  sql: `
    SELECT id, updated_at AS at, description,
           (SELECT count(*) FROM (SELECT FROM ${SUSPENDED} LIMIT :most) counted) AS found
    FROM ${SUSPENDED} ORDER BY created_at DESC, id DESC LIMIT :shown`,
})

/** Agreements that are suspended, by the merchant or by the payer. */
export function createSuspendedAgreements(database: Database): FindNeeds {
  return async (merchantId) => {
    const values = { merchant_id: merchantId, most: MAX_READ, shown: MAX_SHOWN }
    const rows = await database.run(findSuspended, values)
    return toNeeds(
      rows,
      { kind: 'agreement_suspended', target: { page: 'agreements', query: { status: 'suspended' } } },
      ({ id, at, description }) => ({ id, at, words: description, cents: null, currency: null }),
      rows[0]?.found,
    )
  }
}
