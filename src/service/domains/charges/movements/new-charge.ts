import type { ChargeRequest } from '../../../../contract/api/charges/charge-request.ts'
import type { NewAttempt, NewCharge } from '../statements/movement-values.ts'

/** A token opened for one charge, as far as a charge needs it. */
export interface ChargeToken {
  /** What a charge keeps of the token. */
  hash: Buffer
  /** Null when any gateway may use it. */
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
}

export interface PaymentGateway {
  id: string
  name: string
  type: string
}

interface Parts {
  id: string
  merchant: { id: string }
  request: ChargeRequest
  token: ChargeToken
  gateway: PaymentGateway
  capture: boolean
  attempt: NewAttempt
}

const CUSTOMER_KEYS = ['first_name', 'last_name', 'phone', 'email'] as const

/** A charge before its sale has an outcome; of the card it keeps only facts that may be shown. */
export function toNewCharge({ id, merchant, request, token, gateway, capture, attempt }: Parts): NewCharge {
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

/** The merchant's word on the customer counts before what the card form said. */
function customerOf(
  request: ChargeRequest,
  holder: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    CUSTOMER_KEYS.flatMap((key) => {
      const given = request.customer?.[key] ?? holder[key]
      return given === undefined ? [] : [[key, given]]
    }),
  )
}

function addressOf(holder: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(holder).filter(([key]) => key.startsWith('address_')))
}
