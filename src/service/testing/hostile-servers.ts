import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { STATUS_CODES } from 'node:http'
import * as v from 'valibot'

/** Misbehaves on one connection, whatever was sent on it. */
type Treatment = (socket: Socket) => void

/** How a hostile server behaves, for tests of whatever waits for a server that is not ours. */
interface HostileBehaviour {
  /** Whether it begins as soon as somebody has connected, or when the first bytes of a request have come. */
  on: 'connect' | 'request'
  treat: Treatment
  /** The protocol of its URL. */
  scheme?: 'https'
}

const head = (status: number, ...headers: string[]): string =>
  [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...headers, '', ''].join('\r\n')
const json = 'content-type: application/json'
const answering = (bytes: string): HostileBehaviour => ({
  on: 'request',
  treat: (socket) => socket.write(bytes),
})

/** Writes the next piece at an interval in ms until the client has disconnected. */
const keepWriting = (everyMs: number, piece: string, first = ''): HostileBehaviour => ({
  on: 'request',
  treat(socket) {
    socket.write(first)
    const timer = setInterval(() => socket.write(piece), everyMs)
    socket.on('close', () => clearInterval(timer))
  },
})

/** Writes as fast as its peer reads. */
const flood = (first: string, piece: string): HostileBehaviour => ({
  on: 'request',
  treat(socket) {
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    socket.write(first)
    more()
  },
})

/** Ways in which a merchant's server, a gateway or something between may misbehave, by name. */
export const hostileServers = {
  'never answers': { on: 'request', treat: () => undefined },
  'closes at once': { on: 'connect', treat: (socket) => socket.destroy() },
  'closes when asked': { on: 'request', treat: (socket) => socket.end() },
  'resets the connection': { on: 'request', treat: (socket) => socket.resetAndDestroy() },
  'half-closes and says nothing': { on: 'connect', treat: (socket) => socket.end() },
  'switches protocols': answering(head(101, 'connection: upgrade', 'upgrade: x')),
  'switches protocols unasked': answering(head(101)),
  'floods interim answers': flood('', head(103, 'link: </x>')),
  'drips interim answers': keepWriting(20, head(102)),
  'drips permission to go on': keepWriting(20, head(100)),
  'drips its headers': keepWriting(20, 'x', `HTTP/1.1 200 OK\r\n${json}\r\nx-drip: `),
  'drips its body': keepWriting(20, ' ', head(200, json, 'content-length: 1000000')),
  'drips chunks': keepWriting(20, '1\r\n \r\n', head(200, json, 'transfer-encoding: chunked')),
  'sends giant headers': flood('HTTP/1.1 200 OK\r\n', `x-giant: ${'x'.repeat(8000)}\r\n`),
  'sends a giant body': flood(head(200, json, 'content-length: 9000000000000'), ' '.repeat(65_536)),
  'sends endless chunks': flood(
    head(200, json, 'transfer-encoding: chunked'),
    `1000\r\n${' '.repeat(4096)}\r\n`,
  ),
  'answers a status that is none': answering('HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n'),
  'sends rubbish': answering('220 mail.example ESMTP\r\n'),
  'stops in mid-answer': {
    on: 'request',
    treat: (socket) => socket.end(`${head(200, json, 'content-length: 500')}{"resultCode":"Auth`),
  },
  'names two lengths': answering(`${head(200, json, 'content-length: 2', 'content-length: 20')}{}`),
  'redirects to itself': {
    on: 'request',
    treat: (socket) => socket.end(head(307, 'location: /again', 'content-length: 0', 'connection: close')),
  },
  'speaks no TLS': { ...answering(head(200, 'content-length: 0')), scheme: 'https' },
  'never ends its TLS handshake': { on: 'connect', treat: () => undefined, scheme: 'https' },
} satisfies Record<string, HostileBehaviour>

export type HostileName = keyof typeof hostileServers

/** For `it.each`: every hostile server by its name. */
export const hostileNames = Object.keys(hostileServers).filter(isHostileName)

function isHostileName(name: string): name is HostileName {
  return name in hostileServers
}

export interface HostileServer {
  /** Its origin, such as http://127.0.0.1:40123, without a path. */
  url: string
  /** How many have connected so far, and how many of these connections their clients have not ended yet. */
  connections: () => { made: number; open: number }
  close: () => Promise<void>
}

/** Starts one on a free port of this machine. */
export async function startHostileServer(name: HostileName): Promise<HostileServer> {
  const behaviour: HostileBehaviour = hostileServers[name]
  const { on, treat } = behaviour
  const open = new Set<Socket>()
  let made = 0
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    made += 1
    open.add(socket)
    socket.on('end', () => socket.destroy())
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    if (on === 'connect') treat(socket)
    else socket.once('data', () => treat(socket))
    socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  return {
    url: `${behaviour.scheme ?? 'http'}://127.0.0.1:${port}`,
    connections: () => ({ made, open: open.size }),
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
