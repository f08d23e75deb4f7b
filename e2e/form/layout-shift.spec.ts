import { expect, test } from '@playwright/test'
import { CardForm } from '../pages/card-form.ts'
import { someOf } from '../long-form.ts'
import { shiftsOf, watchShifts } from '../pages/layout-shifts.ts'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage } from '../world/merchant-page.ts'

const SET_UPS = {
  'as it is': '',
  'without its button': "widget.hideElements(['submit_button'])",
  'with icons and a title':
    "widget.setSupportedCardIcons(['visa', 'mastercard', 'amex']).setText('title', 'Pay')",
  'with headings and a description':
    "widget.setTexts({ title_h1: 'One', title_h2: 'Two', title_h3: 'Three', title_h4: 'Four', title_h5: 'Five', title_h6: 'Six', title_description: 'All of it' })",
  'with more fields': "widget.setFormFields(['first_name*', 'last_name*', 'email', 'phone', 'address_city'])",
  'with an address':
    "widget.setFormFields(['card_name', 'address_line1', 'address_city', 'address_state', 'address_postcode', 'address_country'])",
  'with a field and no name': "widget.setFormFields(['card_number', 'email'])",
  'with a background': "widget.setStyle('background_color', '#fff')",
  'in large letters': "widget.setStyle('font_size', '20px')",
  'with sizes of its own':
    "widget.setStyles({ field_height: '56px', spacing: '10px', label_size: '12px', note_size: '15px', border_width: '0' })",
  'in one line, with thick borders':
    "widget.setLayout('line').setStyles({ border_width: '3px', field_height: '40px' })",
  'in one line': "widget.setLayout('line')",
  'in one line, outlined, with an address':
    "widget.setLayout('line').setTheme('outline').setFormFields(['email', 'card_number', 'address_city', 'address_postcode'])",
  'in one line, compact': "widget.setLayout('line').setTheme('compact')",
  soft: "widget.setTheme('soft')",
  outline: "widget.setTheme('outline')",
  compact: "widget.setTheme('compact')",
  'in French': "widget.setLanguage('fr')",
  'in German': "widget.setLanguage('de')",
  'in Spanish': "widget.setLanguage('es')",
  'in Italian': "widget.setLanguage('it')",
  'in Portuguese': "widget.setLanguage('pt')",
  'in Dutch': "widget.setLanguage('nl')",
  'in Japanese': "widget.setLanguage('ja')",
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.js"></head><body><h1>Pay</h1><div id="card"></div>
<script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script><p>Below</p></body></html>`

/** A page that shows the form some time after it was painted, and keeps the place that docs/widget.md names. */
const LATE_PAGE = PAGE.replace('<script src="/page.js"></script>', '').replace(
  '</body>',
  `<style>#card { min-height: 339px }</style>
<script>setTimeout(() => document.head.append(Object.assign(document.createElement('script'), { src: '/page.js' })), 300)</script></body>`,
)

const script = (key: string, setUp: string) => `
const widget = new svc.HtmlWidget('#card', '${key}').useAutoResize()
${setUp}
widget.load()`

const WIDTHS = [320, 390, 700]

for (const [turn, width] of someOf([...WIDTHS.entries()], 3)) {
  test(`nothing moves while a card form comes, in a page of ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await watchShifts(page)
    let setUp = ''
    const files = {
      '/': PAGE,
      '/late': LATE_PAGE,
      get '/page.js'() {
        return script(demoKeys().public_key, setUp)
      },
    }
    const end = await serveMerchantPage({ files })
    const wrong: string[] = []
    const open = async (name: string, path: string) => {
      await page.goto(PAGE_URL + path)
      await expect(new CardForm(page).submit.or(new CardForm(page).number).first()).toBeVisible()
      const { total, heights } = await shiftsOf(page)
      const [kept = 0, taken = 0] = [heights[0], heights.at(-1)]
      if (total > 0 || Math.abs(kept - taken) > 1)
        wrong.push(`${name}: shifts of ${String(total)}; ${kept} kept, ${taken} taken`)
    }
    for (const [name, given] of someOf(Object.entries(SET_UPS), WIDTHS.length, turn)) {
      setUp = given
      await open(name, '/')
    }
    setUp = ''
    await open('later than the page', '/late')
    await end()
    expect(wrong).toEqual([])
  })
}

test('in a dark page the form is dark before its script has run', async ({ page }) => {
  const dark = PAGE.replace('<head>', '<head><style>:root { color-scheme: dark }</style>')
  const files = { '/': dark, '/page.js': script(demoKeys().public_key, '') }
  const end = await serveMerchantPage({ files })
  await page.route('**/frame?*', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    // The last one; the first reads from the address how the form is shown.
    const body = text.slice(0, text.lastIndexOf('<script>'))
    await route.fulfill({ response, body })
  })
  await page.goto(PAGE_URL)
  const input = new CardForm(page).number
  await expect(input).toBeVisible()
  expect(await input.evaluate((node) => getComputedStyle(node).colorScheme)).toBe('dark')
  await end()
})
