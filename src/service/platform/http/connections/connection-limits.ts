import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { senderAt } from '../callers/sender.ts'
import type { CallerKey, Sender } from '../callers/sender.ts'

/** How much of the process one client may hold. Times in ms. */
export interface ConnectionLimits {
  /** How often clients are checked for these times. */
  checkEveryMs: number
  /** A client that reads nothing of what was written to it for this long is disconnected. */
  unreadMs: number
  /** So is one for which something waits all this time, and that takes less than `slowBytes` in it. */
  slowMs: number
  slowBytes: number
  /** Requests of one connection that wait for their answers: a client that sends more is disconnected. */
  maxUnanswered: number
  /** When so many are open, those who hold most give one up that is idle for each newcomer with fewer. */
  maxConnections: number
  /** Of one caller, and of all callers of one IPv6 /48; no limit for a trusted proxy. */
  maxPerCaller: number
  maxPerSite: number
}

interface Connection {
  sender: Sender
  isProxy: boolean
  unanswered: number
  /** Bytes that the operating system took, and since when it took no more while some wait; null: none wait. */
  taken: number
  stuckSince: number | null
  /** Since when something has waited without an end, or the last `slowMs` were over, and what was taken until then. */
  waitsSince: number
  takenBefore: number
}

/** Keeps each client to its share; the result tells whether a request is within it, and counts it. */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  isTrusted: (address: string) => boolean,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const connections = new Map<Socket, Connection>()
  const held = countHeld()
  server.on('connection', (socket) => {
    const sender = senderAt(socket.remoteAddress)
    const isProxy = isTrusted(sender.address)
    const isWithinShare =
      isProxy || (held.of(sender.caller) < limits.maxPerCaller && held.of(sender.site) < limits.maxPerSite)
    const hasRoom = () => connections.size < limits.maxConnections || giveOneUp(connections, held.of, sender)
    if (!isWithinShare || !hasRoom()) {
      socket.destroy()
      return
    }
    held.add(sender, 1)
    const now = performance.now()
    connections.set(socket, {
      sender,
      isProxy,
      unanswered: 0,
      taken: 0,
      stuckSince: null,
      waitsSince: now,
      takenBefore: 0,
    })
    socket.once('close', () => {
      connections.delete(socket)
      held.add(sender, -1)
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

/** How many connections each caller and each site holds. */
function countHeld() {
  const counts = new Map<CallerKey, number>()
  const of = (who: CallerKey): number => counts.get(who) ?? 0
  return {
    of,
    add({ caller, site }: Sender, change: 1 | -1): void {
      for (const who of new Set([caller, site])) {
        const count = of(who) + change
        if (count === 0) counts.delete(who)
        else counts.set(who, count)
      }
    },
  }
}

/**
 * Ends an idle connection of the site that holds most, if that is more than the newcomer would hold; false where there is none. Many
 * networks together could otherwise hold every connection, and nobody else would get one.
 */
function giveOneUp(
  connections: Map<Socket, Connection>,
  heldBy: (who: CallerKey) => number,
  newcomer: Sender,
): boolean {
  let most = heldBy(newcomer.site) + 1
  let found: Socket | undefined
  for (const [socket, { sender, isProxy, unanswered }] of connections) {
    const count = heldBy(sender.site)
    if (isProxy || unanswered > 0 || socket.destroyed || count <= most) continue
    most = count
    found = socket
  }
  found?.destroy()
  return found !== undefined
}

function leaveStuckClients(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  limits: ConnectionLimits,
): void {
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, connection] of connections)
      if (isLost(socket, connection, now, limits)) socket.destroy()
  }, limits.checkEveryMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

/** Whether something waits to be taken, or we have ended and the client has not, and it takes nothing, or next to nothing. */
function isLost(
  socket: Socket,
  connection: Connection,
  now: number,
  { unreadMs, slowMs, slowBytes }: ConnectionLimits,
): boolean {
  const taken = socket.bytesWritten - socket.writableLength
  const waits = socket.writableLength > 0 || socket.writableEnded
  if (!waits) connection.stuckSince = null
  else if (connection.stuckSince === null || taken !== connection.taken) connection.stuckSince = now
  connection.taken = taken
  const isUnread = waits && now - (connection.stuckSince ?? now) >= unreadMs
  const isOver = now - connection.waitsSince >= slowMs
  const isSlow = waits && isOver && taken - connection.takenBefore < slowBytes
  if (!waits || isOver) {
    connection.waitsSince = now
    connection.takenBefore = taken
  }
  return isUnread || isSlow
}
