import { CARD_FIELDS, FORM_FIELDS } from '../../../contract/page/fields/card-fields.ts'
import { binOf, lastFourOf } from '../../../card/number.ts'
import { schemeOf } from '../../../card/scheme.ts'
import type { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'

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

/** What a form may ask for beside the card. */
const HOLDER_FIELDS = FORM_FIELDS.filter((field) => !CARD_FIELDS.includes(field))

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
      HOLDER_FIELDS.flatMap((key) => {
        const given = request[key]
        return typeof given === 'string' ? [[key, given]] : []
      }),
    ),
  }
}
