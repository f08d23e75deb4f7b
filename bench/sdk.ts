import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../src/service/platform/database/embedded/embedded-postgres.ts'
import { openConnection } from './http-connection.ts'
import type { HttpAnswer } from './http-connection.ts'
import { startNginx } from './nginx.ts'
import type { Content } from './nginx.ts'
import { paceOf } from './charges/pace.ts'
import type { Pace } from './charges/pace.ts'
import { startService } from './charges/start-service.ts'

const PORT = 48_284
const NGINX_PORT = 48_285
const CLIENTS = 32
const SECONDS = 3
const ROUNDS = 2
const TAKES_BROTLI = 'accept-encoding: gzip, deflate, br\r\n'

/** Headers that nginx is to send as the service does; it makes the others itself. */
const COPIED = [
  'cache-control',
  'access-control-allow-origin',
  'timing-allow-origin',
  'content-security-policy',
]

/** A running server and the path to request. */
interface Server {
  port: number
  pid: number
  path: string
}

type Measured = Pace & { cpuMicroseconds: number }

/**
 * The SDK's script and the frame document, whole and as 304, next to nginx sending the same bytes: by turns, one process
 * each, with the clients on the same machine.
 */
export async function benchSdk(say: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(dataDir, 0o711)
  const database = await startEmbeddedPostgres(dataDir, say)
  const { child, keys } = await startService({
    port: PORT,
    dataDir,
    databaseUrl: database.connectionString,
  })
  const script = '/sdk/latest/widget.umd.min.js'
  const frame = `/sdk/latest/frame?public_key=${keys.publicKey}`
  const contents = [await contentAt(script, 'widget.js'), await contentAt(frame, 'frame.html')]
  const folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'))
  const nginx = await startNginx(folder, NGINX_PORT, contents)
  if (nginx === null) say('skipped the yardstick: nginx is not installed')
  say(`${String(CLIENTS)} clients       requests a second (p99 ms, µs of CPU a request)`)
  say('                 service                 nginx                   ratio')
  for (const [name, path, file] of [
    ['script', script, '/widget.js'],
    ['frame', frame, '/frame.html'],
  ] as const) {
    const ours = { port: PORT, pid: child.pid ?? 0, path }
    const theirs = nginx && { port: NGINX_PORT, pid: nginx.pid, path: file }
    await compare(name, ours, theirs, false, say)
    await compare(`${name}, 304`, ours, theirs, true, say)
  }
  child.disconnect()
  await nginx?.stop()
  await database.stop()
  for (const used of [dataDir, folder]) rmSync(used, { recursive: true })
}

async function contentAt(path: string, file: string): Promise<Content> {
  const { bytes, headers } = await ask({ port: PORT, path })
  const copied = COPIED.flatMap((name) => {
    const value = headers.get(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { path: file, bytes, headers: Object.fromEntries(copied) }
}

async function ask({ port, path }: { port: number; path: string }): Promise<HttpAnswer> {
  const connection = await openConnection(port)
  const got = await connection.get(path, TAKES_BROTLI)
  connection.close()
  if (got.headers.get('content-encoding') !== 'br') throw new Error(`${path} is not compressed`)
  return got
}

async function compare(
  name: string,
  ours: Server,
  theirs: Server | null,
  isKnown: boolean,
  say: (line: string) => void,
): Promise<void> {
  let service: Measured | undefined
  let yardstick: Measured | undefined
  for (let round = 0; round < ROUNDS; round += 1) {
    service = faster(service, await measure(ours, isKnown))
    if (theirs) yardstick = faster(yardstick, await measure(theirs, isKnown))
  }
  const ratio = (service?.perSecond ?? NaN) / (yardstick?.perSecond ?? NaN)
  say(`${name.padEnd(17)}${words(service)}${words(yardstick)}${ratio.toFixed(2)}`)
}

async function measure(server: Server, isKnown: boolean): Promise<Measured> {
  const etag = (await ask(server)).headers.get('etag') ?? ''
  const headers = TAKES_BROTLI + (isKnown ? `if-none-match: ${etag}\r\n` : '')
  const connections = await Promise.all(Array.from({ length: CLIENTS }, () => openConnection(server.port)))
  const idle = [...connections]
  const wanted = isKnown ? 304 : 200
  let count = 0
  const work = async () => {
    const connection = idle.pop()
    if (connection === undefined) throw new Error('out of connections')
    const { status } = await connection.get(server.path, headers)
    if (status !== wanted) throw new Error(`${server.path} was answered ${String(status)}`)
    count += 1
    idle.push(connection)
  }
  await paceOf(CLIENTS, 1, work)
  count = 0
  const before = cpuMicrosecondsOf(server.pid)
  const pace = await paceOf(CLIENTS, SECONDS, work)
  const cpuMicroseconds = (cpuMicrosecondsOf(server.pid) - before) / count
  for (const connection of connections) connection.close()
  return { ...pace, cpuMicroseconds }
}

/** CPU time of a process so far, of user and system together (Linux counts it in hundredths of a second). */
function cpuMicrosecondsOf(pid: number): number {
  try {
    const fields =
      readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return NaN
  }
}

function faster(known: Measured | undefined, measured: Measured): Measured {
  return known !== undefined && known.perSecond > measured.perSecond ? known : measured
}

function words(measured: Measured | undefined): string {
  if (measured === undefined) return '-'.padEnd(24)
  const { perSecond, p99, cpuMicroseconds } = measured
  return `${perSecond.toFixed(0).padStart(6)} (${p99.toFixed(1)}, ${cpuMicroseconds.toFixed(0)})`.padEnd(24)
}
