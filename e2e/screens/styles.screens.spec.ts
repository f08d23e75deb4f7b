import { copyFileSync, readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { CardForm } from '../pages/card-form.ts'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage } from '../world/merchant-page.ts'
import { requireKeptFonts } from './sheet.ts'

const NAME = 'form-styles.png'
const KEPT = `e2e/screens/kept/${NAME}`
/** The same picture where the documentation shows it. */
const SHOWN = `docs/${NAME}`

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Styles</title><link rel="icon" href="/favicon.js"><style>
  body { margin: 0; background: #fff }
  main { position: relative; display: flex; gap: 84px; align-items: start; width: 700px; padding: 16px 52px }
  main > div { flex: 1 }
  i { position: absolute; height: 1px; background: #c2185b }
  i::before { content: attr(data-mark); position: absolute; top: -11px; width: 22px; border-radius: 50%; background: #c2185b; color: #fff; font: bold 12px/22px system-ui, sans-serif; text-align: center }
  i.left::before { left: -22px } i.right::before { right: -22px }
</style></head><body><main><div id="used"></div><div id="wrong"></div></main>
<script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script></body></html>`

const script = (key: string) => `
for (const id of ['used', 'wrong'])
  new svc.HtmlWidget('#' + id, '${key}').useAutoResize().setSupportedCardIcons(['visa', 'mastercard'])
    .setStyle('background_color', '#f4f6fa').load()`

/** A numbered mark in the margin, with a line to a point of the form: parts of the target's width and height. */
interface Mark {
  target: Locator
  x: number
  y: number
  side: 'left' | 'right'
}

/** As docs/widget.md lists them, from 1. */
function marksOf(used: CardForm, wrong: CardForm): Mark[] {
  const at = (target: Locator, side: Mark['side'], x: number, y = 0.5): Mark => ({ target, side, x, y })
  return [
    at(used.frame.locator('label').first(), 'left', 0.02),
    at(used.name, 'right', 0.997, 0.25),
    at(used.name, 'right', 0.9, 0.8),
    at(used.name, 'left', 0.06),
    at(used.number, 'left', 0.05),
    at(used.frame.locator('.schemes'), 'right', 1),
    at(used.number, 'left', 0.01, 0.97),
    at(used.frame.locator('#card_ccv-note'), 'right', 0.62),
    at(used.submit, 'left', 0.1, -0.3),
    at(used.submit, 'right', 0.97),
    at(used.frame.locator('#frame'), 'left', 0.02, 0.98),
    at(wrong.frame.locator('#card_number-note'), 'right', 0.9),
  ]
}

test('the picture of all styles shows the form as it is', async ({ page }, info) => {
  await requireKeptFonts(page)
  const files = { '/': PAGE, '/page.js': script(demoKeys().public_key) }
  const end = await serveMerchantPage({ files })
  await page.setViewportSize({ width: 810, height: 480 })
  await page.goto(PAGE_URL)
  const [used, wrong] = [new CardForm(page, '#used'), new CardForm(page, '#wrong')]
  await wrong.name.fill('Ada King')
  await wrong.number.fill('4242 4242')
  await wrong.expiry.fill('0139')
  await wrong.expiry.blur()
  await used.name.fill('Ada King')
  await used.number.focus()
  for (const [index, { target, x, y, side }] of marksOf(used, wrong).entries()) {
    const box = await target.boundingBox()
    if (box === null) throw new Error('the form is not there')
    await page.evaluate(drawMark, {
      mark: index + 1,
      side,
      px: box.x + box.width * x,
      py: box.y + box.height * y,
    })
  }
  await expect(page.locator('main')).toHaveScreenshot(NAME)
  await end()
  if (info.config.updateSnapshots !== 'missing') copyFileSync(KEPT, SHOWN)
  expect(readFileSync(SHOWN).equals(readFileSync(KEPT)), `${SHOWN} is made by --update-snapshots`).toBe(true)
})

/** Runs in the page: draws a line from the margin of the form around a point to it. */
function drawMark({ mark, side, px, py }: { mark: number; side: string; px: number; py: number }): void {
  const forms = [...document.querySelectorAll('main > div')].map((form) => form.getBoundingClientRect())
  const form = forms.find(({ left, right }) => left <= px && px <= right)
  if (form === undefined) return
  const edge = side === 'left' ? form.left - 10 : form.right + 10
  const line = Object.assign(document.createElement('i'), { className: side })
  line.dataset['mark'] = String(mark)
  line.style.cssText = `left: ${String(Math.min(edge, px))}px; top: ${String(py)}px; width: ${String(Math.abs(px - edge))}px`
  document.querySelector('main')?.append(line)
}
