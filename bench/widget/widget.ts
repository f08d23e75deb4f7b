import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as semver from 'semver'
import * as v from 'valibot'
import { startProgram } from '../../e2e/world/running.ts'
import { openBrowser, SLOW_4G } from '../browser.ts'
import type { Conditions } from '../browser.ts'
import { visitCold } from './cold-visit.ts'
import type { Visit } from './cold-visit.ts'
import { serveWidgetPages } from './widget-pages.ts'
import type { WidgetPages } from './widget-pages.ts'

const PORT = 48_281
const SERVICE_URL = `http://localhost:${PORT}`
const RUNS = 7
/** No run begins later than this, so that a machine under load does not take too long. */
const MAX_MS = 100_000
const Keys = v.object({ public_key: v.string() })

const MEASURED: readonly (Conditions & { afterLoadGoal: number })[] = [
  { name: 'no throttle', slowdown: 1, afterLoadGoal: 1.5 },
  { ...SLOW_4G, afterLoadGoal: 1.25 },
]

/** The form in a cold browser next to the floor page, in turn, on this machine's network and on a slow one. */
export async function benchWidget(say: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  chmodSync(dataDir, 0o711)
  const service = await startProgram({
    file: 'dist/service/sandbox.js',
    environment: {
      SVC_PORT: String(PORT),
      SVC_DASHBOARD_PORT: '0',
      SVC_DATA_DIR: dataDir,
      SVC_LOG_LEVEL: 'warn',
    },
    logFile: join(dataDir, 'output.log'),
  })
  try {
    const keys = v.parse(Keys, JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')))
    const pages = await serveWidgetPages(SERVICE_URL, keys.public_key, releases())
    try {
      await measure(pages, say)
    } finally {
      await pages.stop()
    }
  } finally {
    await service.stop('SIGTERM')
    rmSync(dataDir, { recursive: true })
  }
}

async function measure(pages: WidgetPages, say: (line: string) => void): Promise<void> {
  const browser = await openBrowser()
  const end = performance.now() + MAX_MS
  try {
    for (const conditions of MEASURED) {
      const form: Visit[] = []
      const released: Visit[] = []
      const floor: Visit[] = []
      // The first of each is not counted: it warms up the browser and the service, not the page's cache.
      for (let run = 0; run <= RUNS && performance.now() < end; run += 1) {
        form.push(await visitCold({ browser, url: pages.form, conditions, tellsAfterLoad: true }))
        released.push(await visitCold({ browser, url: pages.released, conditions, tellsAfterLoad: true }))
        floor.push(await visitCold({ browser, url: pages.floor, conditions, tellsAfterLoad: false }))
      }
      widgetTable(conditions, {
        form: form.slice(1),
        released: released.slice(1),
        floor: floor.slice(1),
      }).forEach(say)
    }
  } finally {
    await browser.close()
  }
}

/** What is built here, and the newest release before it. */
function releases(): { built: string; released: string } {
  const [released] = semver.rsort(readdirSync('releases').filter((name) => semver.valid(name) !== null))
  const [built] = readdirSync('dist/releases')
  if (released === undefined || built === undefined) throw new Error('there is no release to compare with')
  return { built, released }
}

/** How much longer than the floor page the form may take to be usable. */
const USABLE_GOAL = 1.1
/** How much longer than the floor page's bare input the form may take to show a key that was pressed, at p95. */
const STROKE_GOAL = 1.5

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

/** What is measured: its name, and how much longer than the floor page is usable the form may take to tell its page that it is loaded. */
interface Measured {
  name: string
  afterLoadGoal: number
}

interface Visits {
  form: readonly Visit[]
  released: readonly Visit[]
  floor: readonly Visit[]
}

/** The figures of the form and of the release before it next to those of the floor page, in lines: median (min..max). */
function widgetTable({ name, afterLoadGoal }: Measured, { form, released, floor }: Visits): string[] {
  const row = (words: string, cells: readonly string[]) =>
    [words.padEnd(33), ...cells.map((cell) => cell.padEnd(24))].join('').trimEnd()
  const toFloor = (figure: Figure) =>
    [form, released].map((visits) =>
      (medianOf(visits, figure) / medianOf(floor, figure === 'afterLoad' ? 'usable' : figure)).toFixed(2),
    )
  const spreads = (figure: Figure) => [form, released, floor].map((visits) => spread(visits, figure))
  return [
    row(`${name}, ${form.length} runs`, ['form', 'released before', 'floor']),
    ...ROWS.map(([words, figure]) => row(words, spreads(figure))),
    row('key to paint p50 / p95 / p99, ms', [form, released, floor].map(strokesOf)),
    row(
      `key to paint p95, to floor (${STROKE_GOAL})`,
      [form, released].map((visits) =>
        (strokeQuantile(visits, 0.95) / strokeQuantile(floor, 0.95)).toFixed(2),
      ),
    ),
    row(`usable, to floor (goal ${USABLE_GOAL})`, toFloor('usable')),
    // The field is part of the document, so it can be used before the script has run that formats what is typed into it.
    row('parsed and run, to floor', toFloor('frameRun')),
    row(`afterLoad to floor’s usable (${afterLoadGoal})`, toFloor('afterLoad')),
    row('layout shift, most (goal 0)', [form, released, floor].map(maxShift)),
    '',
  ]
}

function sorted(numbers: readonly number[]): number[] {
  return [...numbers].sort((a, b) => a - b)
}

/** The quantile of these numbers; NaN of an empty list. */
function quantile(numbers: readonly number[], share: number): number {
  const list = sorted(numbers)
  return list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? NaN
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
  return [0.5, 0.95, 0.99].map((share) => strokeQuantile(visits, share).toFixed(1)).join(' / ')
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
