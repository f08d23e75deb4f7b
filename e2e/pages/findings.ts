import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds against WCAG 2.2 AA in the page and in its frames. */
export async function findingsOf(page: Page): Promise<string[]> {
  await paintBackgrounds(page)
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' | ')}`,
  )
}

/** axe takes a transparent frame for white, so this paints each frame with the page's colour behind it. */
async function paintBackgrounds(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (frame === page.mainFrame() || frame.isDetached()) continue
    const background = await (await frame.frameElement()).evaluate(backgroundBehind)
    await frame.evaluate((color) => {
      document.documentElement.style.backgroundColor = color
    }, background)
  }
}

/** Runs in the page: the nearest background colour that is not transparent, or else the browser's own. */
function backgroundBehind(start: Node): string {
  for (let node: Node | null = start; node instanceof Element; node = node.parentNode) {
    const { backgroundColor } = getComputedStyle(node)
    if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor
  }
  const probe = document.createElement('div')
  probe.style.backgroundColor = 'Canvas'
  document.body.append(probe)
  const { backgroundColor } = getComputedStyle(probe)
  probe.remove()
  return backgroundColor
}
