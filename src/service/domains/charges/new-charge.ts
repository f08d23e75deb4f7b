import type { AuthenticationWish } from '../../../contract/api/charges/authentication.ts'
import type { ChargeRequest } from '../../../contract/api/charges/charge-request.ts'
import type { HolderField } from '../../../contract/page/fields/card-fields.ts'
import type { AuthorisationRequest } from '../gateways/gateway.ts'
import type { Charge, KeptPaymentSource, NewAttempt, NewCharge } from './charge.ts'

/** A token opened for one charge. */
export interface ChargeToken {
  /** All that a charge keeps of the token. */
  hash: Buffer
  /** Null if any gateway may use it. */
  gatewayId: string | null
  /** What may be kept of the card, by its names on the wire. */
  facts: {
    card_name: string
    card_number_last4: string
    card_number_bin: string
    card_scheme: string
    expire_month: number
    expire_year: number
    holder: Readonly<Record<string, string>>
  }
  secrets: { number: string; code: string }
  /** What the card holder's browser told of itself; null if none took part. */
  browser: AuthorisationRequest['authentication']['browser']
}

export interface MerchantGateway {
  id: string
  name: string
  type: string
  /** What holds where the request says nothing. */
  authentication: AuthenticationWish
}

interface ChargeBeginning {
  id: string
  merchant: { id: string }
  request: ChargeRequest
  token: ChargeToken
  gateway: MerchantGateway
  capture: boolean
  attempt: NewAttempt
}

/** A charge before its sale has an outcome; it keeps only those facts of the card that may be shown. */
export function toNewCharge(beginning: ChargeBeginning): NewCharge {
  const { id, merchant, request, token, gateway, capture, attempt } = beginning
  const { holder, ...facts } = token.facts
  return {
    id,
    merchantId: merchant.id,
    gatewayId: gateway.id,
    gatewayType: gateway.type,
    tokenHash: token.hash,
    status: 'processing',
    preAuth: !capture,
    amount: request.amount,
    currency: request.currency,
    reference: request.reference ?? null,
    description: request.description ?? null,
    statementDescriptor: request.statement_descriptor ?? null,
    metadata: request.metadata ?? {},
    customer: customerOf(request, holder),
    paymentSource: {
      type: 'card',
      gateway_id: gateway.id,
      gateway_name: gateway.name,
      gateway_type: gateway.type,
      ...facts,
      items: [],
      ...addressOf(holder),
      ...request.customer?.payment_source,
    },
    sourceIp: attempt.sourceIp,
    openAttemptId: attempt.id,
  }
}

/** The part of a charge that has a field; none where its resource lacks it. */
type PlaceOf<Field> = Field extends keyof Charge['customer']
  ? 'customer'
  : Field extends keyof KeptPaymentSource
    ? 'address'
    : never

/** Where a charge keeps each field about the person who pays. */
const KEPT_AS: { readonly [Field in HolderField]: PlaceOf<Field> } = {
  first_name: 'customer',
  last_name: 'customer',
  phone: 'customer',
  email: 'customer',
  address_line1: 'address',
  address_line2: 'address',
  address_city: 'address',
  address_state: 'address',
  address_country: 'address',
  address_postcode: 'address',
  address_company: 'address',
}

/** What the merchant says of the customer takes precedence over what the card form says. */
function customerOf({ customer = {} }: ChargeRequest, holder: Holder): Record<string, string> {
  const said = new Map<string, unknown>(Object.entries(customer))
  return keptAs('customer', (field) => {
    const value = said.get(field)
    return typeof value === 'string' ? value : holder[field]
  })
}

const addressOf = (holder: Holder) => keptAs('address', (field) => holder[field])

type Holder = Readonly<Record<string, string>>

function keptAs(
  place: 'customer' | 'address',
  valueOf: (field: string) => string | undefined,
): Record<string, string> {
  const fields = Object.entries(KEPT_AS).filter(([, kept]) => kept === place)
  return Object.fromEntries(
    fields.flatMap(([field]) => {
      const value = valueOf(field)
      return value === undefined ? [] : [[field, value]]
    }),
  )
}
