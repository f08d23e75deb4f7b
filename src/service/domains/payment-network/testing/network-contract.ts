import { afterAll, beforeAll, describe, it } from 'vitest'
import { mandateRules } from './mandate-rules.ts'
import type { NetworkBed } from './network-bed.ts'
import { paymentRules } from './payment-rules.ts'

/** The tests that every adapter passes, whatever its network is like. */
export function holdNetworkToContract(name: string, open: () => Promise<NetworkBed>): void {
  describe(`${name}, held to the contract of payment networks`, () => {
    let bed: NetworkBed
    beforeAll(async () => {
      bed = await open()
    })
    afterAll(() => bed.close())
    for (const { rule, check } of [...mandateRules, ...paymentRules]) it(rule, () => check(bed))
  })
}
