import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { countAttack } from '../counted.ts'
import { faultOf } from '../fault-of.ts'
import { exchange } from './raw-connection.ts'
import type { Exchange } from './raw-connection.ts'
import { chunks, smuggling } from './raw-bodies.ts'
import type { RawCase } from './raw-case.ts'
import { connections, firstLines, headers as hostileHeaders } from './raw-heads.ts'
import { createTarget } from '../target.ts'
import type { Target } from '../target.ts'

const rawCases = [...smuggling, ...chunks, ...firstLines, ...hostileHeaders, ...connections]

let target: Target
beforeAll(async () => {
  target = await createTarget()
})
afterAll(() => target.close())
afterEach(() => target.mustBeWell())

/** What is wrong with the service's answer to the bytes, or null. */
function wrongOf({ expect: wanted, requests }: RawCase, { answers, end }: Exchange): string | null {
  const own = end === 'kept' ? answers.slice(0, -1) : answers
  const words = `${own.map(({ status }) => status).join()} and ${end}`
  const faults = own.map(({ status, body }) => faultOf({ status, text: body }, target.secretsFor('/v1/')))
  const fault = faults.find((one) => one !== null)
  if (fault !== undefined) return `${fault}: ${words}`
  if (wanted === 'answered')
    return own.length === requests ? null : `not ${String(requests)} answers: ${words}`
  if (wanted === 'waits') return own.length === 0 && end !== 'kept' ? null : `not waited for: ${words}`
  const last = own.at(-1)
  const isRefused = end === 'closed' && own.length <= requests && (last === undefined || last.status >= 400)
  return isRefused ? null : `not refused: ${words}`
}

describe('raw HTTP', () => {
  it.each(rawCases)('$name', async (one) => {
    expect(
      wrongOf(one, await exchange(target.port, one.bytes, one.expect === 'waits' ? 300 : 10_000)),
    ).toBeNull()
    expect(target.service.logged()).not.toContain('smuggled')
  })

  it('is tried by many requests, none of which is seen as two', (context) => {
    countAttack(
      context,
      rawCases.map(({ expect: wanted }) => wanted),
    )
    expect(rawCases.length).toBeGreaterThan(100)
  })

  it('half sent, on many connections, keeps nobody else waiting', async (context) => {
    const halves = [
      'G',
      'GET /v1/charges HTTP/1.1\r\n',
      'GET /v1/charges HTTP/1.1\r\nhost: x\r\nx',
      'POST /v1/charges HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
      '',
    ]
    const sockets = Array.from({ length: 200 }, (_, at) => open(halves[at % halves.length] ?? ''))
    try {
      for (let round = 0; round < 20; round += 1) await target.mustBeWell()
    } finally {
      for (const socket of sockets) socket.destroy()
    }
    countAttack(
      context,
      sockets.map(() => 'others were answered'),
    )
  })
})

function open(bytes: string): Socket {
  const socket = connect(target.port, '127.0.0.1', () => socket.write(bytes))
  return socket.on('error', () => undefined)
}
