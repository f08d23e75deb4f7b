import type { Page } from '@playwright/test'

/** The set-ups whose turn it is: they are shared out among the tests. With `LOOKS=all` every test sees them all. */
export function byTurns<SetUp>(setUps: readonly SetUp[], turn: number, turns: number): readonly SetUp[] {
  return process.env['LOOKS'] === 'all' ? setUps : setUps.filter((_, place) => place % turns === turn)
}

/** Makes every document of the page note its layout shifts, and the heights that its frames are given, from the start. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: { shifts: number[]; heights: number[] } = { shifts: [], heights: [] }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      // Unlike the metric of the web, shifts soon after an input count, too: nobody's input has anything to do with them here.
      for (const entry of list.getEntries()) seen.shifts.push(Number(Reflect.get(entry, 'value')))
    }).observe({ type: 'layout-shift', buffered: true })
    new MutationObserver(() => {
      const height = document.querySelector('iframe')?.offsetHeight
      if (height !== undefined && height !== seen.heights.at(-1)) seen.heights.push(height)
    }).observe(document, { childList: true, subtree: true, attributeFilter: ['style'] })
  })
}

/** The cumulative layout shift of the page and of its frames, and the heights that its first frame had one after the other. */
export async function shiftsOf(page: Page): Promise<{ total: number; heights: number[] }> {
  // Two frames: what was changed has been painted, and its shifts are noted.
  const noted = await Promise.all(
    page
      .frames()
      .map((frame) =>
        frame.evaluate<{ shifts: number[]; heights: number[] }>(
          `new Promise((ok) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => ok(seen)))))`,
        ),
      ),
  )
  const sum = noted.flatMap(({ shifts }) => shifts).reduce((total, value) => total + value, 0)
  return { total: sum, heights: noted[0]?.heights ?? [] }
}
