import type { Configuration } from '../../../../contract/api/checkouts/checkout-template.ts'
import type { ErrorDetail } from '../../../../contract/api/envelope.ts'

/** What may be known of the card behind a one-time token. */
export interface CardFacts {
  /** Names of the schemes that its card may be taken as: of its own, and of those that it is issued with. */
  takenAs: readonly string[]
  /** Null when any gateway may use it. */
  gatewayId: string | null
  /** Names and address that were given with it, and `card_name`. */
  given: Readonly<Record<string, string>>
}

/** Needed by every card, so every token has them. */
const OF_EVERY_CARD = new Set(['card_number', 'expire_month', 'expire_year', 'card_ccv'])

/** Why a configuration refuses a card. The page's own form refuses the same, but a page can be tampered with. */
export function faultsOf(
  card: CardFacts,
  { schemes, fields = [], gateway_id: gatewayId }: Configuration,
): ErrorDetail[] {
  const isTaken = schemes === undefined || schemes.some((scheme) => card.takenAs.includes(scheme))
  const missing = fields.filter(
    ({ field, required }) => required && !OF_EVERY_CARD.has(field) && (card.given[field] ?? '') === '',
  )
  return [
    ...(isTaken ? [] : [{ path: 'card_number', message: `cards taken here: ${schemes.join(', ')}` }]),
    ...missing.map(({ field }) => ({ path: field, message: 'is required' })),
    ...(gatewayId === undefined || gatewayId === card.gatewayId
      ? []
      : [{ path: 'payment_source', message: 'was made for another gateway' }]),
  ]
}
