import { afterAll, beforeAll, describe, it } from 'vitest'
import { breakRules } from './break-rules.ts'
import type { GatewayBed } from './gateway-bed.ts'
import { moneyRules } from './money-rules.ts'

/** The tests that every adapter passes, whatever its gateway is like. */
export function testGatewayContract(name: string, open: () => Promise<GatewayBed>): void {
  describe(`${name}, held to the contract of gateways`, () => {
    let bed: GatewayBed
    beforeAll(async () => {
      bed = await open()
    })
    afterAll(() => bed.close())
    for (const { rule, check } of [...moneyRules, ...breakRules]) it(rule, () => check(bed))
  })
}
