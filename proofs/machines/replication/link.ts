import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

/** The network path from one machine to a server, which can be cut. */
export interface Link {
  /** Breaks off all connections and refuses new ones. */
  cut: () => void
  mend: () => Promise<void>
}

/** A link from one port of this machine to another. */
export async function openLink(from: number, to: number): Promise<Link> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    keep(near)
    keep(far)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
    near.pipe(far).pipe(near)
  })
  const mend = async () => {
    server.listen(from, '127.0.0.1')
    await once(server, 'listening')
  }
  await mend()
  return {
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
    mend,
  }
}
