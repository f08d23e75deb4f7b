import { EventEmitter, once } from 'node:events'
import type { Browser, Frame, Page } from '@playwright/test'
import * as v from 'valibot'
import { countTraffic } from '../browser.ts'

/** What one visit with nothing in the cache took. Times are in ms since the page was asked for. */
export interface Visit {
  bytes: number
  requests: number
  usable: number
  afterLoad: number
  /** The frame's document: when it was asked for, when its last byte came, and when it was parsed and its script had run. */
  frameAsked: number
  frameThere: number
  frameRun: number
  strokes: number[]
  /** Cumulative Layout Shift of the page. */
  shift: number
}

interface VisitOptions {
  browser: Browser
  url: string
  /** Whether the page tells when its form is loaded. */
  tellsAfterLoad: boolean
}

const MAX_MS = 15_000
const KEY_GAP_MS = 50
/** As long as a card number can be. */
const DIGITS = '6304000000000000000'
const Told = v.tuple([v.number()])

/** Opens a page in a new context, waits until its card number can be typed, and types it. */
export async function visitCold({ browser, url, tellsAfterLoad }: VisitOptions): Promise<Visit> {
  const context = await browser.newContext()
  try {
    const told = new EventEmitter()
    await context.exposeFunction('benchTell', (mark: string, at: number) => told.emit(mark, at))
    await context.addInitScript(probePage)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    const traffic = await countTraffic(session, url)
    const wait = { signal: AbortSignal.timeout(MAX_MS) }
    const [usable, loaded] = await Promise.all([
      once(told, 'usable', wait),
      tellsAfterLoad ? once(told, 'afterLoad', wait) : [NaN],
      page.goto(url, { waitUntil: 'commit' }),
    ])
    const begin = await page.evaluate(() => performance.timeOrigin)
    const frame = frameOf(page)
    const strokes = await typeCardNumber(page, frame)
    const times = await frameTimes(frame)
    // A frame of another site has a process of its own, whose answers the page's session does not see.
    const isOfOtherSite = !new URL(frame.url()).hostname.endsWith(new URL(url).hostname)
    return {
      ...traffic,
      bytes: traffic.bytes + (isOfOtherSite ? times.transferSize : 0),
      usable: v.parse(Told, usable)[0] - begin,
      afterLoad: tellsAfterLoad ? v.parse(Told, loaded)[0] - begin : NaN,
      frameAsked: times.origin - begin,
      frameThere: times.origin + times.responseEnd - begin,
      frameRun: times.origin + times.domInteractive - begin,
      strokes,
      shift: await page.evaluate(() => window.benchShift),
    }
  } finally {
    await context.close()
  }
}

function frameOf(page: Page): Frame {
  const frame = page.frames()[1]
  if (frame === undefined) throw new Error(`${page.url()} has no frame`)
  return frame
}

function frameTimes(frame: Frame) {
  return frame.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation')
    if (!(navigation instanceof PerformanceNavigationTiming)) throw new Error('no navigation timing')
    const { responseEnd, domInteractive, transferSize } = navigation
    return { origin: performance.timeOrigin, responseEnd, domInteractive, transferSize }
  })
}

/** Types the longest card number by the keyboard, and says how long each digit took to be seen. */
async function typeCardNumber(page: Page, frame: Frame): Promise<number[]> {
  const field = frame.locator('input[autocomplete=cc-number]')
  await field.click()
  await page.keyboard.type(DIGITS, { delay: KEY_GAP_MS })
  const typed = (await field.inputValue()).replaceAll(/\D/g, '')
  if (typed !== DIGITS) throw new Error(`of ${DIGITS} the field took ${typed}`)
  return frame.evaluate(() => window.benchStrokes)
}

declare global {
  interface Window {
    /** Tells the bench of something that just happened, at a time since 1970 in ms. */
    benchTell: (mark: string, at: number) => Promise<void>
    /** How long each key press took to be seen, in ms. */
    benchStrokes: number[]
    /** How much of the page has moved without a person's doing: Cumulative Layout Shift. */
    benchShift: number
  }
  /** Layout Instability API, which TypeScript's library lacks. */
  interface LayoutShift extends PerformanceEntry {
    value: number
    hadRecentInput: boolean
  }
}

/**
 * Runs in every document of a measured page before its own scripts. In the page it adds up layout shifts. In the frame it checks in each
 * animation frame whether the card number can be typed, and times each key press from the event to the paint after it.
 */
function probePage(): void {
  if (window.top === window) {
    window.benchShift = 0
    const isShift = (entry: PerformanceEntry): entry is LayoutShift => entry.entryType === 'layout-shift'
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries().filter(isShift))
        if (!shift.hadRecentInput) window.benchShift += shift.value
    }).observe({ type: 'layout-shift', buffered: true })
    return
  }
  const strokes: number[] = (window.benchStrokes = [])
  const seek = () => {
    const field = document.querySelector<HTMLInputElement>('input[autocomplete=cc-number]')
    const usable = field?.checkVisibility({ visibilityProperty: true }) && !field.disabled && !field.readOnly
    if (usable) void window.benchTell('usable', performance.timeOrigin + performance.now())
    else requestAnimationFrame(seek)
  }
  seek()
  const timeStroke = ({ timeStamp }: KeyboardEvent) =>
    requestAnimationFrame(() => {
      // The message is handled after the paint of this animation frame.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => strokes.push(performance.now() - timeStamp)
      port2.postMessage(0)
    })
  addEventListener('keydown', timeStroke, true)
}
