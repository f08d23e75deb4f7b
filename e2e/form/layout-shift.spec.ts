import { expect, test } from '@playwright/test'
import { CardForm } from '../pages/card-form.ts'
import { PAGE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage } from '../world/merchant-page.ts'

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

const script = (key: string, setUp: string) => `
const sizes = []
const widget = new svc.HtmlWidget('#card', '${key}')
${setUp}
widget.on('resize', ({ height }) => sizes.push(height))
const reserved = () => parseFloat(document.querySelector('#card iframe').style.height)
const loaded = widget.load()
sizes.push(reserved())
`

for (const width of [320, 390, 700]) {
  test(`the place that is kept for a form is what it takes, in a page of ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    let setUp = ''
    const files = {
      '/': widgetPage,
      get '/page.js'() {
        return script(demoKeys().public_key, setUp)
      },
    }
    const end = await serveMerchantPage({ files })
    const wrong: string[] = []
    for (const [name, given] of Object.entries(SET_UPS)) {
      setUp = given
      await page.goto(PAGE_URL)
      await expect(new CardForm(page).submit.or(new CardForm(page).number).first()).toBeVisible()
      await expect.poll(() => page.evaluate<number>('sizes.length')).toBeGreaterThan(1)
      const [kept = 0, taken = 0] = await page.evaluate<number[]>('sizes')
      if (Math.abs(kept - taken) > 1) wrong.push(`${name}: ${kept} kept, ${taken} taken`)
    }
    await end()
    expect(wrong).toEqual([])
  })
}
