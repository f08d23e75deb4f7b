import { parseArgs } from 'node:util'
import { isPageOrigin } from '../platform/page-origin.ts'
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
    const wish = { name, preAuth: values['pre-auth'], allowedOrigins: values.origin }
    const { merchant, gatewayId, publicKey, secretKey } = await merchants.make(wish, () => undefined)
    say(
      JSON.stringify(
        { merchant_id: merchant.id, gateway_id: gatewayId, public_key: publicKey, secret_key: secretKey },
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
  async run({ merchants, say }, [id, wish, ...more]) {
    if (id === undefined || more.length > 0 || (wish !== 'on' && wish !== 'off')) return 2
    const isKnown = await merchants.setPreAuth(id, wish === 'on')
    say(isKnown ? `Pre-Auth is ${wish}; running services follow at once.` : `There is no merchant ${id}.`)
    return isKnown ? 0 : 1
  },
}
