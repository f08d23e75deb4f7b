import { expect } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { test } from '../pages/card-page.ts'
import { LANGUAGES, SPACED_TEXT } from '../probes/tables/form.ts'

const WIDTHS = [
  [240, '0'],
  // What a background leaves of a phone's 320 px.
  [256, '1'],
  [320, '1'],
] as const

for (const [width, opacity] of someOf(WIDTHS, 2))
  test(`digits are not covered by the icon beside them, ${width} px wide`, async ({ card }) => {
    await card.page.setViewportSize({ width, height: 700 })
    await card.open({ style: 'body { margin: 0 }' })
    await card.form.number.fill('4242424242424242')
    await expect(card.form.frame.locator('.box .scheme')).toHaveCSS('opacity', opacity)
    // An input can be scrolled where its text is too wide for it.
    const hidden = await card.form.number.evaluate((input) => input.scrollWidth - input.clientWidth)
    expect(hidden).toBeLessThanOrEqual(0)
  })

test('inputs are never so small that iOS enlarges the page', { tag: LONG }, async ({ card }) => {
  await card.open({ script: "widget.setTheme('compact')" })
  await expect(card.form.number).toHaveCSS('font-size', '16px')
  await expect(card.form.frame.locator('label').first()).toHaveCSS('font-size', '12.25px')
  await card.act("widget.setStyle('font_size', '20px')")
  await expect(card.form.number).toHaveCSS('font-size', '20px')
})

test('the picture of where the code is on the card fits the scheme', { tag: LONG }, async ({ card }) => {
  await card.open()
  const spot = card.form.frame.locator('.spot')
  const back = await spot.getAttribute('y')
  await card.form.number.fill('378282246310005')
  await expect(spot).not.toHaveAttribute('y', back ?? '')
})

const FIELDS = [
  'first_name',
  'last_name',
  'address_city',
  'address_state',
  'address_postcode',
  'address_country',
]
const SET_UPS = { stacked: '', 'in one line': "widget.setLayout('line')" }

const ROOM = [
  [280, 'stacked'],
  [320, 'stacked'],
  [320, 'in one line'],
  [280, 'in one line'],
] as const

for (const [width, name] of someOf(ROOM, 3))
  test(`labels, hints and digits have the room that they need in each language, ${name}, ${width} px wide`, async ({
    card,
  }) => {
    test.setTimeout(120_000)
    await card.page.setViewportSize({ width, height: 1400 })
    const script = `widget.setFormFields(${JSON.stringify(FIELDS)})\n${SET_UPS[name]}`
    await card.open({ style: 'body { margin: 0 }', script })
    const frame = card.page.frames()[1]
    if (frame === undefined) throw new Error('the page has no form')
    const wrong: string[] = []
    for (const language of LANGUAGES) {
      await card.act(`widget.clear().setLanguage('${language}')`)
      await expect(card.form.frame.locator('html')).toHaveAttribute('lang', language)
      await card.form.frame.locator('#card_number').fill('378282246310005')
      await card.form.frame.locator('#card_ccv').fill('1234')
      for (const css of ['', SPACED_TEXT]) {
        const found = await frame.evaluate(findMisfits, css)
        wrong.push(...found.map((misfit) => `${language}${css === '' ? '' : ', spaced'}: ${misfit}`))
      }
    }
    expect(wrong).toEqual([])
  })

/** Runs in the frame: what is cut off, and which inputs of one line stand at different heights. */
function findMisfits(css: string): string[] {
  const style = new CSSStyleSheet()
  style.replaceSync(css)
  document.adoptedStyleSheets.push(style)
  const cut = [...document.querySelectorAll('label:not(.line label), p:not(:empty), button, input')]
    .filter((one) => one.scrollWidth > one.clientWidth + (one.matches('input') ? 0 : 1))
    .map((one) => `cut off: ${one.id || one.textContent}`)
  const boxes = [...document.querySelectorAll('input')].map((input) => {
    const { top, height } = input.getBoundingClientRect()
    return { id: input.id, top, height }
  })
  const stepped = boxes.flatMap(({ id, top, height }, at) => {
    const next = boxes[at + 1]
    const distance = Math.abs(top - (next?.top ?? Infinity))
    return distance > 0 && distance < height - 2
      ? [`${id} and ${next?.id ?? ''} are ${distance} px apart`]
      : []
  })
  const wide = document.documentElement.scrollWidth > document.documentElement.clientWidth
  document.adoptedStyleSheets.pop()
  return [...cut, ...stepped, ...(wide ? ['scrolls sideways'] : [])]
}
