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
import { widgetTable } from './widget-table.ts'

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
