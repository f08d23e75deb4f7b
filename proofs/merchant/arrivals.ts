import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from './journal.ts'
import type { MerchantServer } from './merchant-server.ts'
import { carryOut } from './order.ts'

/** Customers who arrive at a steady pace, whether or not others can pay. */
export interface Arrivals {
  /** Lets no more customers in, waits until each order has ended, and throws when one went wrong. */
  close: () => Promise<void>
}

export function openArrivals(server: MerchantServer, journal: Journal, everyMs: number): Arrivals {
  let isOpen = true
  const orders: Promise<unknown>[] = []
  const letIn = async () => {
    for (let number = 0; isOpen; number += 1) {
      // A fault is kept as the result, which `close` checks.
      orders.push(
        carryOut(`arrival-${number}`, server, journal, Math.random).catch((fault: unknown) => fault),
      )
      await sleep(everyMs)
    }
  }
  const done = letIn()
  return {
    async close() {
      isOpen = false
      await done
      const faults = (await Promise.all(orders)).filter((end) => end !== undefined)
      if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
    },
  }
}
