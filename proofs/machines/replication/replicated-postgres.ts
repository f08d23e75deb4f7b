import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { postgresAccount } from '../../../src/service/platform/database/embedded/postgres-location.ts'
import type { AtEnd } from '../folder.ts'
import { areWhole, isLeader, membersBy } from './patroni-api.ts'
import { createNode } from './patroni-node.ts'
import type { PatroniNode } from './patroni-node.ts'
import { startProgram } from './programs.ts'
import { environmentWith, settingsWith } from './settings.ts'

/** Three PostgreSQL servers that replicate each other, behind one address. */
export interface ReplicatedPostgres {
  /** The address of PgBouncer, which leads through HAProxy to the leader. */
  connectionString: string
  /** Waits until one leads and the others follow it; resolves with the leader. */
  untilWhole: () => Promise<PatroniNode>
  /** Waits until another one leads. */
  untilReplaced: (leader: PatroniNode) => Promise<void>
}

const NAMES = ['db1', 'db2', 'db3']
const MAX_WAIT_MS = 120_000
const PAUSE_MS = 200

/** HAProxy regards each server as the leader until it has checked it once; it checks every second. */
const FIRST_LOOK_MS = 2500

/** The ports of all programs. */
function portsFrom(first: number) {
  return {
    etcd: first,
    etcdPeers: first + 1,
    haproxy: first + 2,
    pgbouncer: first + 3,
    node: (number: number) => {
      const own = first + 4 + 3 * number
      return { etcd: first, postgres: own, rest: own + 1, etcdLink: own + 2 }
    },
  }
}

/**
 * Starts etcd, three Patronis with their PostgreSQL, HAProxy and PgBouncer from the settings in `deploy/replication`, on ports
 * of this machine from `firstPort` on.
 */
export async function startReplicatedPostgres(
  outside: string,
  firstPort: number,
  atEnd: AtEnd,
): Promise<ReplicatedPostgres> {
  const folder = folderOfPostgres(outside)
  const ports = portsFrom(firstPort)
  const password = randomBytes(16).toString('hex')
  atEnd(startEtcd(folder, ports.etcd, ports.etcdPeers))
  const places = NAMES.map((name, number) => ({ name, folder, ports: ports.node(number), password }))
  const nodes = await Promise.all(places.map(createNode))
  atEnd(async () => {
    await Promise.all(nodes.map((node) => node.stop()))
  })
  for (const node of nodes) node.start()
  const untilWhole = () => waitFor('all to follow one leader', () => leaderIfWhole(nodes))
  const leader = await untilWhole()
  const place = places.find(({ name }) => name === leader.name)
  await makeDatabase(place?.ports.postgres ?? 0, password)
  atEnd(startHaproxy(folder, ports, places))
  atEnd(startPgbouncer(folder, ports, password))
  await sleep(FIRST_LOOK_MS)
  return {
    connectionString: `postgres://svc:${password}@127.0.0.1:${ports.pgbouncer}/svc`,
    untilWhole,
    async untilReplaced(former) {
      const others = nodes.filter((node) => node !== former)
      await waitFor('another leader', () => firstLeader(others))
    },
  }
}

/** All of these programs run as PostgreSQL's account, and need a folder that is theirs. */
function folderOfPostgres(outside: string): string {
  const folder = join(outside, 'replication')
  mkdirSync(folder, { mode: 0o700 })
  const { uid, gid } = postgresAccount()
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  return folder
}

type Stop = () => Promise<void>

function startEtcd(folder: string, port: number, peers: number): Stop {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`]
  const environment = environmentWith('etcd.env', {
    ETCD_DATA_DIR: join(folder, 'etcd'),
    ETCD_LISTEN_CLIENT_URLS: client,
    ETCD_ADVERTISE_CLIENT_URLS: client,
    ETCD_LISTEN_PEER_URLS: peer,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
    ETCD_INITIAL_CLUSTER: `etcd1=${peer}`,
  })
  const etcd = startProgram('etcd-server', [], { folder, environment })
  return () => etcd.end('SIGTERM')
}

type Ports = ReturnType<typeof portsFrom>

function startHaproxy(
  folder: string,
  { haproxy }: Ports,
  places: readonly { name: string; ports: ReturnType<Ports['node']> }[],
): Stop {
  const file = join(folder, 'haproxy.cfg')
  const addresses: Record<string, string> = { '127.0.0.1:5000': `127.0.0.1:${haproxy}` }
  for (const { name, ports } of places)
    addresses[`${name}:5432 check port 8008`] = `127.0.0.1:${ports.postgres} check port ${ports.rest}`
  writeFileSync(file, settingsWith('haproxy.cfg', addresses))
  const program = startProgram('haproxy', ['-db', '-f', file], { folder })
  return () => program.end('SIGTERM')
}

function startPgbouncer(folder: string, { haproxy, pgbouncer }: Ports, password: string): Stop {
  const [file, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'userlist.txt')]
  writeFileSync(users, `"svc" "${password}"\n`)
  writeFileSync(
    file,
    settingsWith('pgbouncer.ini', {
      'port=5000': `port=${haproxy}`,
      'listen_port = 6432': `listen_port = ${pgbouncer}`,
      '/etc/pgbouncer/userlist.txt': users,
    }),
  )
  const program = startProgram('pgbouncer', [file], { folder })
  // At the first signal it waits for its clients.
  return () => program.end('SIGKILL')
}

async function makeDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'postgres' })
  await client.connect()
  await client.query(`CREATE ROLE svc LOGIN PASSWORD '${password}'`)
  await client.query('CREATE DATABASE svc OWNER svc')
  await client.end()
}

async function leaderIfWhole(nodes: readonly PatroniNode[]): Promise<PatroniNode | null> {
  const leader = await firstLeader(nodes)
  if (leader === null || !areWhole(await membersBy(leader.restPort), nodes.length)) return null
  return leader
}

async function firstLeader(nodes: readonly PatroniNode[]): Promise<PatroniNode | null> {
  const leads = await Promise.all(nodes.map(({ restPort }) => isLeader(restPort)))
  return nodes[leads.indexOf(true)] ?? null
}

async function waitFor<Result>(what: string, look: () => Promise<Result | null>): Promise<Result> {
  for (const begin = performance.now(); performance.now() - begin < MAX_WAIT_MS;) {
    const found = await look()
    if (found !== null) return found
    await sleep(PAUSE_MS)
  }
  throw new Error(`waited ${MAX_WAIT_MS / 1000} s in vain for ${what}`)
}
