import { codeVerdict } from '../../../card/code.ts'
import { expiryVerdict } from '../../../card/expiry.ts'
import { holderNameVerdict } from '../../../card/holder-name.ts'
import { binOf, lastFourOf, numberVerdict } from '../../../card/number.ts'
import { schemeOf } from '../../../card/scheme.ts'
import type { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'
import type { ErrorDetail } from '../../../contract/api/envelope.ts'
import { HOLDER_FIELDS } from '../../../contract/page/fields/card-fields.ts'

/** The fields of a card that are wrong at a moment (ms since the epoch), by the same rules as in the form. */
export function faultsOfCard(card: TokeniseRequest, now: number): ErrorDetail[] {
  const expiry = { month: card.expire_month, year: card.expire_year }
  const checks: [path: string, verdict: string, message: string][] = [
    [
      'card_name',
      card.card_name === undefined ? 'valid' : holderNameVerdict(card.card_name),
      'is not a name',
    ],
    ['card_number', numberVerdict(card.card_number), 'is not a valid card number'],
    ['expire_month', expiryVerdict(expiry, now), 'the card has expired, or the date is too far ahead'],
    [
      'card_ccv',
      codeVerdict(card.card_ccv ?? '', schemeOf(card.card_number)),
      'does not have the digits that the scheme prints',
    ],
  ]
  return checks.filter(([, verdict]) => verdict !== 'valid').map(([path, , message]) => ({ path, message }))
}

/** What may be kept and shown of a card: never its number or code. Keys are those of the wire. */
export interface CardFacts {
  /** '' if the merchant's form does not ask for it. */
  card_name: string
  card_number_last4: string
  card_number_bin: string
  card_scheme: string
  expire_month: number
  expire_year: number
  /** Names and address as they were given. */
  holder: Readonly<Record<string, string>>
}

/** The facts of a valid card. */
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
