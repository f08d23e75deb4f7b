import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Gateway } from '../../gateways/gateway.ts'
import { chargeCalls } from '../../../testing/charge-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'

/** A gateway that ignores the signal to stop. */
const deaf = () => new Promise<never>(() => undefined)
const gateway: Gateway = { sell: deaf, capture: deaf, cancel: deaf, refund: deaf, outcomeOf: deaf }

let service: TestService
beforeAll(async () => {
  service = await createTestService({ gateways: { sandbox: gateway } })
})
afterAll(() => service.close())

it('past the slots of its gateway account nothing is sent, and the token is good; the others have an end', async () => {
  const { sell } = chargeCalls(service)
  const tokens: string[] = []
  for (let number = 0; number < 257; number += 1) tokens.push(await service.tokenise())
  const answers = await Promise.all(tokens.map((token) => sell({ amount: '10.00', currency: 'AUD', token })))
  const codes = answers.map(({ body }) => body.error?.code)
  expect(codes.filter((code) => code === 'outcome_unknown')).toHaveLength(256)
  const refused = answers.findIndex(({ body }) => body.error?.code === 'gateway_unavailable')
  expect(answers[refused]?.status).toBe(503)
  const again = await sell({ amount: '10.00', currency: 'AUD', token: tokens[refused] })
  expect(again.body.error?.code).toBe('outcome_unknown')
})
