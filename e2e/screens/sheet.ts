import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { THEMES } from '../../src/contract/page/widget-appearance.ts'
import { otherFontsOf } from './fonts.ts'

const LIGHT = { name: 'light', colorScheme: 'light', forcedColors: 'none' } as const
const DARK = { name: 'dark', colorScheme: 'dark', forcedColors: 'none' } as const
const FORCED = { name: 'forced', colorScheme: 'dark', forcedColors: 'active' } as const

/** Widths of the form in px, on a phone of 320 px, on one of 390 px and in a column of a desktop page; and colour schemes of each. */
const WINDOWS = [
  { window: 320, width: 288, schemes: [LIGHT, DARK] },
  // The two phones differ only in the layout.
  { window: 390, width: 358, schemes: [LIGHT] },
  { window: 1280, width: 560, schemes: [LIGHT, DARK] },
] as const
const COLUMNS = 4
const GAP = 24
/** The size of the window: all states have to be visible, as browsers do not paint frames that are not. */
const HEIGHT = 1900

/** Forced colours replace a theme's colours, so one theme on the smallest phone is enough. */
const schemesOf = (theme: string, { window, schemes }: (typeof WINDOWS)[number]) =>
  theme === 'plain' && window === 320 ? [...schemes, FORCED] : schemes

/** A merchant's page with a place for each state, side by side, and a script that fills them. */
export const sheetPage = (states: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>States</title>
<meta name="color-scheme" content="light dark"><link rel="icon" href="/favicon.js"><style>
  body { margin: 0; font: 13px/1.5 system-ui, sans-serif; background: #fff; color: #1a1a1a }
  @media (prefers-color-scheme: dark) { body { background: #16181d; color: #f2f2f2 } }
  main { display: grid; grid-template-columns: repeat(${COLUMNS}, var(--width, ${WINDOWS[0].width}px)); gap: ${GAP}px; padding: ${GAP}px; align-items: start }
  h2 { margin: 0 0 8px; font-size: 13px; font-weight: 400; opacity: 0.7 }
</style></head><body><main>
${states.map((state) => `<section><h2>${state}</h2><div id="${state}"></div></section>`).join('\n')}
</main><script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script></body></html>`

/** Skips the test, and says why, where the fonts differ from those of the kept pictures. */
export async function requireKeptFonts(page: Page): Promise<void> {
  const reason = await otherFontsOf(page)
  if (reason !== null) process.stdout.write(`${reason}\n`)
  test.skip(reason !== null, reason ?? '')
}

/** Opens the page in a window that is large enough for it. */
export async function openSheet(page: Page): Promise<void> {
  await page.setViewportSize({ width: COLUMNS * (WINDOWS[0].width + GAP) + GAP, height: HEIGHT })
  await page.goto(PAGE_URL)
}

/** Compares the page in every theme, width and colour scheme with its kept pictures. The page's `setTheme` sets the theme. */
export async function compareLooks(page: Page, kind: string): Promise<void> {
  for (const theme of THEMES) {
    await page.evaluate(`setTheme('${theme}')`)
    for (const shown of WINDOWS) {
      await page.setViewportSize({ width: COLUMNS * (shown.width + GAP) + GAP, height: HEIGHT })
      await page.evaluate((px) => document.body.style.setProperty('--width', `${String(px)}px`), shown.width)
      for (const { name, ...media } of schemesOf(theme, shown)) {
        await page.emulateMedia(media)
        const picture = `${kind}-${theme}-${String(shown.window)}-${name}.png`
        await expect.soft(page.locator('main')).toHaveScreenshot(picture)
      }
    }
  }
}
