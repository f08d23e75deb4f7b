import { binOf, lastFourOf } from '../../card/number.ts'
import { schemeOf } from '../../card/scheme.ts'
import type { TokeniseRequest } from '../../contract/payment-source-token.ts'

/** What may be kept and shown of a card: never its number or code. Keys are those of the wire. */
export interface CardFacts {
  /** '' if the merchant's form doesn't ask for it. */
  card_name: string
  card_number_last4: string
  card_number_bin: string
  card_scheme: string
  expire_month: number
  expire_year: number
  /** Names and address as they were given. */
  holder: Readonly<Record<string, string>>
}

const HOLDER_KEYS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'address_line1',
  'address_line2',
  'address_city',
  'address_state',
  'address_country',
  'address_postcode',
  'address_company',
] as const

/** The facts of a card that has been found valid. */
export function cardFactsOf(request: TokeniseRequest): CardFacts {
  return {
    card_name: request.card_name ?? '',
    card_number_last4: lastFourOf(request.card_number),
    card_number_bin: binOf(request.card_number),
    card_scheme: schemeOf(request.card_number)?.name ?? 'unknown',
    expire_month: request.expire_month,
    expire_year: request.expire_year,
    holder: Object.fromEntries(
      HOLDER_KEYS.flatMap((key) => {
        const given = request[key]
        return given === undefined ? [] : [[key, given]]
      }),
    ),
  }
}
