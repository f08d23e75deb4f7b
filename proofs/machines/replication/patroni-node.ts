import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { startProgram } from './programs.ts'
import { environmentWith, PATRONI_SETTINGS } from './settings.ts'

/** One machine with Patroni and its PostgreSQL, which a proof can break. */
export interface PatroniNode {
  name: string
  restPort: number
  /** Starts Patroni, which makes or starts its PostgreSQL. */
  start: () => void
  /** Ends every process at once, as on a machine that loses its power. */
  kill: () => Promise<void>
  /** Stops every process where it is (SIGSTOP), as on a machine that hangs. */
  pause: () => void
  resume: () => void
  cutFromEtcd: () => void
  reachEtcdAgain: () => Promise<void>
  stop: () => Promise<void>
}

export interface NodePlace {
  name: string
  /** Holds its data folder and its log; belongs to PostgreSQL's account. */
  folder: string
  ports: { postgres: number; rest: number; etcdLink: number; etcd: number }
  password: string
}

export async function createNode({ name, folder, ports, password }: NodePlace): Promise<PatroniNode> {
  const dataDir = join(folder, name)
  const link = await openLink(ports.etcdLink, ports.etcd)
  const environment = {
    ...environmentWith('patroni.env', {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `127.0.0.1:${ports.rest}`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${ports.rest}`,
      PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${ports.postgres}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${ports.postgres}`,
      PATRONI_POSTGRESQL_DATA_DIR: dataDir,
      PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
      PATRONI_ETCD_HOSTS: `127.0.0.1:${ports.etcdLink}`,
      PATRONI_SUPERUSER_PASSWORD: password,
      PATRONI_REPLICATION_PASSWORD: password,
    }),
    // Otherwise Patroni learns etcd's own addresses from it and bypasses the link.
    PATRONI_ETCD_USE_PROXIES: 'true',
  }
  const begin = () => startProgram('patroni', [PATRONI_SETTINGS], { folder, name, environment })
  let patroni: ReturnType<typeof begin> | null = null
  // Patroni first, so that it can't act on what happens to PostgreSQL.
  const processes = () => [...(patroni === null ? [] : [patroni.pid]), ...postgresIn(dataDir)]
  const resume = () => signal(processes().reverse(), 'SIGCONT')
  return {
    name,
    restPort: ports.rest,
    start: () => void (patroni = begin()),
    async kill() {
      signal(processes(), 'SIGKILL')
      await patroni?.end('SIGKILL')
      patroni = null
    },
    pause: () => signal(processes(), 'SIGSTOP'),
    resume,
    cutFromEtcd: link.cut,
    reachEtcdAgain: link.mend,
    async stop() {
      resume()
      await patroni?.end('SIGTERM')
      link.cut()
    },
  }
}

/** The processes of the PostgreSQL in a folder; none when there is none. */
function postgresIn(dataDir: string): number[] {
  const file = join(dataDir, 'postmaster.pid')
  if (!existsSync(file)) return []
  return familyOf(Number(readFileSync(file, 'utf8').split('\n')[0]))
}

/** A process and those that it has started itself; none when it has ended. */
function familyOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return [pid, ...children.split(' ').filter(Boolean).map(Number)]
  } catch {
    return []
  }
}

/** Sends a signal to those of the processes that still run. */
function signal(pids: readonly number[], name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** The network path from one machine to a server, which can be cut. */
interface Link {
  /** Breaks off all connections and refuses new ones. */
  cut: () => void
  mend: () => Promise<void>
}

/** A link from one port of this machine to another. */
async function openLink(from: number, to: number): Promise<Link> {
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
