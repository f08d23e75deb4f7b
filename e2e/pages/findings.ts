import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds against WCAG 2.2 AA in the page and in its frames. */
export async function findingsOf(page: Page): Promise<string[]> {
  await paintGrounds(page)
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' | ')}`,
  )
}

/** A frame is see-through, which axe takes for white: paints each with what the page shows behind it. */
async function paintGrounds(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (frame === page.mainFrame() || frame.isDetached()) continue
    const ground = await (await frame.frameElement()).evaluate(groundBehind)
    await frame.evaluate((color) => {
      document.documentElement.style.backgroundColor = color
    }, ground)
  }
}

/** Runs in the page: the colour of the nearest ground that is not see-through, at last that of the browser itself. */
function groundBehind(place: Node): string {
  for (let node: Node | null = place; node instanceof Element; node = node.parentNode) {
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
