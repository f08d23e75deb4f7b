import { readFileSync } from 'node:fs'
import type { ElementHandle, Frame, Page } from '@playwright/test'
import type Axe from 'axe-core'

/** In the browser, once `axeSource` has run there. */
declare const axe: typeof Axe

const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')

const usualOptions: Axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  selectors: false,
}

/** Forced colours are the person's own. */
const withoutContrast = { ...usualOptions, rules: { 'color-contrast': { enabled: false } } }

/**
 * What axe finds against WCAG 2.2 AA in the page and in its frames. While a modal dialog is open, in that alone: nobody can reach
 * what is behind it.
 */
export async function findingsOf(page: Page): Promise<string[]> {
  await paintBackgrounds(page)
  await loadAxe(page.mainFrame())
  const isForced = await page.evaluate(() => matchMedia('(forced-colors: active)').matches)
  const options = isForced ? withoutContrast : usualOptions
  const isModal = (await page.locator('dialog:modal').count()) > 0
  const context = { include: isModal ? [['dialog[open]']] : [], exclude: [] }
  const hasFrames = page.frames().length > 1
  // Directly before axe runs, so that no new animation begins in between.
  await finishTransitions(page)
  const violations = await (hasFrames
    ? violationsWithFrames(page, context, options)
    : violationsAlone(page, context, options))
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' | ')}`,
  )
}

/** For a page without frames, where axe describes only the elements with faults, which takes half of the time. */
async function violationsAlone(
  page: Page,
  context: Axe.SerialContextObject,
  options: Axe.RunOptions,
): Promise<Axe.Result[]> {
  return page.evaluate(async ({ context, options }) => (await axe.run(context, options)).violations, {
    context,
    options,
  })
}

/**
 * Loads axe itself, because `@axe-core/playwright` loads it twice, opens a page for each run, and leaves out a frame in which axe
 * is not loaded within a second.
 */
async function violationsWithFrames(
  page: Page,
  context: object,
  options: Axe.RunOptions,
): Promise<Axe.Result[]> {
  const partialResults = await resultsIn(page.mainFrame(), context, options)
  return page.evaluate<Axe.Result[]>(
    `axe.finishRun([${partialResults.join()}], ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
}

/**
 * The results of a frame and of all frames in it, in the order that `axe.finishRun` needs. As JSON: they describe every element
 * that was looked at, and Playwright takes longer to copy such objects than axe to look.
 */
async function resultsIn(frame: Frame, context: object, options: Axe.RunOptions): Promise<string[]> {
  await loadAxe(frame)
  const inner = await frame.evaluate<Axe.FrameContext[]>(call('utils.getFrameContexts', context, options))
  const results = [
    await frame.evaluate<string>(`${call('runPartial', context, options)}.then(JSON.stringify)`),
  ]
  for (const { frameSelector, frameContext } of inner) {
    const element = await frame.evaluateHandle<Element | null>(call('utils.shadowSelect', frameSelector))
    const innerFrame = await element.asElement()?.contentFrame()
    if (!innerFrame) throw new Error(`axe can't look into ${JSON.stringify(frameSelector)}`)
    results.push(...(await resultsIn(innerFrame, frameContext, options)))
  }
  return results
}

async function loadAxe(frame: Frame): Promise<void> {
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axeSource)
}

const call = (name: string, ...parameters: (object | string)[]) =>
  `axe.${name}(${parameters.map((parameter) => JSON.stringify(parameter)).join()})`

/** Ends transitions, as a colour halfway through one is neither of the two that people see. Endless animations go on. */
async function finishTransitions(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (frame.isDetached()) continue
    await frame.evaluate(() => {
      const animations = document.getAnimations()
      for (const one of animations) if (one.effect?.getComputedTiming().endTime !== Infinity) one.finish()
    })
  }
}

/** Takes back the colours that `findingsOf` has painted. */
export async function unpaint(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (!frame.isDetached())
      await frame.evaluate(() => document.documentElement.style.removeProperty('background-color'))
}

/**
 * axe regards a transparent frame as white, so this gives each frame the colour of the page behind it; one of another colour scheme than its
 * element has the browser's own.
 */
async function paintBackgrounds(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (frame === page.mainFrame() || frame.isDetached()) continue
    const element = await frame.frameElement()
    const around = await canvasIn(element)
    const background = await element.evaluate(backgroundBehind, around)
    const root = await frame.evaluateHandle(() => document.documentElement)
    const within = await canvasIn(root)
    await root.evaluate(
      ({ style }, color) => {
        style.backgroundColor = color
      },
      around === within ? background : within,
    )
  }
}

/** The browser's own background where an element is. */
const canvasIn = (element: ElementHandle): Promise<string> =>
  element.evaluate((one) => {
    const probe = document.createElement('div')
    probe.style.backgroundColor = 'Canvas'
    // A frame's own content is never shown.
    const place = one instanceof HTMLIFrameElement ? (one.parentNode ?? one) : one
    place.appendChild(probe)
    const { backgroundColor } = getComputedStyle(probe)
    probe.remove()
    return backgroundColor
  })

/** Runs in the page: the nearest background colour that is not transparent, or else the browser's own. */
function backgroundBehind(start: Node, canvas: string): string {
  for (let node: Node | null = start; node instanceof Element; node = node.parentNode) {
    const { backgroundColor } = getComputedStyle(node)
    if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor
  }
  return canvas
}
