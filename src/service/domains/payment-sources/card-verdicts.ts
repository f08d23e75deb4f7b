import { codeVerdict } from '../../../card/code.ts'
import { expiryVerdict } from '../../../card/expiry.ts'
import { holderNameVerdict } from '../../../card/holder-name.ts'
import { numberVerdict } from '../../../card/number.ts'
import { schemeOf } from '../../../card/scheme.ts'
import type { ErrorDetail } from '../../../contract/api/envelope.ts'
import type { TokeniseRequest } from '../../../contract/api/charges/payment-source-token.ts'

/** What is wrong with a card at a moment (ms since 1970); the same rules as in the form, checked again. */
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
      codeVerdict(card.card_ccv, schemeOf(card.card_number)),
      'does not have the digits that the scheme prints',
    ],
  ]
  return checks.filter(([, verdict]) => verdict !== 'valid').map(([path, , message]) => ({ path, message }))
}
