import type { CheckoutCustomer } from '../../../contract/api/checkouts/checkout-request.ts'
import type { CheckoutSession } from '../../../contract/api/checkouts/checkout-session.ts'
import type { Configuration } from '../../../contract/api/checkouts/checkout-template.ts'
import { LATER_STYLE_KEYS } from '../../../contract/page/widget-appearance.ts'
import { toAmount } from '../../platform/money.ts'
import { triesLeftOf } from './intent.ts'
import type { ShownStep } from './deps.ts'
import type { Intent } from './intent.ts'

/** An intent → what the page of its token may know: of the merchant's set-up only what the form needs. */
export function toSessionResource(
  intent: Intent,
  merchantName: string,
  shownStep: ShownStep | null,
): CheckoutSession {
  const {
    show_reference: isReferenceShown = true,
    language,
    layout,
    styles,
    ...look
  } = intent.customisation.content
  const { content } = intent.configuration
  return {
    intent_id: intent.id,
    version: intent.workflowVersion,
    status: intent.status,
    amount: toAmount(intent.amount),
    currency: intent.currency,
    reference: isReferenceShown ? intent.reference : null,
    description: isReferenceShown ? intent.description : null,
    merchant_name: merchantName,
    return_url: intent.returnUrl,
    expires_at: intent.expiresAt.toISOString(),
    charge_id: intent.status === 'completed' ? intent.chargeId : null,
    payment_under_way: intent.status === 'active' && intent.chargeId !== null,
    ...(shownStep !== null && { _3ds: shownStep }),
    tries_left: triesLeftOf(intent),
    configuration: {
      ...(content.fields !== undefined && { fields: content.fields }),
      ...(content.schemes !== undefined && { card_icons: content.schemes, only_supported: true }),
    },
    customisation: {
      ...look,
      ...stylesThat(isTakenByAllReleases, styles),
      ...(isTakenByAll(language) && { language }),
    },
    customisation_since_1_3: {
      ...(layout && { layout }),
      ...stylesThat((name) => !isTakenByAllReleases(name), styles),
    },
    customer: intent.status === 'active' ? shownOf(intent.customer, content) : {},
  }
}

/**
 * Releases before 1.3.0 would refuse a session with the language of a region. None needs it there: the document comes in the language of
 * the intent's token.
 */
function isTakenByAll(language: string | undefined): boolean {
  return language !== undefined && !language.includes('-')
}

type Styles = CheckoutSession['customisation']['styles']

const isTakenByAllReleases = (style: string) => !LATER_STYLE_KEYS.some((later) => later === style)

/** Those of the styles; nothing where there are none of them. */
function stylesThat(
  isMeant: (name: string) => boolean,
  styles: Styles = {},
): { styles?: NonNullable<Styles> } {
  const meant = Object.entries(styles).filter(([name]) => isMeant(name))
  return meant.length === 0 ? {} : { styles: Object.fromEntries(meant) }
}

/** The customer's known details, under the names of the form's fields, for the fields that the form shows. */
function shownOf(
  { email, phone, billing_address: address = {} }: CheckoutCustomer,
  { fields = [] }: Configuration,
): CheckoutSession['customer'] {
  const known: NonNullable<CheckoutSession['customer']> = {
    email,
    phone,
    address_line1: address.address_line1,
    address_line2: address.address_line2,
    address_city: address.city,
    address_state: address.state,
    address_postcode: address.postcode,
    address_country: address.country,
  }
  return Object.fromEntries(
    fields.flatMap(({ field }) => (known[field] === undefined ? [] : [[field, known[field]]])),
  )
}
