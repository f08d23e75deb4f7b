import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import * as v from 'valibot'
import { inject, onTestFinished } from 'vitest'
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './test-certificate.ts'

/** A message of PostgreSQL's protocol, from a server. */
function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(5, type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.concat([int16(value >>> 16), int16(value & 65_535)])

const READY = message('Z', 'I')
const DONE = message('C', 'SELECT 0\0')
const SIGNED_IN = Buffer.concat([message('R', int32(0)), message('K', int32(7), int32(7)), READY])

/** The end of a session that nobody has asked for. */
export const FAREWELL = message('E', 'SFATAL\0VFATAL\0C08P01\0Mno more connections allowed\0\0')
/** The end of a session that has nothing to do, by `idle_session_timeout`. */
export const IDLE_TOO_LONG = message(
  'E',
  'SFATAL\0VFATAL\0C57P05\0Mterminating connection due to idle-session timeout\0\0',
)
/** The answer to a statement with values: no rows. */
export const NO_ROWS = Buffer.concat([message('1'), message('2'), message('n'), DONE, READY])

/** A row of texts, as the answer to a statement without values. */
function rowOf(row: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(row)
  const columns = names.map((name) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      int32(0),
      int16(0),
      int32(25),
      int16(65_535),
      int32(-1),
      int16(0),
    ]),
  )
  const fields = Object.values(row).map((text) => Buffer.concat([int32(text.length), Buffer.from(text)]))
  return Buffer.concat([
    message('T', int16(names.length), ...columns),
    message('D', int16(names.length), ...fields),
  ])
}

interface FakePostgres {
  /** What it says to each who signs in. */
  greeting?: readonly Buffer[]
  /** The row that answers statements without values. */
  row?: Readonly<Record<string, string>>
  /** Answers each statement with values. */
  answer?: (socket: Socket) => void
}

/** A server that signs everybody in, until the test has finished; returns its `host:port`. */
export function startFakePostgres({ greeting = [], row, answer }: FakePostgres): Promise<string> {
  return listen((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([SIGNED_IN, ...greeting]))
      socket.on('data', (bytes) => {
        const type = String.fromCharCode(bytes[0] ?? 0)
        if (type === 'Q')
          socket.write(Buffer.concat([row === undefined ? Buffer.alloc(0) : rowOf(row), DONE, READY]))
        else if (type !== 'X') answer?.(socket)
      })
    })
  })
}

/** A statement of a client that asks for TLS, before anything else. */
const SSL_REQUEST = int32(80_877_103)

/**
 * The run's own server at a port of this machine, until the test has finished: with TLS by the test certificate, or without (`null`);
 * `asked` gets, for each connection, whether it has TLS. Returns its port.
 */
export async function startTlsTo(
  certificate: 'test' | null,
  asked: (isTls: boolean) => void,
): Promise<string> {
  const path = ownSocket()
  return listen((socket) => {
    const joinTo = (client: Socket, first?: Buffer) => {
      asked(client instanceof TLSSocket)
      const server = connect(path)
      server.on('error', () => client.destroy())
      client.on('error', () => server.destroy())
      if (first !== undefined) server.write(first)
      client.pipe(server).pipe(client)
    }
    socket.once('data', (first) => {
      if (!first.subarray(4, 8).equals(SSL_REQUEST)) joinTo(socket, first)
      else if (certificate === null) {
        socket.write('N')
        socket.once('data', (next) => joinTo(socket, next))
      } else {
        socket.write('S')
        joinTo(new TLSSocket(socket, { isServer: true, cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }))
      }
    })
  })
}

/** The run's own server, with each packet `ms` later at either end, until the test has finished; returns its `host:port`. */
export function startRelay(ms: number): Promise<string> {
  const late = (from: Socket, to: Socket) => {
    from.on('data', (bytes) => setTimeout(() => to.write(bytes), ms))
    from.on('end', () => setTimeout(() => to.end(), ms))
    from.on('error', () => to.destroy())
  }
  return listen((client) => {
    const server = connect(ownSocket())
    late(client, server)
    late(server, client)
  })
}

/** The run's own server, whose connection is lost once it has answered an error with this text, until the test has finished; returns its `host:port`. */
export function startRelayThatCuts(text: string): Promise<string> {
  return listen((client) => {
    const server = connect(ownSocket())
    server.on('error', () => client.destroy())
    client.on('error', () => server.destroy()).pipe(server)
    server.on('data', (bytes) => {
      const at = bytes.indexOf(text)
      if (at === -1) client.write(bytes)
      else {
        // The message ends with two zeros: of its last field, and of itself.
        client.end(bytes.subarray(0, bytes.indexOf('\0\0', at) + 2))
        server.destroy()
      }
    })
  })
}

/** The Unix socket of the run's own server. */
function ownSocket(): string {
  const [, folder = ''] = /host=([^&]+)/.exec(inject('connectionString')) ?? []
  return `${decodeURIComponent(folder)}/.s.PGSQL.5432`
}

async function listen(treat: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    treat(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  return `127.0.0.1:${port}`
}
