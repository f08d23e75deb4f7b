import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { AdyenAccount } from '../../domains/gateways/adyen/adyen-account.ts'
import { masterKeySource } from '../../platform/vault/key-stores/open-master-keys.ts'
import { openServiceSecrets } from '../../platform/vault/service-secrets.ts'
import type { Command, CommandContext } from '../command.ts'

export const TEST_URL = 'https://checkout-test.adyen.com/v72'

export const addGateway: Command = {
  name: 'add-gateway',
  usage: `add-gateway MERCHANT_ID adyen --merchant-account ACCOUNT [--url ${TEST_URL}] [--name Adyen] [--default] < API_KEY
      gives a merchant a gateway and shows its id; the API key comes by standard input and is kept encrypted`,
  async run(context, parameters) {
    const { merchants, say } = context
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: {
        'merchant-account': { type: 'string' },
        url: { type: 'string', default: TEST_URL },
        name: { type: 'string', default: 'Adyen' },
        default: { type: 'boolean', default: false },
      },
    })
    const [merchantId, type, ...more] = positionals
    const account = values['merchant-account']
    if (merchantId === undefined || type !== 'adyen' || account === undefined || more.length > 0) return 2
    const credentials = await enteredAccount(context, account, values.url)
    if (credentials === null) return 1
    const gateway = { name: values.name, type, isDefault: values.default, credentials }
    const gatewayId = await merchants.addGateway(merchantId, gateway)
    say(
      gatewayId === null
        ? `There is no merchant ${merchantId}.`
        : JSON.stringify({ gateway_id: gatewayId }, null, 2),
    )
    return gatewayId === null ? 1 : 0
  },
}

/** The account to be stored, with its API key from standard input; null after saying what is wrong. */
export async function enteredAccount(
  { config, database, say, readSecret }: CommandContext,
  account: string,
  url: string,
): Promise<AdyenAccount | null> {
  const wanted = { api_key: await readSecret(), merchant_account: account, base_url: url }
  const credentials = v.safeParse(AdyenAccount, wanted)
  if (!credentials.success) {
    say(wordsOf(credentials.issues[0]))
    return null
  }
  await openServiceSecrets(database, await masterKeySource(config)())
  return credentials.output
}

/** Says what is wrong without repeating what was entered. */
function wordsOf(issue: v.BaseIssue<unknown>): string {
  const name = v.getDotPath(issue) ?? ''
  const names: Record<string, string> = {
    api_key: 'The API key',
    base_url: '--url',
    merchant_account: '--merchant-account',
  }
  return `${names[name] ?? name} ${issue.message}.`
}
