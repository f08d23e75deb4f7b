import * as v from 'valibot'
import { AdyenAccount } from './adyen/adyen-account.ts'
import { createAdyenGateway } from './adyen/adyen-gateway.ts'
import type { SendRequest } from '../../platform/outbound/http-client.ts'
import type { Gateway } from './gateway.ts'

/** Which gateway of which merchant. */
interface GatewayAccount {
  merchantId: string
  gatewayId: string
  gatewayType: string
}

interface Parts {
  /** Adapters that need no account, by the type of their gateway. */
  adapters: Readonly<Record<string, Gateway>>
  /** What an operator entered for a gateway; rejects when it can't be had. */
  credentialsOf: (merchantId: string, gatewayId: string) => Promise<unknown>
  /** Where card holders would be sent back to. */
  returnUrl: string
  createKey: () => string
  onFault: (error: Error) => void
  /** Wraps a gateway to count and time its calls, by its type. */
  watch: (type: string, gateway: Gateway) => Gateway
  /** How long a sale may be under way to a gateway that can't be asked for it, in ms. */
  settleMs?: number | undefined
  /** How adapters speak HTTP. */
  send: SendRequest
}

/** The adapter of a merchant's gateway, with its account; rejects when there is none, and then nothing is sent. */
export type FindGateway = (account: GatewayAccount) => Promise<Gateway>

export function createGatewayFinder(parts: Parts): FindGateway {
  const { adapters, credentialsOf, returnUrl, createKey, onFault, watch, settleMs, send } = parts
  const known = new Map(Object.entries(adapters).map(([type, one]) => [type, watch(type, one)]))
  return async ({ merchantId, gatewayId, gatewayType }) => {
    const adapter = known.get(gatewayType)
    if (adapter !== undefined) return adapter
    if (gatewayType !== 'adyen') throw new Error(`no gateway of type ${gatewayType} may be used here`)
    const account = v.parse(AdyenAccount, await credentialsOf(merchantId, gatewayId))
    return watch(
      gatewayType,
      createAdyenGateway({
        account,
        sendRequest: send,
        returnUrl,
        createKey,
        onFault,
        ...(settleMs !== undefined && { settleMs }),
      }),
    )
  }
}
