import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { plainAddress } from '../callers/address-of.ts'

/** How much of the process one client may hold. Times in ms. */
export interface ConnectionLimits {
  /** How often clients are checked for these times. */
  checkEveryMs: number
  /** A client that reads nothing of what was written to it for this long is disconnected. */
  unreadMs: number
  /** Requests of one connection that wait for their answers: a client that sends more is disconnected. */
  maxUnanswered: number
  maxConnections: number
  /** Of one address; no limit for a trusted proxy. */
  maxPerAddress: number
}

interface Connection {
  unanswered: number
  /** Bytes that the operating system took, and since when it took no more while some wait; null: none wait. */
  taken: number
  stuckSince: number | null
}

/** Keeps each client to its share; the result tells whether a request is within it, and counts it. */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrusted: (address: string) => boolean,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const connections = new Map<Socket, Connection>()
  const perAddress = new Map<string, number>()
  server.maxConnections = limits.maxConnections
  server.on('connection', (socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    const count = (perAddress.get(address) ?? 0) + 1
    if (count > limits.maxPerAddress && !isTrusted(address)) {
      socket.destroy()
      return
    }
    perAddress.set(address, count)
    connections.set(socket, { unanswered: 0, taken: 0, stuckSince: null })
    socket.once('close', () => {
      connections.delete(socket)
      const others = (perAddress.get(address) ?? 1) - 1
      if (others === 0) perAddress.delete(address)
      else perAddress.set(address, others)
    })
  })
  leaveStuckClients(server, connections, limits)
  return ({ socket }, response) => {
    const connection = connections.get(socket)
    if (connection === undefined || socket.destroyed) return false
    connection.unanswered += 1
    response.once('close', () => (connection.unanswered -= 1))
    if (connection.unanswered <= limits.maxUnanswered) return true
    socket.destroy()
    return false
  }
}

function leaveStuckClients(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  { checkEveryMs, unreadMs }: ConnectionLimits,
): void {
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      if (isStuck(socket, connection, now) && now - (connection.stuckSince ?? now) >= unreadMs)
        socket.destroy()
    }
  }, checkEveryMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** Something waits to be taken, or we have ended and the client has not. */
function isStuck(socket: Socket, connection: Connection, now: number): boolean {
  const taken = socket.bytesWritten - socket.writableLength
  const waits = socket.writableLength > 0 || socket.writableEnded
  if (!waits) connection.stuckSince = null
  else if (connection.stuckSince === null || taken !== connection.taken) connection.stuckSince = now
  connection.taken = taken
  return waits
}
