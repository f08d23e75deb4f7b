import type { Tokens } from './tokens.ts'

/**
 * What a checkout may know of a token's card: never its number or code. Throws `token_not_found` for a token that this
 * merchant can't spend.
 */
export type CardOf = (
  merchantId: string,
  token: string,
) => Promise<{ scheme: string; gatewayId: string | null; given: Readonly<Record<string, string>> }>

export function createCardOf({ open }: Pick<Tokens, 'open'>): CardOf {
  return async (merchantId, token) => {
    const { facts, gatewayId } = await open(merchantId, token)
    return { scheme: facts.card_scheme, gatewayId, given: { ...facts.holder, card_name: facts.card_name } }
  }
}
