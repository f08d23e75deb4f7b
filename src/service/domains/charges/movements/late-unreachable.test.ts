import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Gateway, GatewayAnswer } from '../../gateways/gateway.ts'
import { chargeCalls, chargeOf } from '../../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../../testing/charge-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { Answer, TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'

const approved: GatewayAnswer = {
  kind: 'approved',
  holdSeconds: 3600,
  code: '00',
  description: 'Approved',
  externalId: 'x1',
  externalReference: null,
}
const noAnswer = () => Promise.resolve({ kind: 'unknown' } as const)
const timeIsOver = testStatement(
  't_time_is_over',
  "UPDATE attempts SET ask_after = now() - interval '1 second'",
)
/** As the statement that records an outcome has its attempt locked. */
const recordingAnswer = testStatement('t_recording_answer', 'SELECT FROM attempts FOR UPDATE')

let service: TestService
let calls: ChargeCalls
/** What happens while the gateway is tried in vain. */
let meanwhile: () => Promise<unknown>
let timesAsked: number
/** Lets the gateway tell what it has carried out since. */
let tell: () => void
beforeEach(async () => {
  timesAsked = 0
  const told = new Promise<void>((resolve) => (tell = resolve))
  const gateway: Gateway = {
    async sell() {
      await meanwhile()
      return { kind: 'unreachable' }
    },
    async outcomeOf() {
      timesAsked += 1
      await told
      return approved
    },
    capture: noAnswer,
    cancel: noAnswer,
    refund: noAnswer,
  }
  service = await createTestService({ gateways: { sandbox: gateway } })
  calls = chargeCalls(service)
})
afterEach(() => service.close())

const request = async () => ({
  method: 'POST' as const,
  url: '/v1/charges?capture=false',
  headers: { ...calls.secret(), 'idempotency-key': 'sale' },
  payload: { amount: '10.00', currency: 'AUD', token: await service.tokenise() },
})
const isAsked = () => expect.poll(() => timesAsked).toBe(1)

it('nothing was sent, as long as nobody has asked: the sale has failed', async () => {
  meanwhile = () => Promise.resolve()
  const answer = await service.call(await request())
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'gateway_unavailable' } } })
  expect(chargeOf(answer).status).toBe('failed')
})

it('nothing was sent, but a background job has asked: what it finds out counts', async () => {
  let asking: Promise<unknown> | undefined
  meanwhile = async () => {
    asking = service.runJob('resolve attempts')
    await isAsked()
  }
  const answer = await service.call(await request())
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'outcome_unknown' } } })
  tell()
  await asking
  expect((await calls.read(chargeOf(answer)._id)).status).toBe('pending')
})

it('nothing was sent, but the same request came again after its time: what that finds out counts', async () => {
  const sale = await request()
  let again: Promise<Answer> | undefined
  meanwhile = async () => {
    await service.database.run(timeIsOver, [])
    again = service.call(sale)
    await isAsked()
  }
  expect((await service.call(sale)).body.error?.code).toBe('outcome_unknown')
  tell()
  expect((await again)?.body.resource.data).toMatchObject({ status: 'pending' })
})

it('the same request came again while an answer to the first was being recorded: nobody is asked', async () => {
  const sale = await request()
  let again: Answer | undefined
  meanwhile = async () => {
    await service.database.run(timeIsOver, [])
    await service.database.transaction(async (queries) => {
      await queries.run(recordingAnswer, [])
      again = await service.call(sale)
    })
  }
  await service.call(sale)
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'request_in_progress' } } })
  expect(timesAsked).toBe(0)
})
