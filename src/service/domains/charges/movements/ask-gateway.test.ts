import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Gateway } from '../../gateways/gateway.ts'
import { chargeCalls } from '../../../testing/charge-calls.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { madeCharge } from '../testing/made-charge.ts'
import { createAskGateway } from './ask-gateway.ts'

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

describe('an adapter', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  const after = <Result>(ms: number, result: () => Result | Promise<Result>): Promise<Result> =>
    new Promise<void>((resolve) => setTimeout(resolve, ms)).then(result)
  type Send = (gateway: Gateway, signal: AbortSignal) => Promise<{ kind: 'approved' }>
  const sending = (ms: number) => vi.fn<Send>(() => after(ms, () => ({ kind: 'approved' })))

  function asking(adapterOf: () => Promise<Gateway>, send: Send) {
    const leave = vi.fn()
    const onFault = vi.fn()
    const ask = createAskGateway({ adapterOf, timeoutMs: 5000, bulkhead: { enter: () => leave }, onFault })
    const began = Date.now()
    const answer = ask(madeCharge(), send).then(({ kind }) => ({ kind, afterMs: Date.now() - began }))
    return { answer, leave, onFault }
  }

  it.each([
    ['comes too late', () => after(5001, () => gateway), 5000],
    ['never comes', deaf, 5000],
    ['fails too late', () => after(9000, () => Promise.reject(new Error('database away'))), 5000],
    ['fails', () => Promise.reject(new Error('database away')), 0],
  ])('that %s sends nothing then or later, and gives its slot back', async (_, adapterOf, afterMs) => {
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
