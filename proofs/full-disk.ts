import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  mkdirSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runningPostgres } from '../src/service/platform/database/embedded/running-postgres.ts'
import { cardTraceIn, refuseTraces } from '../src/service/testing/traces.ts'
import { auditInTheEnd, auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { dataDirOf, keysIn, startService, VAULT_KEYS } from './machines/service-process.ts'
import type { ServiceProcess } from './machines/service-process.ts'
import { byTurns } from './machines/several-services.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import { openShop } from './merchant/shop.ts'
import { underLoad } from './merchant/under-load.ts'
import type { Say } from './say.ts'

/** How much is done. `fullMs`: how long the database's disk stays full in each round. */
interface Load {
  rounds: number
  clients: number
  /** A client's pause between two orders. */
  restMs: number
  fullMs: number
  /** The size of that disk. */
  megabytes: number
}

const SHORT: Load = { rounds: 1, clients: 2, restMs: 20, fullMs: 500, megabytes: 160 }
const FULL: Load = { rounds: 10, clients: 8, restMs: 0, fullMs: 5000, megabytes: 400 }

/** How long `/health` may take to answer. */
const HEALTH_MS = 4000
/** How much memory a process may come to need while its log can't be written. */
const MAX_GROWTH_BYTES = 200 * 1024 * 1024
const MAX_WAIT_MS = 180_000

/** A service, and where its log goes. */
interface Logging {
  service: ServiceProcess
  sink: LogSink
}

/**
 * Three services whose standard output and standard error can no longer be written: a full disk, a closed pipe, a pipe that nobody
 * reads. Under load charges go on as if nothing was, `/health` answers, `/metrics` counts the lines that are missing, and memory stays
 * bounded. Then the database's disk is full too: orders wait. Once there is room, and somebody reads, all goes on, and the logs say how
 * many lines are missing. The merchant's journal, the books and the gateway's ledger must agree.
 */
export async function fullDisk(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const load = values.short ? SHORT : FULL
  const rounds = Number(values.rounds ?? load.rounds)
  await inFolder((folder, atEnd) => obstructUnderLoad(folder, atEnd, { ...load, rounds }, say))
}

async function obstructUnderLoad(folder: string, atEnd: AtEnd, load: Load, say: Say): Promise<void> {
  const databaseDisk = mountSmallDisk(dataDirOf(folder), load.megabytes)
  atEnd(() => {
    refuseTraces(dataDirOf(folder))
    databaseDisk?.unmount()
  })
  if (databaseDisk === null) say('without full disks, as none can be mounted here: a full device, and pipes')
  const running = await startAll(folder, atEnd)
  const connectionString = runningPostgres(dataDirOf(folder))
  if (connectionString === null) throw new Error('the service has started without a database')
  const services = running.map(({ service }) => service)
  const health = watchAnswers(services)
  atEnd(health.stop)
  const [journal, books, api] = [
    createJournal(),
    openBooks(connectionString),
    createHttpApi(byTurns(services)),
  ]
  const shop = openShop(api, keysIn(folder), journal, load.clients, { restMs: load.restMs })
  const before = await figuresOf(running, 'process_resident_memory_bytes')
  for (let round = 0; round < load.rounds; round += 1) {
    for (const { sink } of running) await sink.obstruct()
    await dropLines(running)
    await underLoad(journal)
    await auditMeanwhile(journal, books)
    if (databaseDisk !== null) {
      await databaseDisk.fill()
      await sleep(load.fullMs)
      databaseDisk.makeRoom()
    }
    await underLoad(journal, MAX_WAIT_MS)
    for (const { sink } of running) sink.restore?.()
    await untilSo('a log does not say that lines are missing', () =>
      running.every((one) => tellsOf(one, round)),
    )
    await untilSo('a service is not healthy again', () => Promise.resolve(health.areWell()))
  }
  const after = await figuresOf(running, 'process_resident_memory_bytes')
  const dropped = await figuresOf(running, 'svc_log_lines_dropped_total')
  await shop.close()
  await auditInTheEnd(journal, books)
  api.close()
  const growth = after.map((bytes, place) => bytes - (before[place] ?? 0))
  if (growth.some((bytes) => bytes > MAX_GROWTH_BYTES))
    throw new Error(`memory grew by ${growth.join(', ')} bytes`)
  for (const { sink } of running) {
    const trace = cardTraceIn(sink.text())
    if (trace !== null) throw new Error(`the log holds ${trace}`)
  }
  const lines = running.map(({ sink }, place) => `${sink.words} ${dropped[place] ?? 0}`).join(', ')
  say(
    `${load.rounds} rounds, ${load.clients} clients: ${journal.acknowledged.size} acknowledged operations, 0 lost, 0 doubled; ` +
      `lines dropped and counted: ${lines}; ${health.asked()} × /health, the slowest in ${health.slowestMs()} ms; ` +
      `memory grew by ${Math.max(...growth.map((bytes) => Math.round(bytes / 1024 / 1024)), 0)} MB at most`,
  )
}

/** The first has the database, on its embedded server; the others use that. */
async function startAll(folder: string, atEnd: AtEnd): Promise<Logging[]> {
  const sinks = [pipeSink(folder, false), fullDiskSink(folder), pipeSink(folder, true)]
  const [first, ...others] = sinks.map((sink, number) => async (): Promise<Logging> => {
    atEnd(sink.close)
    const settings = { SVC_VAULT_KEYS: VAULT_KEYS, SVC_LOG_LEVEL: 'debug' }
    const url = number === 0 ? null : runningPostgres(dataDirOf(folder))
    const place = url === null ? {} : { databaseUrl: url }
    const service = await startService({ folder, number, settings, output: sink.descriptor, ...place })
    atEnd(service.stop)
    return { service, sink }
  })
  if (first === undefined) return []
  const started = await first()
  return [started, ...(await Promise.all(others.map((start) => start())))]
}

/** Has each service log so much that lines must have been dropped since. */
async function dropLines(running: readonly Logging[]): Promise<void> {
  const before = await figuresOf(running, 'svc_log_lines_dropped_total')
  await Promise.all(
    running.map(({ service, sink }, place) =>
      untilSo(`nothing is counted with ${sink.words}`, async () => {
        await askOften(service.port, 300)
        return (await figureOf(service, 'svc_log_lines_dropped_total')) > (before[place] ?? 0)
      }),
    ),
  )
}

/** So many as keep a service busy whose processor has other work too. */
const ASKING_AT_ONCE = 24

/** Asks a service for what it has not: a line of its log each time. With bare sockets, as thousands of lines fill a megabyte. */
async function askOften(port: number, times: number): Promise<void> {
  let left = times
  const askByTurns = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      const ask = () => {
        const id = randomBytes(32).toString('hex')
        if (left <= 0) socket.destroy()
        else socket.write(`HEAD /nothing HTTP/1.1\r\nhost: localhost\r\nx-request-id: ${id}\r\n\r\n`)
        left -= 1
        answer = ''
      }
      socket.on('connect', ask)
      socket.on('data', (bytes) => {
        answer += bytes.toString('latin1')
        if (answer.endsWith('\r\n\r\n')) ask()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  await Promise.all(Array.from({ length: ASKING_AT_ONCE }, askByTurns))
}

/** Whether the log says, once in each round, that lines are missing; true where it can say nothing. */
function tellsOf({ sink }: Logging, round: number): boolean {
  return sink.restore === null || sink.text().split('lines of the log are missing').length > round + 1
}

async function figuresOf(running: readonly Logging[], name: string): Promise<number[]> {
  return Promise.all(running.map(({ service }) => figureOf(service, name)))
}

async function figureOf({ port }: ServiceProcess, name: string): Promise<number> {
  const api = createHttpApi(() => port)
  const { text } = await api.send({ method: 'GET', path: '/metrics' })
  api.close()
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** Asks each service for its health four times a second; `stop` throws where one did not answer in time. */
function watchAnswers(services: readonly ServiceProcess[]) {
  const states = new Map<number, number>()
  let [isOver, asked, slowestMs] = [false, 0, 0]
  const watch = async (port: number) => {
    const api = createHttpApi(() => port)
    while (!isOver) {
      const begun = performance.now()
      const { status } = await api.send({ method: 'GET', path: '/health' })
      states.set(port, status)
      asked += 1
      slowestMs = Math.max(slowestMs, performance.now() - begun)
      await sleep(250)
    }
    api.close()
  }
  const watching = Promise.all(services.map(({ port }) => watch(port)))
  watching.catch(() => undefined)
  return {
    areWell: () => services.every(({ port }) => states.get(port) === 200),
    asked: () => asked,
    slowestMs: () => Math.round(slowestMs),
    stop: async () => {
      isOver = true
      await watching
      if (slowestMs > HEALTH_MS) throw new Error(`/health took ${slowestMs} ms`)
    },
  }
}

async function untilSo(fault: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(fault)
    await sleep(50)
  }
}

/** Where a service writes its log, and how it comes that it can't. */
interface LogSink {
  words: string
  /** For the service, which has it alone from then on. */
  descriptor: number
  /** From here on nothing more is taken. */
  obstruct: () => Promise<void>
  /** Takes lines again; null where that can't be. */
  restore: (() => void) | null
  /** What has come out. */
  text: () => string
  close: () => void
}

/** A log file on a disk of its own, which is filled; where none can be mounted, a device that is always full. */
function fullDiskSink(folder: string): LogSink {
  const place = join(folder, 'log-disk')
  const disk = mountSmallDisk(place, 2)
  const file = disk === null ? '/dev/full' : join(place, 'log')
  return {
    words: disk === null ? 'a full device' : 'a full disk',
    descriptor: openSync(file, 'a'),
    obstruct: async () => disk?.fill(),
    restore: disk === null ? null : disk.makeRoom,
    text: () => (disk === null ? '' : readFileSync(file, 'utf8')),
    close: () => disk?.unmount(),
  }
}

/** A pipe whose reader stops reading or, `isClosed`, goes away. */
function pipeSink(folder: string, isClosed: boolean): LogSink {
  const path = join(folder, isClosed ? 'closed-pipe' : 'unread-pipe')
  execFileSync('mkfifo', [path])
  const openReading = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  let reading = openReading()
  const descriptor = openSync(path, constants.O_WRONLY)
  const bytes = Buffer.alloc(65_536)
  let text = ''
  const read = () => {
    try {
      for (let got = 1; got > 0;) {
        got = readSync(reading, bytes)
        text += bytes.toString('utf8', 0, got)
      }
    } catch {
      // Nothing more for now.
    }
  }
  let timer = setInterval(read, 20)
  return {
    words: isClosed ? 'a closed pipe' : 'a pipe that nobody reads',
    descriptor,
    obstruct() {
      clearInterval(timer)
      if (isClosed) closeSync(reading)
      return Promise.resolve()
    },
    restore() {
      if (isClosed) reading = openReading()
      timer = setInterval(read, 20)
    },
    text: () => text,
    close: () => clearInterval(timer),
  }
}

/** A file system of its own that can be filled. */
interface SmallDisk {
  /** It takes seconds, in which everything else goes on. */
  fill: () => Promise<void>
  makeRoom: () => void
  unmount: () => void
}

/** Mounts one at `place`, a folder that it makes; null where this account may mount none. */
function mountSmallDisk(place: string, megabytes: number): SmallDisk | null {
  mkdirSync(place)
  const options = `size=${megabytes}m,mode=711`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'svc-proof', place]).status !== 0) return null
  const filler = join(place, 'filler')
  return {
    async fill() {
      const { bavail, bsize } = statfsSync(place)
      try {
        await writeFile(filler, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // Others write meanwhile: it is full all the same.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
    },
    makeRoom: () => rmSync(filler),
    unmount: () => void spawnSync('umount', ['--lazy', place]),
  }
}
