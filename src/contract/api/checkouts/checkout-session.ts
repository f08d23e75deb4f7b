import * as v from 'valibot'
import { FORM_FIELDS } from '../../page/fields/card-fields.ts'
import { Identifier } from '../fields/identifier.ts'
import { onlyKnown } from '../fields/only-known.ts'
import { WidgetSettings } from '../../page/widget-settings.ts'

const { fields, card_icons, only_supported, texts, styles, element_styles, theme, layout, language } =
  WidgetSettings.entries
const Configuration = v.strictObject({ fields, card_icons, only_supported })
const Customisation = v.strictObject({ texts, styles, element_styles, theme, language })
const LaterCustomisation = v.strictObject({ layout, styles })

/** An authentication that waits for the card holder, as `POST /v1/charges` tells it (contract §4.3). */
const CheckoutAuthentication = v.object({ id: Identifier, token: v.string() })

/** A checkout as its page sees it with its token (contract §5), with the form settings of its templates. */
export const CheckoutSession = v.object({
  intent_id: v.string(),
  version: v.number(),
  /** `active` can be paid, `completed` is paid. */
  status: v.picklist(['active', 'completed', 'expired', 'cancelled']),
  /** In units of the currency. */
  amount: v.number(),
  currency: v.string(),
  reference: v.nullable(v.string()),
  description: v.nullable(v.string()),
  merchant_name: v.string(),
  /** The shop's page, for who can't pay here. */
  return_url: v.optional(v.nullable(v.string()), null),
  /** ISO 8601, UTC: the checkout can be paid until then. */
  expires_at: v.string(),
  /** The charge that paid it; null until then. */
  charge_id: v.nullable(v.string()),
  /** A payment was started, here or in another page, and its outcome is not known yet. */
  payment_under_way: v.optional(v.boolean(), false),
  /** The card holder's bank wants to ask them: what the page shows it with. */
  _3ds: v.optional(CheckoutAuthentication),
  /** How many more payments may be tried. */
  tries_left: v.optional(v.number()),
  /** Both have the shape of the widget's settings. */
  configuration: Configuration,
  customisation: Customisation,
  /** What the customisation says in words that forms before 1.3.0 would refuse. */
  customisation_since_1_3: v.optional(LaterCustomisation, {}),
  /** Known details of the card holder, to prefill the form's fields. */
  customer: v.optional(v.partial(v.strictObject(v.entriesFromList(FORM_FIELDS, v.string())))),
})
export type CheckoutSession = v.InferOutput<typeof CheckoutSession>

/** Body of `POST /v1/checkouts/session/payments`: a one-time token of §3. The amount is the intent's own. */
export const CheckoutPaymentRequest = v.strictObject(
  { payment_source: v.pipe(v.string(), v.uuid()) },
  onlyKnown('payment_source'),
)

/** Its answer: the charge that paid the checkout. A second tab gets the same one. */
export const CheckoutPayment = v.object({
  intent_id: v.string(),
  charge_id: v.string(),
  status: v.literal('completed'),
})
export type CheckoutPayment = v.InferOutput<typeof CheckoutPayment>
