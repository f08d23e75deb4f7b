import type { GatewayRemoval } from '../../domains/merchants/gateway-store.ts'
import type { Command, CommandContext } from '../command.ts'
import { onOneLine } from '../on-one-line.ts'
import { keptAccountOf, leaveAccount, overtakenMessage } from './leave-account.ts'

export const listGateways: Command = {
  name: 'list-gateways',
  usage: `list-gateways MERCHANT_ID
      lists a merchant's gateways by their ids; what was entered for them is shown to nobody`,
  async run({ merchants, say }, [merchantId, ...more]) {
    if (merchantId === undefined || more.length > 0) return 2
    if ((await merchants.read(merchantId)) === null) {
      say(`There is no merchant ${merchantId}.`)
      return 1
    }
    const gateways = await merchants.gateways(merchantId)
    for (const { id, type, name, isDefault } of gateways)
      say(onOneLine(`${id}  ${type}  ${name}${isDefault ? '  default' : ''}`))
    if (gateways.length === 0) say(`Merchant ${merchantId} has no gateways: add-gateway gives it one.`)
    return 0
  },
}

export const setDefaultGateway: Command = {
  name: 'set-default-gateway',
  usage: `set-default-gateway MERCHANT_ID GATEWAY_ID
      sends what names no gateway to this one from now on; running services follow within 5 s`,
  async run({ merchants, say }, [merchantId, gatewayId, ...more]) {
    if (merchantId === undefined || gatewayId === undefined || more.length > 0) return 2
    const isDone = await merchants.makeDefault(merchantId, gatewayId)
    say(isDone ? `Gateway ${gatewayId} is the default.` : unknown(merchantId, gatewayId))
    return isDone ? 0 : 1
  },
}

export const removeGateway: Command = {
  name: 'remove-gateway',
  usage: `remove-gateway MERCHANT_ID GATEWAY_ID
      removes a gateway that has taken no payment, once no running service remembers it, 6 s later; one that has stays for captures
      and refunds`,
  async run(context, [merchantId, gatewayId, ...more]) {
    if (merchantId === undefined || gatewayId === undefined || more.length > 0) return 2
    const words: Record<GatewayRemoval | 'unreadable', string> = {
      removed: `Gateway ${gatewayId} is removed.`,
      unknown: unknown(merchantId, gatewayId),
      default: `Gateway ${gatewayId} is the default: set-default-gateway makes another one that.`,
      used: `Gateway ${gatewayId} has taken payments, which can be captured and refunded only there. It stays.`,
      overtaken: overtakenMessage(gatewayId),
      unreadable: `What was entered for gateway ${gatewayId} can't be read. Run this with the master keys of the running services; where the key is lost, change-gateway enters the account anew.`,
    }
    const outcome = await remove(context, { merchantId, gatewayId })
    context.say(words[outcome])
    return outcome === 'removed' ? 0 : 1
  },
}

/**
 * A gateway that has taken payments is not removed: they could then be neither captured nor refunded. Nor is one whose account can't be
 * read here, as a running service that has its master key could not be kept from using it.
 */
async function remove(
  context: CommandContext,
  gateway: { merchantId: string; gatewayId: string },
): Promise<GatewayRemoval | 'unreadable'> {
  const { merchants } = context
  const { merchantId, gatewayId } = gateway
  const known = await merchants.gateways(merchantId)
  if (known.length > 1 && known.some(({ id, isDefault }) => isDefault && id === gatewayId)) return 'default'
  const entered = await merchants.keptCredentials(merchantId, gatewayId)
  if (entered === null) return merchants.removeGateway(merchantId, gatewayId, null)
  const kept = await keptAccountOf(entered)
  if (kept === null) return 'unreadable'
  const left = await leaveAccount(context, gateway, kept, entered.sealed)
  if (typeof left === 'string') return left
  const outcome = await merchants.removeGateway(merchantId, gatewayId, left.taken)
  if (outcome !== 'removed')
    await merchants.changeCredentials(merchantId, gatewayId, left.taken, kept.account)
  return outcome
}

function unknown(merchantId: string, gatewayId: string): string {
  return `Merchant ${merchantId} has no gateway ${gatewayId}.`
}
