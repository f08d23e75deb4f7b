import { createHash, X509Certificate } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as semver from 'semver'
import * as v from 'valibot'
import { startProgram } from '../../e2e/world/running.ts'
import { LOCAL_CERTIFICATE } from '../../src/service/testing/test-certificate.ts'
import { startTlsFront } from '../../proofs/machines/tls-front.ts'
import { openBrowser } from '../browser.ts'
import { visitCold } from './cold-visit.ts'
import type { Visit } from './cold-visit.ts'
import type { Line } from './modelled-line.ts'
import { slowEveryTarget } from './slow-targets.ts'
import { CARDS_URL, HOSTS, serveWidgetPages } from './widget-pages.ts'
import type { WidgetPages } from './widget-pages.ts'

const PORT = 48_281
const FRONT_PORT = 48_282
const DEBUGGING_PORT = 48_280
const RUNS = 7
const Keys = v.object({ public_key: v.string() })

interface Conditions {
  name: string
  line: Line | null
  /** How many times slower the processor is. */
  slowdown: number
}

const CONDITIONS: readonly Conditions[] = [
  { name: 'no throttle', line: null, slowdown: 1 },
  { name: 'slow 4G, CPU ÷4', line: { rttMs: 150, down: 200_000, up: 93_750 }, slowdown: 4 },
]

/**
 * A shopper's first visit over TLS and HTTP/2, the form on another site than the shop, next to floor pages, in turn: on this machine's own
 * network, and on a modelled slow line with a slow processor.
 */
