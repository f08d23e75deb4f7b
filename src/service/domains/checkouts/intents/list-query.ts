import * as v from 'valibot'
import { CHECKOUT_STATUSES } from '../../../../contract/api/checkouts/checkout-resource.ts'
import { pageEntries } from '../../../platform/listing/page-query.ts'

/** Query of `GET /v1/checkouts`. Strict: a misspelt filter would list what was not asked for. */
export const ListQuery = v.strictObject({
  status: v.optional(v.picklist(CHECKOUT_STATUSES, 'must be active, completed, expired or cancelled')),
  ...pageEntries,
})
