import * as v from 'valibot'
import { CHARGE_STATUSES } from '../../../contract/api/charge-resource.ts'
import { pageEntries } from '../../platform/http/page-query.ts'

/** Query of `GET /v1/charges` (contract §4). Strict: a misspelt filter would list what was not asked for. */
export const ListQuery = v.strictObject({
  status: v.optional(
    v.picklist(CHARGE_STATUSES, 'must be processing, pending, complete, cancelled, failed or refunded'),
  ),
  ...pageEntries,
})