export async function benchWidget(say: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(dataDir, 0o711)
  const service = await startProgram({
    file: 'dist/service/sandbox.js',
    environment: {
      SVC_PORT: String(PORT),
      SVC_DASHBOARD_PORT: '0',
      SVC_SANDBOX_BANK_PORT: '0',
      SVC_DATA_DIR: dataDir,
      SVC_BASE_URL: CARDS_URL,
      SVC_LOG_LEVEL: 'warn',
    },
    logFile: join(dataDir, 'output.log'),
  })
  try {
    const keys = v.parse(Keys, JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')))
    const front = await startTlsFront(dataDir, FRONT_PORT, { [HOSTS.cards]: PORT, [HOSTS.own]: PORT })
    const certificates = [LOCAL_CERTIFICATE, readFileSync(front.certificate, 'utf8')]
    const pages = await serveWidgetPages(FRONT_PORT, keys.public_key, releases())
    try {
      for (const conditions of CONDITIONS)
        tableOf(conditions, await measure(pages, certificates, conditions)).forEach(say)
    } finally {
      await pages.stop()
      await front.stop()
    }
  } finally {
    await service.stop('SIGTERM')
    rmSync(dataDir, { recursive: true })
  }
}

/**
 * As a shopper's browser is: it trusts the certificates, while one whose errors are passed over opens each connection twice; and the frame
 * of another site shares no connection with the page's script, while a headless shell lets it.
 */
function likeAShoppers(certificates: readonly string[]): string[] {
  const keys = certificates.map((certificate) => {
    const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
    return createHash('sha256').update(key).digest('base64')
  })
  return [
    `--ignore-certificate-errors-spki-list=${keys.join(',')}`,
    '--enable-features=PartitionConnectionsByNetworkIsolationKey',
  ]
}

/** The visits of each page. */
async function measure(
  pages: WidgetPages,
  certificates: readonly string[],
  { line, slowdown }: Conditions,
): Promise<Map<string, Visit[]>> {
  await pages.use(line)
  const browser = await openBrowser([
    '--host-resolver-rules=MAP *.test 127.0.0.1',
    '--site-per-process',
    `--remote-debugging-port=${DEBUGGING_PORT}`,
    ...likeAShoppers(certificates),
  ])
  const letGo = await slowEveryTarget(DEBUGGING_PORT, slowdown)
  const visits = new Map<string, Visit[]>([...pages.addresses.keys()].map((name) => [name, []]))
  try {
    // The first of each is not counted: it warms up the browser and the service, not the page's cache.
    for (let run = 0; run <= RUNS; run += 1)
      for (const [name, url] of pages.addresses) {
        const visit = await visitCold({ browser, url, tellsAfterLoad: !FLOORS.includes(name) })
        if (run > 0) visits.get(name)?.push(visit)
      }
  } finally {
    letGo()
    await browser.close()
  }
  return visits
}

const FLOORS = ['floor', 'frame first']

/** What is built here, and the releases before it. */
function releases(): { built: string; kept: string[] } {
  const kept = semver.rsort(readdirSync('releases').filter((name) => semver.valid(name) !== null))
  const [built] = readdirSync('dist/releases')
  if (built === undefined) throw new Error('nothing is built')
  return { built, kept: kept.filter((name) => name !== built) }
}

type Figure = Exclude<keyof Visit, 'strokes' | 'shift'>

const ROWS: readonly (readonly [words: string, figure: Figure])[] = [
  ['bytes, headers with them', 'bytes'],
  ['requests', 'requests'],
  ['frame asked for, ms', 'frameAsked'],
  ['frame there, ms', 'frameThere'],
  ['frame parsed and run, ms', 'frameRun'],
  ['usable field, ms', 'usable'],
  ['afterLoad, ms', 'afterLoad'],
]

/**
 * The figures of each page in lines: median (min..max), and next to the floor. Goals on slow 4G: `afterLoad` 0.97 (early) and 1.3 (form),
 * usable 0.88 and 1.22, a key to its paint 1.6, no layout shift.
 */
function tableOf({ name }: Conditions, pages: ReadonlyMap<string, readonly Visit[]>): string[] {
  const row = (words: string, cells: readonly string[]) =>
    [words.padEnd(33), ...cells.map((cell) => cell.padEnd(20))].join('').trimEnd()
  const all = [...pages.values()]
  const floor = pages.get('floor') ?? []
  const toFloor = (figure: Figure) =>
    all.map((visits) => (medianOf(visits, figure) / medianOf(floor, 'usable')).toFixed(2).replace('NaN', '-'))
  return [
    row(`${name}, ${floor.length} runs`, [...pages.keys()]),
    ...ROWS.map(([words, figure]) =>
      row(
        words,
        all.map((visits) => spread(visits, figure)),
      ),
    ),
    row('key to paint p50 / p95, ms', all.map(strokesOf)),
    row(
      'key to paint p95, to floor',
      all.map((visits) => (strokeQuantile(visits, 0.95) / strokeQuantile(floor, 0.95)).toFixed(2)),
    ),
    row('usable, to floor', toFloor('usable')),
    row('afterLoad to floor’s usable', toFloor('afterLoad')),
    row('layout shift, most (goal 0)', all.map(maxShift)),
    '',
  ]
}

function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b)
}

/** The quantile of these numbers, between two of them in proportion; NaN of an empty list. */
function quantile(numbers: readonly number[], share: number): number {
  const list = sorted(numbers)
  const place = (list.length - 1) * share
  const [below = NaN, above = below] = list.slice(Math.floor(place), Math.floor(place) + 2)
  return below + (above - below) * (place % 1)
}

function medianOf(visits: readonly Visit[], figure: Figure): number {
  return quantile(
    visits.map((visit) => visit[figure]),
    0.5,
  )
}

function spread(visits: readonly Visit[], figure: Figure): string {
  const list = visits.map((visit) => visit[figure])
  if (list.some(Number.isNaN)) return '-'
  const [low, middle, high] = [0, 0.5, 1].map((share) => quantile(list, share).toFixed(0))
  return low === high ? String(middle) : `${middle} (${low}..${high})`
}

function strokesOf(visits: readonly Visit[]): string {
  return [0.5, 0.95].map((share) => strokeQuantile(visits, share).toFixed(1)).join(' / ')
}

function maxShift(visits: readonly Visit[]): string {
  return Math.max(...visits.map(({ shift }) => shift)).toFixed(4)
}

/** The quantile over all keys of all visits, in ms. */
function strokeQuantile(visits: readonly Visit[], share: number): number {
  return quantile(
    visits.flatMap((visit) => visit.strokes),
    share,
  )
}
