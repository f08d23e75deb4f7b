import * as v from 'valibot'
import { Amount, Currency } from '../fields/amount.ts'
import { EmailAddress } from '../fields/email-address.ts'
import { Identifier } from '../fields/identifier.ts'
import { Metadata } from '../fields/metadata.ts'
import { onlyKnown } from '../fields/only-known.ts'
import { PostalAddress } from '../fields/postal-address.ts'
import { StatementDescriptor } from '../fields/statement-descriptor.ts'
import { text } from '../fields/text.ts'
import { isReturnUrl, MAX_RETURN_URL } from '../../page/return-url.ts'

const TemplateChoice = v.strictObject({ template_id: Identifier }, onlyKnown('template_id'))

const Customer = v.strictObject(
  {
    email: v.optional(EmailAddress),
    phone: v.optional(text(40)),
    billing_address: v.optional(PostalAddress),
  },
  onlyKnown('email, phone and billing_address'),
)
export type CheckoutCustomer = v.InferOutput<typeof Customer>

/** The number of a workflow version: an integer, not text, so that versions compare as numbers. */
export const WorkflowVersionNumber = v.pipe(
  v.number('version must be an integer'),
  v.integer('version must be an integer'),
  v.minValue(1, 'version must be 1 or more'),
)

/** Body of `POST /v1/checkouts/intent` (contract §5). Strict: a misspelt template would otherwise be ignored. */
export const CheckoutRequest = v.strictObject(
  {
    version: WorkflowVersionNumber,
    amount: Amount,
    currency: v.optional(Currency, 'AUD'),
    reference: v.optional(text(250)),
    description: v.optional(text(1000)),
    /** Both go to the charge that pays it. */
    statement_descriptor: v.optional(StatementDescriptor),
    metadata: v.optional(Metadata),
    /** The shop's page to which the checkout leads back who can't pay it. */
    return_url: v.optional(
      v.pipe(
        text(MAX_RETURN_URL),
        v.check(isReturnUrl, 'return_url must be an https address (http on localhost), without a user name'),
      ),
    ),
    configuration: v.optional(TemplateChoice),
    customisation: v.optional(TemplateChoice),
    customer: v.optional(Customer),
  },
  onlyKnown(
    'version, amount, currency, reference, description, statement_descriptor, metadata, return_url, configuration, customisation and customer',
  ),
)
export type CheckoutRequest = v.InferOutput<typeof CheckoutRequest>
