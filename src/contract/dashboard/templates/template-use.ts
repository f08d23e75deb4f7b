import * as v from 'valibot'
import { CHECKOUT_STATUSES } from '../../api/checkouts/checkout-resource.ts'
import { Identifier } from '../../api/fields/identifier.ts'

/** One of `GET /api/templates/{id}/checkouts`: a checkout that was made with the template, newest first. */
export const TemplateUse = v.strictObject({
  checkout_id: Identifier,
  status: v.picklist(CHECKOUT_STATUSES),
  amount_cents: v.number(),
  currency: v.string(),
  reference: v.nullable(v.string()),
  /** Of the template, as the checkout keeps it. */
  revision: v.number(),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
})
export type TemplateUse = v.InferOutput<typeof TemplateUse>
