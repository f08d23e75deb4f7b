import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { countAttack } from './counted.ts'
import { faultOf } from './fault-of.ts'
import { createTarget } from './target.ts'
import type { Target } from './target.ts'
import { chunks, smuggling, connections, firstLines, headers as hostileHeaders } from './raw-cases.ts'
import type { RawCase } from './raw-cases.ts'

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

/** The service's answer to bytes that were sent over a connection of their own. */
interface Exchange {
  /** Answers in the order they came, the marker's too. */
  answers: { status: number; headers: string; body: string }[]
  /** What the service did with the connection in the end; `waits`: nothing, for as long as it was watched. */
  end: 'kept' | 'closed' | 'waits'
}

/** A valid request that is sent after the case: if bytes of the case were left unread, they would corrupt it. */
const MARKER = 'GET /health HTTP/1.1\r\nhost: marker\r\nconnection: close\r\n\r\n'

/**
 * Sends bytes, waits for an answer or the end, sends the marker, and waits for the end: how many answers there are then
 * says how many requests the service saw. The last answer is the marker's where the connection was kept. Watches for `maxMs`.
 */
function exchange(port: number, bytes: Buffer, maxMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let isMarked = false
    let isGivenUp = false
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const mark = () => {
      if (isMarked) return
      isMarked = true
      socket.write(MARKER)
    }
    const timer = setTimeout(() => {
      isGivenUp = true
      socket.destroy()
    }, maxMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (answersIn(Buffer.concat(chunks)).length > 0) mark()
    })
    // A server that ends the connection may do so while more is on its way.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      const answers = answersIn(Buffer.concat(chunks))
      const isKept = answers.at(-1)?.body.includes('"type":"health"') === true
      resolve({ answers, end: isKept ? 'kept' : isGivenUp ? 'waits' : 'closed' })
    })
  })
}

/** The whole answers at the beginning of some bytes; each says its length, as all of the service's do. */
function answersIn(bytes: Buffer): Exchange['answers'] {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return []
  const headers = bytes.subarray(0, end).toString('latin1')
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(headers) ?? []
  const after = end + 4 + Number(length)
  if (bytes.length < after) return []
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1] ?? 0)
  const body = bytes.subarray(end + 4, after).toString()
  return [{ status, headers, body }, ...answersIn(bytes.subarray(after))]
}
