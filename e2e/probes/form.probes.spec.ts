import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { Frame, Page } from '@playwright/test'
import * as v from 'valibot'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/card-page.ts'
import { reportProbes, rowsOf } from './report.ts'
import type { Outcome } from './report.ts'
import { IN_COMPOSITION, LANGUAGES, OTHER_FIELDS, SPACED_TEXT, WIDE_SET_UPS } from './tables/form.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const wordsIn = (language: string) =>
  v.parse(
    v.record(v.string(), v.string()),
    JSON.parse(readFileSync(`src/frame/languages/${language}.json`, 'utf8')),
  )

function frameOf(page: Page): Frame {
  const frame = page.frames()[1]
  if (frame === undefined) throw new Error('the page has no form')
  return frame
}

test('a card number in another field is refused with a message', async ({ card }, info) => {
  const names = Object.keys(OTHER_FIELDS)
  await card.open({ script: `widget.setFormFields(${JSON.stringify([...names, 'card_number'])})` })
  await takesKeys(card.form.number)
  const outcomes: Outcome[] = []
  for (const [name, word] of rowsOf(Object.entries(OTHER_FIELDS))) {
    await card.form.frame.locator(`#${name}`).fill(GOOD_CARD.number)
    await card.form.frame.locator(`#${name}`).blur()
    const note = card.form.frame.locator(`#${name}-note.fault`)
    outcomes.push({ did: name, expected: wordsIn('en')[word], found: await note.textContent() })
  }
  reportProbes(info, 'a card number in a wrong field', outcomes)
})

test('text that is being composed stays, whatever the page sets meanwhile', async ({ card, page }, info) => {
  await card.open()
  await takesKeys(card.form.number)
  const outcomes: Outcome[] = []
  for (const [field, steps, act, expected] of rowsOf(IN_COMPOSITION)) {
    const composed = await frameOf(page).evaluate(composeIn, { field, steps, isEnded: false })
    await page.evaluate(`(${act}, new Promise((done) => setTimeout(done, 100)))`)
    const kept = await card.form.frame.locator(`#${field}`).inputValue()
    const ended = await frameOf(page).evaluate(composeIn, { field, steps: [], isEnded: true })
    outcomes.push({ did: `${field}: ${act}`, expected: [composed, expected], found: [kept, ended] })
    await page.evaluate('widget.clear()')
    await expect(card.form.frame.locator(`#${field}`)).toHaveValue('')
  }
  reportProbes(info, 'an input method, and rendering meanwhile', outcomes)
})

/** Runs in the frame: sends the events of an input method. Returns the input's value afterwards. */
function composeIn({
  field,
  steps,
  isEnded,
}: {
  field: string
  steps: readonly string[]
  isEnded: boolean
}): string {
  const input = document.querySelector<HTMLInputElement>(`#${field}`)
  if (input === null) throw new Error(`no ${field}`)
  input.focus()
  if (steps.length > 0) input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
  for (const data of steps) {
    const event = { data, inputType: 'insertCompositionText', isComposing: true, bubbles: true }
    input.dispatchEvent(new InputEvent('beforeinput', event))
    input.value = data
    input.dispatchEvent(new InputEvent('input', event))
  }
  if (isEnded)
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: input.value }))
  return input.value
}

test('document and frame are in the language that is asked for', async ({ card, page }, info) => {
  await card.open()
  await takesKeys(card.form.number)
  const outcomes: Outcome[] = []
  for (const language of rowsOf(LANGUAGES)) {
    await card.act(`widget.setLanguage('${language}')`)
    const title = wordsIn(language)['title']
    const frame = page.locator('iframe')
    await expect.soft(frame).toHaveAttribute('title', title ?? '')
    const element = [await frame.getAttribute('lang'), await frame.getAttribute('title')]
    const inside = await frameOf(page).evaluate(() => [document.documentElement.lang, document.title])
    outcomes.push({ did: `${language}, document`, expected: [language, title], found: inside })
    outcomes.push({ did: `${language}, frame`, expected: [language, title], found: element })
  }
  reportProbes(info, 'title and language of document and frame', outcomes)
})

test('nothing is cut off or scrolls sideways, and targets are large enough', async ({ card, page }, info) => {
  const reflow: Outcome[] = []
  const targets: Outcome[] = []
  for (const [name, script] of rowsOf(Object.entries(WIDE_SET_UPS))) {
    await card.close()
    await page.setViewportSize({ width: 320, height: 800 })
    await card.open({ script, style: 'body { margin: 0 }' })
    await expect(card.form.submit).toBeVisible()
    await card.form.submit.click()
    for (const width of [320, 256]) {
      await page.setViewportSize({ width, height: 800 })
      const beyond = await Promise.all(
        page
          .frames()
          .slice(0, 2)
          .map((frame) => frame.evaluate(widthBeyond)),
      )
      reflow.push({ did: `${name}, ${width} px`, expected: [0, 0], found: beyond })
    }
    const sizes = await frameOf(page).evaluate(() =>
      [...document.querySelectorAll('input, button')].map((one) => {
        const { width, height } = one.getBoundingClientRect()
        return Math.min(width, height)
      }),
    )
    targets.push(...sizes.map((size) => ({ did: name, expected: true, found: size >= 24 })))
  }
  reportProbes(info, 'reflow at 320 and 256 px', reflow)
  reportProbes(info, 'targets of 24 px', targets)
})

/** Runs in a document: by how much it is wider than its window, in px. */
function widthBeyond(): number {
  const { scrollWidth, clientWidth } = document.documentElement
  return Math.max(0, scrollWidth - clientWidth)
}

test('with wider spacing of text nothing is cut off', async ({ card, page }, info) => {
  const outcomes: Outcome[] = []
  for (const width of rowsOf([390, 1200])) {
    await card.close()
    await page.setViewportSize({ width, height: 800 })
    await card.open()
    await expect(card.form.submit).toBeVisible()
    await card.form.submit.click()
    const cut = await frameOf(page).evaluate((css) => {
      const style = new CSSStyleSheet()
      style.replaceSync(css)
      document.adoptedStyleSheets.push(style)
      return [...document.querySelectorAll('label, p, button')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1)
        .map((one) => one.textContent)
    }, SPACED_TEXT)
    await expect
      .poll(() => frameOf(page).evaluate(() => document.documentElement.scrollHeight - innerHeight))
      .toBeLessThanOrEqual(1)
    outcomes.push({ did: `${width} px`, expected: [], found: cut })
  }
  reportProbes(info, 'text spacing', outcomes)
})
