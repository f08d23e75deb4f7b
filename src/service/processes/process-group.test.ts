import cluster from 'node:cluster'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import * as v from 'valibot'
import { monotonicClock } from '../platform/clocks.ts'
import { inTime } from '../platform/in-time.ts'
import { startProcessGroup } from './process-group.ts'

const PORT = Number(process.env['SVC_TEST_FIRST_PORT'] ?? '18080') + 90
const Answer = v.object({ pid: v.number(), processes: v.string() })

beforeAll(() => {
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'testing', 'small-service.mjs'), execArgv: [] })
})

/** On a busy machine a process takes seconds to start. */
const IN_A_WHILE = { timeout: 20_000 }

const said: object[] = []
const start = (settings: Record<string, string> = {}, count = 2) =>
  startProcessGroup({
    count,
    settings: { SMALL_SERVICE_PORT: String(PORT), ...settings },
    log: { error: (facts: object) => said.push(facts) },
    clock: monotonicClock,
  })
const ask = async () => {
  const given = { headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) }
  const answer = await fetch(`http://127.0.0.1:${PORT}`, given)
  return v.parse(Answer, await answer.json())
}
const calm = () => new AbortController().signal
/** Who answers, of many requests. */
const whoAnswers = async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, ask))
  return new Set(answers.map(({ pid }) => pid))
}

describe('processes that share a port', () => {
  it('all answer as a single one; one that dies is replaced meanwhile; they end together', async () => {
    const group = await start()
    await vi.waitFor(async () => expect((await whoAnswers()).size).toBe(2), IN_A_WHILE)
    const { pid, processes } = await ask()
    expect(processes).toBe('1')
    process.kill(pid, 'SIGKILL')
    for (let count = 0; count < 20; count += 1) await ask().catch(() => undefined)
    expect((await ask()).pid).not.toBe(pid)
    await vi.waitFor(async () => expect((await whoAnswers()).size).toBe(2), IN_A_WHILE)
    expect(await whoAnswers()).not.toContain(pid)
    expect(said).toHaveLength(1)
    await group.end(calm())
    await expect(ask()).rejects.toThrow()
  })

  it('are refused, and none is left, when one of them does not start', async () => {
    await expect(start({ SMALL_SERVICE_FAILS: 'yes' })).rejects.toThrow('the first process did not start')
    await expect(ask()).rejects.toThrow()
  })

  it('end with a fault when one of them does', async () => {
    const group = await start({ SMALL_SERVICE_CODE: '3' })
    await expect(group.end(calm())).rejects.toThrow('did not end well')
  })

  it('are hurried where that was asked for before they are told to end', async () => {
    const group = await start()
    const halfAsked = connect(PORT, '127.0.0.1')
    await once(halfAsked, 'connect')
    halfAsked.on('error', () => undefined).write('GET / HTTP/1.1\r\n')
    const isOver = await inTime(
      group.end(AbortSignal.abort()).then(() => true),
      3000,
      () => false,
    )
    halfAsked.destroy()
    expect(isOver).toBe(true)
  })

  it('go on when a message to one of them is lost', async () => {
    const group = await start()
    for (const worker of Object.values(cluster.workers ?? {})) worker?.emit('error', new Error('write EPIPE'))
    await ask()
    await group.end(calm())
  })

  it('are refused when the system starts none', async () => {
    const { execPath } = process
    process.execPath = '/nowhere/node'
    await expect(start().finally(() => (process.execPath = execPath))).rejects.toThrow(
      'the first process did not start',
    )
  })
})
