import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

let service: TestService
let calls: ChargeCalls
let last = 0
const nextKey = () => `key-${String((last += 1))}`
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

const send = (options: InjectOptions, key: string, header = 'idempotency-key') =>
  service.call({ ...options, headers: { ...calls.secret(), [header]: key } })
const sale = async (amount = '10.00'): Promise<InjectOptions> => ({
  method: 'POST',
  url: '/v1/charges?capture=false',
  payload: { amount, currency: 'AUD', token: await service.tokenise() },
})
const captureOf = (id: string, payload: object = {}): InjectOptions => ({
  method: 'POST',
  url: `/v1/charges/${id}/capture`,
  payload,
})
const refundOf = (id: string): InjectOptions => ({
  method: 'POST',
  url: `/v1/charges/${id}/refunds`,
  payload: { amount: '1.00' },
})
const isReplay = ({ headers }: { headers: object }) => 'idempotent-replayed' in headers

describe('a request repeated under its key', () => {
  it('is carried out once and answered alike', async () => {
    const [request, key] = [await sale(), nextKey()]
    const first = await send(request, key)
    const second = await send(request, key)
    expect([first.status, isReplay(first), second.status, isReplay(second)]).toEqual([201, false, 201, true])
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body))
  })

  it('is answered as before after the charge has moved on', async () => {
    const [request, key, captureKey] = [await sale(), nextKey(), nextKey()]
    const held = await send(request, key)
    const { _id } = chargeOf(held)
    const captured = await send(captureOf(_id), captureKey)
    await calls.refund(_id, { amount: '4' })
    expect((await send(request, key)).body).toEqual(held.body)
    expect((await send(captureOf(_id), captureKey)).body).toEqual(captured.body)
    expect((await calls.read(_id)).statistics.total_refunded_amount).toBe(4)
  })

  it('sent a hundred times at once is carried out once', async () => {
    const [request, key] = [await sale(), nextKey()]
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(request, key)))
    const done = answers.filter(({ status }) => status === 201)
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(done.filter((answer) => !isReplay(answer))).toHaveLength(1)
  })

  it('refunds once if it comes to two processes at once', async () => {
    const { _id } = await service.authorise()
    await calls.capture(_id)
    const headers = { ...calls.secret(), 'idempotency-key': nextKey() }
    const processes = [service.call, service.startAnother()]
    const sendToEach = () => processes.map((call) => call({ ...refundOf(_id), headers }))
    const answers = await Promise.all(Array.from({ length: 20 }, sendToEach).flat())
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect((await calls.read(_id)).statistics.total_refunded_amount).toBe(1)
  })

  it('is answered with the decline that it was', async () => {
    const [request, key] = [await sale('9000.51'), nextKey()]
    const first = await send(request, key)
    expect(first.status).toBe(422)
    const second = await send(request, key)
    expect(second.body).toEqual(first.body)
    expect(isReplay(second)).toBe(true)
  })

  it('asks the gateway if there was no answer', async () => {
    const { _id } = await service.authorise({ amount: '9500.00' })
    const [request, key] = [captureOf(_id, { amount: '9000.68' }), nextKey()]
    expect((await send(request, key)).body.error?.code).toBe('outcome_unknown')
    expect(chargeOf(await send(request, key))).toMatchObject({ status: 'complete' })
    expect((await calls.read(_id)).transactions.filter(({ type }) => type === 'capture')).toHaveLength(1)
  })

  it('is carried out if the first was never sent', async () => {
    const { _id } = await service.authorise({ amount: '9500.00' })
    const [request, key] = [captureOf(_id, { amount: '9000.91' }), nextKey()]
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await send(request, key)
      expect([answer.status, isReplay(answer)]).toEqual([503, false])
    }
    expect((await calls.read(_id)).status).toBe('pending')
  })

  it('is carried out with its token once the gateway is back', async () => {
    const [request, key] = [await sale('9000.91'), nextKey()]
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await send(request, key)
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
      expect(answer.body.error?.message).toContain('The token is still good')
      expect(isReplay(answer)).toBe(false)
    }
  })

  it('has no Retry-After if the charge was lost on its way', async () => {
    const [request, key] = [await sale('9000.69'), nextKey()]
    expect((await send(request, key)).body.error?.code).toBe('outcome_unknown')
    for (let tries = 0; tries < 2; tries += 1) {
      const answer = await send(request, key)
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'gateway_unavailable' } } })
      expect(answer.body.error?.message).toContain('make a new charge, with a new token')
      expect([isReplay(answer), 'retry-after' in answer.headers]).toEqual([true, false])
    }
  })

  it('may name the key by its alias', async () => {
    const [request, key] = [await sale(), nextKey()]
    const first = await send(request, key, 'x-idempotency-id')
    expect((await send(request, key)).body).toEqual(first.body)
  })

  it('may name its key twice, but not two keys', async () => {
    const [request, key] = [await sale(), nextKey()]
    const sendBoth = (alias: string) =>
      service.call({
        ...request,
        headers: { ...calls.secret(), 'idempotency-key': key, 'x-idempotency-id': alias },
      })
    expect(await sendBoth(nextKey())).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'validation_error',
          message: 'Send one key, as Idempotency-Key or as x-idempotency-id.',
        },
      },
    })
    const first = await sendBoth(key)
    expect([first.status, isReplay(first)]).toEqual([201, false])
    expect((await send(request, key)).body).toEqual(first.body)
  })
})

describe('an Idempotency-Key', () => {
  it('is refused to another body, and to another charge', async () => {
    const key = nextKey()
    const [one, two] = [await service.authorise(), await service.authorise()]
    await send(captureOf(one._id, { amount: '5' }), key)
    for (const other of [captureOf(one._id, { amount: '6' }), captureOf(two._id, { amount: '5' })]) {
      expect(await send(other, key)).toMatchObject({
        status: 422,
        body: { error: { code: 'idempotency_key_reused' } },
      })
    }
    expect((await calls.read(two._id)).status).toBe('pending')
  })

  it('is a merchant’s own, and a route’s own', async () => {
    const key = nextKey()
    const held = chargeOf(await send(await sale(), key))
    expect((await send(captureOf(held._id), key)).status).toBe(201)
    const other = await service.makeMerchant()
    const payload = { amount: '1', currency: 'AUD', token: await service.tokenise({}, other) }
    const answer = await service.call({
      method: 'POST',
      url: '/v1/charges?capture=false',
      headers: { 'x-user-secret-key': other.secretKey, 'idempotency-key': key },
      payload,
    })
    expect([answer.status, isReplay(answer)]).toEqual([201, false])
  })

  it.each([['has spaces'], [''], ['x'.repeat(256)], ['ümlaut']])('%j is none', async (key) => {
    expect((await send(await sale(), key)).status).toBe(400)
  })

  it('is forgotten after 30 days', async () => {
    const { _id } = await service.authorise()
    const key = nextKey()
    await send(captureOf(_id), key)
    await send(refundOf(_id), key)
    await service.database.run(
      testStatement('t_age', "UPDATE attempts SET created_at = created_at - interval '31 days'"),
      [],
    )
    await service.runJob('forget old requests')
    expect((await send(captureOf(_id), key)).body.error?.code).toBe('unfulfilled_condition')
    expect(chargeOf(await send(refundOf(_id), key)).statistics.total_refunded_amount).toBe(2)
  })
})
