import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import * as v from 'valibot'
import { LOCAL_CERTIFICATE, LOCAL_CERTIFICATE_KEY } from './test-certificate.ts'

/** What a proxy does once it was asked for a way: `null` opens it. */
type Treatment = ((socket: Socket, open: () => void) => void) | null

export interface EgressProxy {
  /** Without user and password. */
  url: string
  /** The ways that it was asked for, such as `127.0.0.1:443`, oldest first. */
  asked: string[]
  /** What it was shown with each question: the value of Proxy-Authorization, or '' without one. */
  shown: string[]
  /** How many connections to it are open. */
  open: () => number
  /** From here on it does so. */
  treat: (treatment: Treatment) => void
  close: () => Promise<void>
}

const REFUSALS: Readonly<Record<number, string>> = {
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
}

/** Answers the question for a way by a status, as proxies do, and hangs up. */
export function refusing(status: number): Treatment {
  return (socket) =>
    socket.end(
      `HTTP/1.1 ${status} ${REFUSALS[status] ?? 'No'}\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\n<p/>`,
    )
}

/** An HTTP proxy for CONNECT, on a free port of this machine. */
export async function startEgressProxy({ isEncrypted = false } = {}): Promise<EgressProxy> {
  const asked: string[] = []
  const shown: string[] = []
  const sockets = new Set<Socket>()
  let treatment: Treatment = null
  const serve = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    let head = ''
    const read = (chunk: Buffer) => {
      head += chunk.toString('latin1')
      if (!head.includes('\r\n\r\n')) return
      socket.off('data', read)
      const authority = /^CONNECT (\S+) HTTP\/1\.1\r\n/.exec(head)?.[1] ?? ''
      asked.push(authority)
      shown.push(/\r\nproxy-authorization: (.*)\r\n/i.exec(head)?.[1] ?? '')
      const open = () => openWay(socket, authority)
      if (treatment === null) open()
      else treatment(socket, open)
    }
    socket.on('data', read)
  }
  const server = isEncrypted
    ? createTlsServer({ cert: LOCAL_CERTIFICATE, key: LOCAL_CERTIFICATE_KEY }, serve)
    : createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  return {
    url: `${isEncrypted ? 'https' : 'http'}://localhost:${port}`,
    asked,
    shown,
    open: () => sockets.size,
    treat: (next) => (treatment = next),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function openWay(socket: Socket, authority: string): void {
  const { hostname, port } = new URL(`http://${authority}`)
  const server = connect(Number(port === '' ? 80 : port), hostname.replace(/^\[|\]$/g, ''))
  server.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'))
  server.on('connect', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(server).pipe(socket)
  })
  server.on('close', () => socket.destroy())
  socket.on('close', () => server.destroy())
}
