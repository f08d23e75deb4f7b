import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Gateway, GatewayAnswer } from '../gateways/gateway.ts'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService, Answer } from '../../testing/test-service.ts'
import { madeCharge } from './testing/made-charge.ts'
import { askGateway } from './settle.ts'
import { testStatement } from '../../testing/test-statement.ts'

describe('a call to a gateway', () => {
  /** A gateway that ignores the signal to stop. */
  const deaf = () => new Promise<never>(() => undefined)
  const gateway: Gateway = { authorise: deaf, capture: deaf, cancel: deaf, refund: deaf, outcomeOf: deaf }

  let service: TestService
  beforeAll(async () => {
    service = await createTestService({ gateways: { sandbox: gateway } })
  })
  afterAll(() => service.close())

  it('beyond the slots of its account sends nothing and keeps the token', async () => {
    const { sell } = chargeCalls(service)
    const tokens: string[] = []
    for (let number = 0; number < 257; number += 1) tokens.push(await service.tokenise())
    const answers = await Promise.all(
      tokens.map((token) => sell({ amount: '10.00', currency: 'AUD', token })),
    )
    const codes = answers.map(({ body }) => body.error?.code)
    expect(codes.filter((code) => code === 'outcome_unknown')).toHaveLength(256)
    const refused = answers.findIndex(({ body }) => body.error?.code === 'gateway_unavailable')
    expect(answers[refused]?.status).toBe(503)
    const again = await sell({ amount: '10.00', currency: 'AUD', token: tokens[refused] })
    expect(again.body.error?.code).toBe('outcome_unknown')
  })

  describe('with an adapter', () => {
    beforeEach(() => vi.useFakeTimers())
    afterEach(() => vi.useRealTimers())

    const after = <Result>(ms: number, result: () => Result | Promise<Result>): Promise<Result> =>
      new Promise<void>((resolve) => setTimeout(resolve, ms)).then(result)
    type Send = (gateway: Gateway, signal: AbortSignal) => Promise<{ kind: 'approved' }>
    const sending = (ms: number) => vi.fn<Send>(() => after(ms, () => ({ kind: 'approved' })))

    function asking(adapterOf: () => Promise<Gateway>, send: Send) {
      const leave = vi.fn()
      const onFault = vi.fn()
      const calls = { adapterOf, timeoutMs: 5000, bulkhead: { enter: () => leave }, onFault }
      const began = Date.now()
      const answer = askGateway(calls, madeCharge(), send).then(({ kind }) => ({
        kind,
        afterMs: Date.now() - began,
      }))
      return { answer, leave, onFault }
    }

    it.each([
      ['comes too late', () => after(5001, () => gateway), 5000],
      ['never comes', deaf, 5000],
      ['fails too late', () => after(9000, () => Promise.reject(new Error('database away'))), 5000],
      ['fails', () => Promise.reject(new Error('database away')), 0],
    ])('that %s sends nothing ever and frees its slot', async (_, adapterOf, afterMs) => {
      const send = sending(1)
      const { answer, leave, onFault } = asking(adapterOf, send)
      await vi.advanceTimersByTimeAsync(5000)
      expect(leave).toHaveBeenCalledTimes(1)
      expect(await answer).toEqual({ kind: 'unreachable', afterMs })
      expect(onFault).toHaveBeenCalledTimes(1)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(send).not.toHaveBeenCalled()
      expect(vi.getTimerCount()).toBe(0)
    })

    it.each([
      ['answers in what time is left', 100, 'approved', 4999],
      ['may answer for 2 s more', 2099, 'approved', 6998],
      ['does not answer by then', 2103, 'unknown', 7000],
    ] as const)('that comes late and %s', async (_, ms, kind, afterMs) => {
      const send = sending(ms)
      const { answer } = asking(() => after(4899, () => gateway), send)
      await vi.advanceTimersByTimeAsync(4999)
      expect(send.mock.calls[0]?.[1].aborted).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      expect(send.mock.calls[0]?.[1].aborted).toBe(afterMs > 5000)
      await vi.advanceTimersByTimeAsync(2000)
      expect(await answer).toEqual({ kind, afterMs })
      expect(send).toHaveBeenCalledTimes(1)
    })
  })
})

describe('afterwards', () => {
  let service: TestService
  let calls: ChargeCalls
  beforeAll(async () => {
    service = await createTestService()
    calls = chargeCalls(service)
    await service.database.script(`
    CREATE TABLE refused_settlements (type text);
    CREATE FUNCTION refuse_settlement() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT 1 FROM refused_settlements r WHERE r.type = NEW.type) THEN
          RAISE EXCEPTION 'disk full';
        END IF;
        RETURN NEW;
      END $$;
    CREATE TRIGGER refuse_settlement BEFORE UPDATE OF outcome ON attempts
      FOR EACH ROW WHEN (NEW.outcome <> 'open') EXECUTE FUNCTION refuse_settlement()`)
  })
  afterAll(() => service.close())

  const refuse = (type: string) =>
    service.database.script(`INSERT INTO refused_settlements VALUES ('${type}')`)
  const recover = () => service.database.script('DELETE FROM refused_settlements')

  describe('an outcome that cannot be recorded', () => {
    it('of a sale is unknown to the merchant until it is recorded', async () => {
      await refuse('sale')
      const answer = await calls.sell({ amount: '10', currency: 'AUD', token: await service.tokenise() })
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'outcome_unknown' } } })
      const { _id } = chargeOf(answer)
      await recover()
      await service.runJob('resolve attempts')
      expect(await calls.read(_id)).toMatchObject({ status: 'pending' })
    })

    it('of a capture is unknown too', async () => {
      const { _id } = await service.authorise()
      await refuse('capture')
      expect((await calls.capture(_id)).body.error?.code).toBe('outcome_unknown')
      await recover()
      await service.runJob('resolve attempts')
      expect(await calls.read(_id)).toMatchObject({ status: 'complete' })
    })

    it('keeps no other attempt waiting', async () => {
      const [stuck, other] = [await service.authorise(), await service.authorise({ amount: '9500.00' })]
      await refuse('capture')
      await calls.capture(stuck._id)
      await calls.capture(other._id, { amount: '9000.68' })
      await service.database.run(testStatement('t_asked', 'UPDATE attempts SET times_asked = 5000'), [])
      await service.runJob('resolve attempts')
      expect(service.logged()).toContain('what was left unfinished could not be finished yet')
      await recover()
      await service.runJob('resolve attempts')
      for (const { _id } of [stuck, other]) expect((await calls.read(_id)).status).toBe('complete')
    })
  })
})

describe('a gateway that could not be reached', () => {
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
      async authorise() {
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

  it('fails the sale if nobody has asked meanwhile', async () => {
    meanwhile = () => Promise.resolve()
    const answer = await service.call(await request())
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'gateway_unavailable' } } })
    expect(chargeOf(answer).status).toBe('failed')
  })

  it('leaves the outcome to a job that has asked', async () => {
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

  it('leaves the outcome to a repetition that has asked', async () => {
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

  it('is not asked again while an answer is recorded', async () => {
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
})
