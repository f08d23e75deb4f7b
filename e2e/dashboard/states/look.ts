import type { Page, TestInfo } from '@playwright/test'
import { isLong } from '../../long-form.ts'
import { inspectInWidths } from '../../pages/inspect-state.ts'

/** A person's settings of browser and system, and widths of the window. */
interface Look {
  name: string
  widths: readonly number[]
  colorScheme: 'light' | 'dark'
  hasForcedColors?: true
  /** Size of text, in per cent of the usual. */
  text?: number
}

/** The looks of `npm test`: each colour scheme in one width; these two widths differ most. */
const SHORT: readonly Look[] = [
  { name: 'light', widths: [1280], colorScheme: 'light' },
  { name: 'dark', widths: [320], colorScheme: 'dark' },
]

/** The looks of `npm run e2e:all`. */
const LONG: readonly Look[] = [
  { name: 'light', widths: [1280, 390, 320], colorScheme: 'light' },
  { name: 'dark', widths: [1280, 390, 320], colorScheme: 'dark' },
  { name: 'forced', widths: [1280, 390, 320], colorScheme: 'dark', hasForcedColors: true },
  { name: 'large', widths: [1280, 390], colorScheme: 'light', text: 200 },
]

/** A state of a page that is inspected, and its number among others. */
interface State {
  name: string
  index: number
}

/** The looks in which a state is inspected: in `npm test` only one, which the state's number decides. */
function looksOf({ index }: State): readonly Look[] {
  return isLong ? LONG : SHORT.slice(index % SHORT.length).slice(0, 1)
}

/** Inspects a state in its looks, and leaves the page as it was. */
export async function inspectLooks(page: Page, info: TestInfo, state: State): Promise<void> {
  for (const { name, widths, colorScheme, hasForcedColors, text = 100 } of looksOf(state)) {
    await page.emulateMedia({ colorScheme, forcedColors: hasForcedColors ? 'active' : 'none' })
    await setText(page, text)
    await inspectInWidths(page, info, `${name}-${state.name}`, widths)
  }
  await setText(page, 100)
}

/** The same from the top of the page, where its bar covers nothing. */
export async function inspectFromTop(page: Page, info: TestInfo, state: State): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0))
  await inspectLooks(page, info, state)
}

/** Sets the size of text as a browser's setting does. */
async function setText(page: Page, percent: number): Promise<void> {
  await page.evaluate(
    (size) => {
      document.documentElement.style.fontSize = size
    },
    percent === 100 ? '' : `${percent}%`,
  )
}
