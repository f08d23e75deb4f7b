import { parseArgs } from 'node:util'
import { isPageOrigin } from '../../../contract/api/fields/page-origin.ts'
import type { Command } from '../command.ts'
import { onOneLine } from '../on-one-line.ts'

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
    if (name === '') return 2
    if (!areOrigins(values.origin, say)) return 1
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

/** Whether all are valid origins; says what is wrong if not. */
function areOrigins(origins: readonly string[], say: (text: string) => void): boolean {
  const isWrong = !origins.every(isPageOrigin)
  if (isWrong) say('--origin must be scheme and host, like https://shop.acme.example.')
  return !isWrong
}

export const listMerchants: Command = {
  name: 'list-merchants',
  usage: `list-merchants
      lists every merchant, oldest first: its id, name, origins, and whether it may hold funds`,
  async run({ merchants, say }, parameters) {
    if (parameters.length > 0) return 2
    const all = await merchants.list()
    for (const { id, name, preAuth: mayHold, allowedOrigins, createdAt } of all) {
      const origins = allowedOrigins.length === 0 ? 'every page' : allowedOrigins.join(' ')
      const state = `pre-auth ${mayHold ? 'on' : 'off'}  made ${createdAt.toISOString()}`
      say(onOneLine(`${id}  ${name}  ${origins}  ${state}`))
    }
    if (all.length === 0) say('There are no merchants yet: add-merchant makes one.')
    return 0
  },
}

export const renameMerchant: Command = {
  name: 'rename-merchant',
  usage: `rename-merchant MERCHANT_ID --name "Acme"
      gives a merchant another name`,
  async run({ merchants, say }, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { name: { type: 'string' } },
    })
    const [id, ...more] = positionals
    const name = values.name?.trim() ?? ''
    if (id === undefined || more.length > 0 || name === '') return 2
    const renamed = await merchants.rename(id, name)
    const words =
      renamed === null ? `There is no merchant ${id}.` : `Merchant ${id} is called ${renamed.name}.`
    say(onOneLine(words))
    return renamed === null ? 1 : 0
  },
}

export const setOrigins: Command = {
  name: 'set-origins',
  usage: `set-origins MERCHANT_ID --origin https://acme.example... | --every-page
      names the pages that may show a merchant's card form, in place of those that were named before`,
  async run({ merchants, say }, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: {
        origin: { type: 'string', multiple: true, default: [] },
        'every-page': { type: 'boolean', default: false },
      },
    })
    const [id, ...more] = positionals
    const isOneOfBoth = values['every-page'] === (values.origin.length === 0)
    if (id === undefined || more.length > 0 || !isOneOfBoth) return 2
    if (!areOrigins(values.origin, say)) return 1
    const changed = await merchants.setOrigins(id, [...new Set(values.origin)])
    const pages = values['every-page'] ? 'Every page' : values.origin.join(' ')
    say(
      changed === null ? `There is no merchant ${id}.` : `${pages} may show the card form of merchant ${id}.`,
    )
    return changed === null ? 1 : 0
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
