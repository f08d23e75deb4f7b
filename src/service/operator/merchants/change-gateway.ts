import { parseArgs } from 'node:util'
import type { AdyenAccount } from '../../domains/gateways/adyen/adyen-account.ts'
import type { Command, CommandContext } from '../command.ts'
import { enteredAccount, TEST_URL } from './add-gateway.ts'
import { overtakenMessage, keptAccountOf, leaveAccount } from './leave-account.ts'

export const changeGateway: Command = {
  name: 'change-gateway',
  usage: `change-gateway MERCHANT_ID GATEWAY_ID --merchant-account ACCOUNT [--url ${TEST_URL}] < API_KEY
      gives one of a merchant's gateways another API key, by standard input, and running services follow within 5 s; until it has
      taken a payment, also another account, and for 6 s it takes no payment then`,
  async run(context, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { 'merchant-account': { type: 'string' }, url: { type: 'string', default: TEST_URL } },
    })
    const [merchantId, gatewayId, ...more] = positionals
    const account = values['merchant-account']
    if (merchantId === undefined || gatewayId === undefined || account === undefined || more.length > 0)
      return 2
    const credentials = await enteredAccount(context, account, values.url)
    if (credentials === null) return 1
    const outcome = await change(context, { merchantId, gatewayId }, credentials)
    context.say(
      {
        changed: `Gateway ${gatewayId} has the new account; running services follow within 5 seconds.`,
        unknown: `Merchant ${merchantId} has no gateway ${gatewayId} that an account is entered for.`,
        used: `Gateway ${gatewayId} has taken payments, which can be captured and refunded only at its account and URL: add-gateway adds another.`,
        overtaken: overtakenMessage(gatewayId),
      }[outcome],
    )
    return outcome === 'changed' ? 0 : 1
  },
}

/**
 * A gateway that has taken a payment has to keep its account's place: at another one a payment of unknown outcome would count as
 * never received. Credentials under a lost master key can't be read, and so not be compared.
 */
async function change(
  context: CommandContext,
  gateway: { merchantId: string; gatewayId: string },
  next: AdyenAccount,
): Promise<'changed' | 'unknown' | 'used' | 'overtaken'> {
  const { merchants } = context
  const { merchantId, gatewayId } = gateway
  const entered = await merchants.keptCredentials(merchantId, gatewayId)
  if (entered === null) return 'unknown'
  const kept = await keptAccountOf(entered)
  const isMoved = kept !== null && !isSamePlace(kept.account, next)
  const left = isMoved
    ? await leaveAccount(context, gateway, kept, entered.sealed)
    : { taken: entered.sealed }
  if (typeof left === 'string') return left
  const changed = await merchants.changeCredentials(merchantId, gatewayId, left.taken, next)
  return changed === null ? 'overtaken' : 'changed'
}

/** The host alone, as the API's version may change. */
function isSamePlace(one: AdyenAccount, other: AdyenAccount): boolean {
  const hosts = [one, other].map(({ base_url }) => new URL(base_url).host)
  return hosts[0] === hosts[1] && one.merchant_account === other.merchant_account
}
