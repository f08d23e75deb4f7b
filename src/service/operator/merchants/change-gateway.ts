import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { AdyenAccount } from '../../domains/gateways/adyen/adyen-account.ts'
import type { Command, CommandContext } from '../command.ts'
import { enteredAccount, TEST_URL } from './add-gateway.ts'

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
      }[outcome],
    )
    return outcome === 'changed' ? 0 : 1
  },
}

/** Where an account's payments are. Kept alone, without its API key, it takes none. */
const Place = v.omit(AdyenAccount, ['api_key'])
type Place = v.InferOutput<typeof Place>

/** Longer than running services remember an account. */
const FORGOTTEN_MS = 6000

/**
 * One that has taken a payment stays where that is: elsewhere a payment of unknown outcome would count as never received. Services that
 * remember the account begin payments with it for some seconds, so it is taken from them first, and looked for payments again once
 * they have forgotten it. What was entered under a lost master key can't be compared.
 */
async function change(
  { merchants, sleep }: CommandContext,
  { merchantId, gatewayId }: { merchantId: string; gatewayId: string },
  next: AdyenAccount,
): Promise<'changed' | 'unknown' | 'used'> {
  const kept = await merchants.credentialsOf(merchantId, gatewayId).catch(() => null)
  const before = v.safeParse(Place, kept)
  if (before.success && !isSamePlace(before.output, next)) {
    if (await merchants.hasPayment(merchantId, gatewayId)) return 'used'
    await merchants.changeCredentials(merchantId, gatewayId, before.output)
    await sleep(FORGOTTEN_MS)
    if (await merchants.hasPayment(merchantId, gatewayId)) {
      await merchants.changeCredentials(merchantId, gatewayId, kept)
      return 'used'
    }
  }
  return (await merchants.changeCredentials(merchantId, gatewayId, next)) ? 'changed' : 'unknown'
}

/** Whatever the API's version. */
function isSamePlace(one: Place, other: Place): boolean {
  const hosts = [one, other].map(({ base_url }) => new URL(base_url).host)
  return hosts[0] === hosts[1] && one.merchant_account === other.merchant_account
}
