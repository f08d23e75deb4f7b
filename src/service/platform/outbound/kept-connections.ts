import type { Socket } from 'node:net'
import Client from 'undici/lib/dispatcher/client.js'
import type { Dial } from './dial.ts'
import symbols from 'undici/lib/core/symbols.js'
import { targetOf } from './proxy.ts'
import { NoAnswer } from './no-answer.ts'
import type { Step } from './no-answer.ts'

/** Connections that are kept at most: to one server, and by one client to all servers. */
const MAX_IDLE = 32
const MAX_IDLE_IN_ALL = 1024

/** One connection to one server, for one request at a time. It is made when the first is sent. */
export interface Connection {
  client: Client
  /** How far it is made. */
  step: () => Step
  /** Whether the current request found it open already. */
  isReused: () => boolean
  isOpen: () => boolean
  /** Ends it at once, whatever it does. */
  destroy: () => void
  origin: string
  /** Starts the next request on it. */
  begin: () => void
}

interface Connections {
  /** A kept one, or else a new one. */
  take: (server: URL) => Connection
  create: (server: URL) => Connection
  /** Keeps one whose answer has ended. */
  giveBack: (connection: Connection) => void
}

/** Keeps each connection for `idleMs` after its answer, for the next request to the same server; 0 keeps none. */
export function createConnections(dial: Dial, idleMs: number): Connections {
  const idle = new Map<string, Connection[]>()
  let count = 0
  const remove = (connection: Connection): boolean => {
    const resting = idle.get(connection.origin) ?? []
    const place = resting.indexOf(connection)
    if (place === -1) return false
    resting.splice(place, 1)
    if (resting.length === 0) idle.delete(connection.origin)
    count -= 1
    return true
  }
  const create = (server: URL): Connection => {
    const connection = openConnection(server, dial, idleMs)
    connection.client.on('disconnect', () => {
      if (remove(connection)) connection.destroy()
    })
    return connection
  }
  return {
    create,
    take(server) {
      const connection = idle.get(server.origin)?.at(-1)
      if (connection === undefined) return create(server)
      remove(connection)
      connection.begin()
      return connection
    },
    giveBack(connection) {
      const resting = idle.get(connection.origin) ?? []
      if (!connection.isOpen()) return
      if (idleMs === 0 || resting.length >= MAX_IDLE || count >= MAX_IDLE_IN_ALL) {
        connection.destroy()
        return
      }
      resting.push(connection)
      idle.set(connection.origin, resting)
      count += 1
    },
  }
}

function openConnection(server: URL, dial: Dial, idleMs: number): Connection {
  const target = targetOf(server)
  const sockets = new Set<Socket>()
  let step: Step = 'lookup'
  let isOver = false
  let made = 0
  const watch = {
    at: (reached: Step) => (step = reached),
    hold(socket: Socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket)).on('error', () => undefined)
      if (isOver) socket.destroy()
    },
  }
  const client = new Client(server.origin, {
    allowH2: false,
    keepAliveTimeout: Math.max(1, idleMs),
    keepAliveMaxTimeout: Math.max(1, idleMs),
    // Each request has a time of its own, whatever it waits for.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(_options, callback) {
      made += 1
      const isAgain = made > 1
      const making = isAgain ? Promise.reject(new NoAnswer('CLOSED', false)) : dial(target, watch)
      making.then(
        (socket) => callback(null, socket),
        (error: unknown) =>
          callback(error instanceof Error ? error : new NoAnswer('NO_CONNECTION', false), null),
      )
    },
  })
  ignoreContinue(client)
  return {
    client,
    origin: server.origin,
    step: () => step,
    isReused: () => made === 0,
    isOpen: () => !isOver && sockets.size > 0,
    begin: () => (made = 0),
    destroy() {
      isOver = true
      void client.destroy()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** An interim status that undici ignores and counts. */
const PROCESSING = 102

/**
 * Ignores an unasked `100 Continue` as any other interim answer, on each connection of this client. Some servers send one, and a client
 * has to ignore it (RFC 9110, 15.2); undici would end the connection before the answer comes.
 */
function ignoreContinue(client: Client): void {
  client.on('connect', () => {
    const parser = parserOf(client)
    const take = parser?.onHeadersComplete
    if (parser === null || take === undefined) return
    parser.onHeadersComplete = (status, ...others) =>
      take.call(parser, status === 100 ? PROCESSING : status, ...others)
  })
}

interface Parser {
  onHeadersComplete?: (status: number, ...others: unknown[]) => unknown
}

/** The parser of the connection's answers, which undici does not export. */
function parserOf(client: Client): Parser | null {
  const socket: unknown = Reflect.get(client, symbols.kSocket)
  const parser: unknown = socket instanceof Object ? Reflect.get(socket, symbols.kParser) : null
  return parser instanceof Object ? parser : null
}
