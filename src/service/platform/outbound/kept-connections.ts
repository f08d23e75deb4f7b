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
  /** Whether the request that it was taken for found it made. */
  isReused: () => boolean
  isOpen: () => boolean
  /** Ends it at once, whatever it does. */
  destroy: () => void
  origin: string
  /** From here on it is for the next request. */
  begin: () => void
}

interface Connections {
  /** One that is kept, else a new one. */
  take: (server: URL) => Connection
  create: (server: URL) => Connection
  /** Takes one back, whose answer has ended. */
  giveBack: (connection: Connection) => void
}

/** Connections of which each is kept so long for the next request to the same server, in ms; 0 keeps none. */
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
  passOverPermission(client)
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

/** As undici takes it: it is passed over, and counted. */
const PROCESSING = 102

/**
 * Takes `100 Continue` as any other interim answer, on each connection of this client. Some servers send one that nobody has asked
 * for, and a client has to pass it over (RFC 9110, 15.2); undici ends the connection, with the answer on its way.
 */
function passOverPermission(client: Client): void {
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

/** What reads the answers of its connection; undici keeps it to itself. */
function parserOf(client: Client): Parser | null {
  const socket: unknown = Reflect.get(client, symbols.kSocket)
  const parser: unknown = socket instanceof Object ? Reflect.get(socket, symbols.kParser) : null
  return parser instanceof Object ? parser : null
}
