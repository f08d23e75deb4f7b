import { EventEmitter, once } from 'node:events'
import type { Browser } from '@playwright/test'
import { quantile } from '../agreements/api-load.ts'
import { countTraffic, openBrowser, slowDown, SLOW_4G } from '../browser.ts'
import { SIGNED_IN } from './start-dashboard.ts'
import type { DashboardProcess } from './start-dashboard.ts'

const RUNS = 7
const MAX_MS = 15_000
/** How long a first load may take, as a multiple of the empty page's time; and how many bytes. */
const BUDGET = { ratio: 3, bytes: 100_000 }

declare global {
  interface Window {
    /** Tells the bench that the page is usable, at a time since 1970 in ms. */
    benchUsable: (at: number) => Promise<void>
  }
}

/** A page, and the element that can be seen once it is usable. */
interface Page {
  name: string
  address: string
  isSignedIn: boolean
  usable: string
}

interface Visit {
  usableMs: number
  bytes: number
  requests: number
}

/** The dashboard in a cold browser on a slow network: signing in, and the overview, by turns with an empty page of the same server. */
export async function benchFirstLoad(
  { addresses: { dashboard, empty } }: DashboardProcess,
  say: (line: string) => void,
): Promise<void> {
  const pages: Page[] = [
    { name: 'empty page', address: empty, isSignedIn: false, usable: 'h1' },
    { name: 'sign-in', address: `${dashboard}/sign-in`, isSignedIn: false, usable: 'input[type=password]' },
    { name: 'overview', address: dashboard, isSignedIn: true, usable: '.tile-figure' },
    { name: 'overview with its chart', address: dashboard, isSignedIn: true, usable: '.u-wrap canvas' },
  ]
  const visits = new Map<Page, Visit[]>(pages.map((page) => [page, []]))
  const browser = await openBrowser()
  try {
    // The first of each is not counted: it warms up the browser and the server.
    for (let run = 0; run <= RUNS; run += 1) {
      for (const page of pages) {
        const visit = await visitCold(browser, page)
        if (run > 0) visits.get(page)?.push(visit)
      }
    }
  } finally {
    await browser.close()
  }
  say(
    `\nfirst load, ${SLOW_4G.name}, ${String(RUNS)} runs       usable ms (min..max)   to the empty page   kB   requests`,
  )
  const floor = medianOf(visits.values().next().value ?? [], 'usableMs')
  for (const [{ name }, all] of visits) say(lineOf(name, all, floor))
  say(`budget: ${String(BUDGET.ratio)} × the empty page, ${String(BUDGET.bytes / 1000)} kB`)
}

function lineOf(name: string, visits: readonly Visit[], floorMs: number): string {
  const usable = medianOf(visits, 'usableMs')
  const all = visits.map(({ usableMs }) => usableMs)
  const spread = `${usable.toFixed(0)} (${Math.min(...all).toFixed(0)}..${Math.max(...all).toFixed(0)})`
  const cells = [
    spread.padEnd(23),
    (usable / floorMs).toFixed(2).padEnd(20),
    (medianOf(visits, 'bytes') / 1000).toFixed(1).padEnd(5),
  ]
  return `${name.padEnd(42)}${cells.join('')}${String(medianOf(visits, 'requests'))}`
}

const medianOf = (visits: readonly Visit[], figure: keyof Visit) =>
  quantile(
    visits.map((visit) => visit[figure]),
    0.5,
  )

async function visitCold(browser: Browser, { address, isSignedIn, usable }: Page): Promise<Visit> {
  const context = await browser.newContext()
  try {
    const [name = '', value = ''] = SIGNED_IN.split('=')
    if (isSignedIn) await context.addCookies([{ name, value, url: address }])
    const told = new EventEmitter()
    await context.exposeFunction('benchUsable', (at: number) => told.emit('usable', at))
    await context.addInitScript(tellWhenSeen, usable)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    const traffic = await countTraffic(session)
    await slowDown(session, SLOW_4G)
    const [at] = await Promise.all([
      once(told, 'usable', { signal: AbortSignal.timeout(MAX_MS) }),
      page.goto(address, { waitUntil: 'load' }),
    ])
    const begin = await page.evaluate(() => performance.timeOrigin)
    return { ...traffic, usableMs: Number(at[0]) - begin }
  } finally {
    await context.close()
  }
}

/** Runs in the page before its own scripts: checks in each animation frame whether an element can be seen and is not disabled. */
function tellWhenSeen(selector: string): void {
  const seek = () => {
    const part = document.querySelector(selector)
    const isSeen = part?.checkVisibility({ visibilityProperty: true }) === true && !part.matches(':disabled')
    if (isSeen) void window.benchUsable(performance.timeOrigin + performance.now())
    else requestAnimationFrame(seek)
  }
  seek()
}
