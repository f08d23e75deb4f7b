import { parseArgs } from 'node:util'
import { isPageOrigin } from '../../contract/api/page-origin.ts'
import type { Command } from './command.ts'

export const addMerchant: Command = {
  name: 'add-merchant',
  usage: `add-merchant --name "Acme" [--pre-auth] [--origin https://acme.example]...
      makes a merchant and shows its keys, this once; its gateway is the sandbox, and in production none yet`,
  async run({ merchants, say }, parameters) {
    const { values } = parseArgs({
      args: parameters,
      options: {
        name: { type: 'string' },
        'pre-auth': { type: 'boolean', default: false },
        origin: { type: 'string', multiple: true, default: [] },
      },
    })
    const name = values.name?.trim() ?? ''
    if (name === '' || !values.origin.every(isPageOrigin)) return 2
    const merchant = { name, preAuth: values['pre-auth'], allowedOrigins: values.origin }
    const made = await merchants.make(merchant, () => undefined)
    say(
      JSON.stringify(
        {
          merchant_id: made.merchant.id,
          gateway_id: made.gatewayId,
          public_key: made.publicKey,
          secret_key: made.secretKey,
        },
        null,
        2,
      ),
    )
    return 0
  },
}

export const preAuth: Command = {
  name: 'pre-auth',
  usage: `pre-auth MERCHANT_ID on|off
      lets a merchant hold funds and capture later, or no longer`,
  async run({ merchants, say }, [id, state, ...more]) {
    if (id === undefined || more.length > 0 || (state !== 'on' && state !== 'off')) return 2
    const isKnown = await merchants.setPreAuth(id, state === 'on')
    say(isKnown ? `Pre-Auth is ${state}; running services follow at once.` : `There is no merchant ${id}.`)
    return isKnown ? 0 : 1
  },
}
