import * as v from 'valibot'
import { AGREEMENT_TYPES } from '../../../contract/api/agreements/agreement-request.ts'
import { AGREEMENT_STATUSES } from '../../../contract/api/agreements/agreement-resource.ts'
import { pageEntries } from '../../platform/listing/page-query.ts'

/** Query of `GET /agreements`. Strict: a misspelt filter would list what was not asked for. */
export const ListQuery = v.strictObject({
  status: v.optional(
    v.picklist(AGREEMENT_STATUSES, 'must be created, active, suspended, cancelled or expired'),
  ),
  type: v.optional(v.picklist(AGREEMENT_TYPES, 'must be oneoff, recurring or adhoc')),
  ...pageEntries,
})
