import type { Page, TestInfo } from '@playwright/test'
import { inspectInWidths } from '../../pages/inspect-state.ts'

/** How a person has set up browser and system, and how wide the window is. */
interface Look {
  name: string
  widths: readonly number[]
  colorScheme: 'light' | 'dark'
  hasForcedColors?: true
  /** Size of text, in per cent of the usual. */
  text?: number
}

/** With the tests of every change: the schemes in turn, in the widths between which most differs. */
const SHORT: readonly Look[] = [
  { name: 'light', widths: [1280], colorScheme: 'light' },
  { name: 'dark', widths: [320], colorScheme: 'dark' },
]

/** By `npm run looks`. */
const LONG: readonly Look[] = [
  { name: 'light', widths: [1280, 390, 320], colorScheme: 'light' },
  { name: 'dark', widths: [1280, 390, 320], colorScheme: 'dark' },
  { name: 'forced', widths: [1280, 390, 320], colorScheme: 'dark', hasForcedColors: true },
  { name: 'large', widths: [1280, 390], colorScheme: 'light', text: 200 },
]

/** Whether every state is seen in every look, and not only what the tests of every change have time for. */
export const isLong = process.env['LOOKS'] === 'all'

/** What is inspected: a state of a page, and its place among others. */
interface State {
  name: string
  index: number
}

/** The looks in which a state is seen: with the tests of every change states take turns in one look alone. */
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

/** As somebody does it in the settings of a browser. */
async function setText(page: Page, percent: number): Promise<void> {
  await page.evaluate(
    (size) => {
      document.documentElement.style.fontSize = size
    },
    percent === 100 ? '' : `${percent}%`,
  )
}
