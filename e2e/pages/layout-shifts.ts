import type { Page } from '@playwright/test'

/** Makes every document of the page record its layout shifts, and the heights of its frames, from the start. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: { shifts: number[]; heights: number[] } = { shifts: [], heights: [] }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      // Unlike in the web metric, shifts right after an input count, too: no input causes shifts here.
      for (const entry of list.getEntries()) seen.shifts.push(Number(Reflect.get(entry, 'value')))
    }).observe({ type: 'layout-shift', buffered: true })
    new MutationObserver(() => {
      const height = document.querySelector('iframe')?.offsetHeight
      if (height !== undefined && height !== seen.heights.at(-1)) seen.heights.push(height)
    }).observe(document, { childList: true, subtree: true, attributeFilter: ['style'] })
  })
}

/** The cumulative layout shift of the page and its frames, and the heights that its first frame has had, in order. */
export async function shiftsOf(page: Page): Promise<{ total: number; heights: number[] }> {
  // After two animation frames the changes are painted, and their shifts recorded.
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
