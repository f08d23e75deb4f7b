import * as v from 'valibot'
import { AgreementPaymentResource } from '../../api/agreements/agreement-payment-resource.ts'

/** A payment in a page of `GET /api/payments`, newest first, with what its agreement is called and who pays by it. */
export const ListedPayment = v.strictObject({
  ...AgreementPaymentResource.entries,
  agreement_description: v.string(),
  debtor_name: v.string(),
})
export type ListedPayment = v.InferOutput<typeof ListedPayment>
