import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { chargeCalls } from '../src/service/testing/charge-calls.ts'
import { checkoutCalls } from '../src/service/testing/checkout-calls.ts'
import { createTestService } from '../src/service/testing/test-service.ts'
import type { Answer, TestService } from '../src/service/testing/test-service.ts'
import { countAttack } from './counted.ts'
import { isFull } from './strength.ts'

const ROUNDS = isFull ? 40 : 3
const AT_ONCE = 20

let service: TestService
let another: TestService['call']
beforeAll(async () => {
  service = await createTestService()
  another = service.startAnother()
})
afterAll(() => service.close())

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status)
const numberOf = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

/** Many calls at the same moment, on two processes in turn. */
function atOnce(
  count: number,
  make: (call: TestService['call'], at: number) => Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, at) => make(at % 2 === 0 ? service.call : another, at)),
  )
}

/** Runs `race` some times and counts what was answered. */
async function inRounds(
  context: Parameters<typeof countAttack>[0],
  race: () => Promise<Answer[]>,
): Promise<void> {
  const statuses: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) statuses.push(...statusesOf(await race()))
  countAttack(context, statuses)
}

describe('at once', () => {
  it('the same sale under the same key happens once', (context) =>
    inRounds(context, async () => {
      const headers = { ...chargeCalls(service).secret(), 'idempotency-key': crypto.randomUUID() }
      const payload = { amount: '10.00', currency: 'AUD', token: await service.tokenise() }
      const answers = await atOnce(AT_ONCE, (call) =>
        call({ method: 'POST', url: '/v1/charges', headers, payload }),
      )
      const ids = answers.flatMap(({ status, body }) =>
        status === 201 ? [v.parse(v.object({ _id: v.string() }), body.resource.data)._id] : [],
      )
      expect(new Set(ids).size).toBe(1)
      expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
      return answers
    }))

  it('one token pays for one charge', (context) =>
    inRounds(context, async () => {
      const payload = { amount: '10.00', currency: 'AUD', token: await service.tokenise() }
      const headers = chargeCalls(service).secret()
      const answers = await atOnce(AT_ONCE, (call) =>
        call({ method: 'POST', url: '/v1/charges', headers, payload }),
      )
      expect([numberOf(answers, 201), numberOf(answers, 400)]).toEqual([1, AT_ONCE - 1])
      return answers
    }))

  it('of captures and cancels of one hold one wins', (context) =>
    inRounds(context, async () => {
      const { _id } = await service.authorise()
      const headers = chargeCalls(service).secret()
      const url = `/v1/charges/${_id}/capture`
      const answers = await atOnce(AT_ONCE, (call, at) =>
        call({ method: at % 3 === 0 ? 'DELETE' : 'POST', url, headers }),
      )
      expect(numberOf(answers, 200) + numberOf(answers, 201)).toBe(1)
      expect(answers.filter(({ status }) => ![200, 201, 409, 422].includes(status))).toEqual([])
      return answers
    }))

  it('refunds give back no more than was taken', (context) =>
    inRounds(context, async () => {
      const { sell, read } = chargeCalls(service)
      const sold = await sell({ amount: '10.00', currency: 'AUD', token: await service.tokenise() }, '')
      const { _id } = v.parse(v.object({ _id: v.string() }), sold.body.resource.data)
      const headers = chargeCalls(service).secret()
      const url = `/v1/charges/${_id}/refunds`
      const answers = await atOnce(AT_ONCE, (call) =>
        call({ method: 'POST', url, headers, payload: { amount: '4.00' } }),
      )
      const given = numberOf(answers, 201)
      expect(given).toBeGreaterThan(0)
      expect(given).toBeLessThanOrEqual(2)
      expect((await read(_id)).statistics.total_refunded_amount).toBe(given * 4)
      return answers
    }))

  it('a checkout is paid once', (context) =>
    inRounds(context, async () => {
      const { make, tokenise, pay, chargesBeside } = checkoutCalls(service)
      const { token } = await make()
      const cards = await Promise.all(Array.from({ length: 8 }, () => tokenise(token)))
      const [answers, charges] = await chargesBeside(() =>
        Promise.all(cards.map((card, at) => pay(token, card, at % 2 === 0 ? service.call : another))),
      )
      expect(charges.map(({ status }) => status)).toEqual(['complete'])
      expect(numberOf(answers, 201)).toBe(1)
      return answers
    }))

  it('60 webhooks become the 16 that a merchant may have', (context) =>
    inRounds(context, async () => {
      const { secretKey } = await service.makeMerchant()
      const headers = { 'x-user-secret-key': secretKey }
      const payload = { url: 'https://shop.example/hook' }
      const answers = await atOnce(60, (call) =>
        call({ method: 'POST', url: '/v1/webhooks', headers, payload }),
      )
      expect([numberOf(answers, 201), numberOf(answers, 422)]).toEqual([16, 44])
      return answers
    }))
})
