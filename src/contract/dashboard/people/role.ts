import * as v from 'valibot'

/** What a person may do at a merchant: all of it; all but team and the merchant's end; only look. */
export const Role = v.picklist(['owner', 'developer', 'viewer'], 'must be owner, developer or viewer')
export type Role = v.InferOutput<typeof Role>
