import { setTimeout as sleep } from 'node:timers/promises'
import type { Keys } from '../machines/service-process.ts'
import type { HttpApi } from './http-api.ts'
import type { Journal } from './journal.ts'
import { createMerchantServer } from './merchant-server.ts'
import { carryOut } from './order.ts'

/** A merchant with many customers at once. */
export interface Shop {
  /** Takes no new orders, and waits until each has its answers; throws when one went wrong. */
  close: () => Promise<void>
}

/** How long after the last new order everything must have been answered. */
const MAX_CLOSING_MS = 120_000

interface ShopSetting {
  /** How long a client pauses between two orders. */
  restMs?: number
  /** The gateway accounts that orders are paid at, by turns; left out, the merchant's first. */
  gatewayIds?: readonly string[]
}

/**
 * Opens it: `clients` orders are carried out at a time. An order that is told to
 * retry later does so beside the client's next one, as other customers don't wait for it either.
 */
export function openShop(
  api: HttpApi,
  keys: Keys,
  journal: Journal,
  clients: number,
  { restMs = 0, gatewayIds = [] }: ShopSetting = {},
): Shop {
  let isOpen = true
  let taken = 0
  const orders = new Set<Promise<void>>()
  const faults: unknown[] = []
  const client = async () => {
    while (isOpen) {
      await new Promise<void>((free) => {
        const number = taken++
        const gatewayId = gatewayIds[number % gatewayIds.length]
        const server = createMerchantServer(api, keys, free, gatewayId)
        const order = carryOut(`order-${number}`, server, journal, Math.random)
          .catch((fault: unknown) => void faults.push(fault))
          .finally(() => {
            orders.delete(order)
            free()
          })
        orders.add(order)
      })
      if (restMs > 0) await sleep(restMs)
    }
  }
  const working = Array.from({ length: clients }, client)
  return {
    async close() {
      isOpen = false
      const late = new Promise<never>((_resolve, reject) => {
        setTimeout(() => reject(new Error(`${orders.size} orders have no answer`)), MAX_CLOSING_MS).unref()
      })
      await Promise.race([Promise.all([...working, ...orders]), late])
      if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
    },
  }
}
