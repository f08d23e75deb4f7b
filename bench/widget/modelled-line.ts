import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

/** A line between a browser and servers: its round trip, and its width in bytes a second, which all connections share. */
export interface Line {
  rttMs: number
  down: number
  up: number
}

const SEGMENT = 1448
const HEADER = 40
/** Segments that a server may send before the first of them is acknowledged (RFC 6928). */
const FIRST_WINDOW = 10
const MAX_WINDOW = 2_000_000

/** When the two directions of a line are free again, in ms; one for all connections of a visit. */
export interface Bottleneck {
  down: number
  up: number
}

/**
 * A TCP proxy that models a line where the kernel can't: a round trip for the handshake, one shared bottleneck, and slow start
 * downstream. Bytes keep their order.
 */
export function modelLine(listen: number, target: number, line: Line, shared: Bottleneck): Server {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const origin = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [client, origin]) socket.setNoDelay(true)
    carryUp(client, origin, line, shared)
    carryDown(client, origin, line, shared)
    client.on('error', () => origin.destroy())
    origin.on('error', () => client.destroy())
    client.on('close', () => setTimeout(() => origin.destroy(), line.rttMs))
  })
  return server.listen(listen, '127.0.0.1')
}

function carryUp(client: Socket, origin: Socket, { rttMs, up }: Line, shared: Bottleneck): void {
  const later = inOrder()
  const opened = performance.now()
  let last = 0
  client.on('data', (bytes) => {
    shared.up = Math.max(performance.now(), opened + rttMs, shared.up) + (bytes.length / up) * 1000
    last = shared.up + rttMs / 2
    later(last, () => !origin.destroyed && origin.write(bytes))
  })
  client.on('end', () => later(last, () => origin.end()))
}

function carryDown(client: Socket, origin: Socket, { rttMs, down }: Line, shared: Bottleneck): void {
  const [later, acknowledged] = [inOrder(), inOrder()]
  const pending: Buffer[] = []
  let [window, inFlight, hasEnded, last] = [FIRST_WINDOW * SEGMENT, 0, false, 0]
  const send = (part: Buffer) => {
    inFlight += part.length
    shared.down = Math.max(performance.now(), shared.down) + ((part.length + HEADER) / down) * 1000
    last = shared.down + rttMs / 2
    later(last, () => !client.destroyed && client.write(part))
    acknowledged(last + rttMs / 2, () => {
      inFlight -= part.length
      window = Math.min(window + part.length, MAX_WINDOW)
      pump()
    })
  }
  const pump = () => {
    for (let [bytes] = pending; bytes !== undefined && inFlight < window; [bytes] = pending) {
      const whole = Math.min(bytes.length, SEGMENT)
      const length = Math.min(whole, window - inFlight)
      if (length < whole && inFlight > 0) return
      if (length === bytes.length) pending.shift()
      else pending[0] = bytes.subarray(length)
      send(bytes.subarray(0, length))
    }
    if (hasEnded && pending.length === 0) later(last, () => client.end())
  }
  origin.on('data', (bytes) => {
    pending.push(bytes)
    pump()
  })
  origin.on('end', () => {
    hasEnded = true
    pump()
  })
}

/** Calls back at given times (`performance.now()`), never out of order. */
function inOrder(): (at: number, work: () => unknown) => void {
  const waiting: { at: number; work: () => unknown }[] = []
  let timer: NodeJS.Timeout | undefined
  const run = () => {
    timer = undefined
    for (let [next] = waiting; next !== undefined && next.at <= performance.now() + 0.3; [next] = waiting) {
      waiting.shift()
      next.work()
    }
    const [next] = waiting
    if (next !== undefined) timer ??= setTimeout(run, Math.max(0, next.at - performance.now()))
  }
  return (at, work) => {
    waiting.push({ at: Math.max(at, waiting.at(-1)?.at ?? 0), work })
    if (timer === undefined) run()
  }
}
