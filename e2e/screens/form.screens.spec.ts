import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { demoKeys, serveMerchantPage } from '../world/merchant-page.ts'
import { compareLooks, openSheet, requireKeptFonts, sheetPage } from './sheet.ts'

const STATES = [
  'empty',
  'in-use',
  'typed',
  'faults',
  'sending',
  'refused',
  'finished',
  'not-used',
  'unavailable',
  'line',
  'line-typed',
  'line-faults',
] as const

const script = (key: string) => `
const keyOf = (state) => (state === 'unavailable' ? 'pk_sandbox_wrong' : '${key}')
const widgets = ${JSON.stringify(STATES)}.map((state) => new svc.HtmlWidget('#' + state, keyOf(state)).useAutoResize()
  .setText('title', 'Card details').setSupportedCardIcons(['visa', 'mastercard', 'amex', 'japcb']))
const setTheme = (name) => widgets.forEach((widget) => widget.setTheme(name))
widgets[${STATES.indexOf('not-used')}].on('finish', () => Promise.resolve(false))
for (const widget of widgets.slice(${STATES.indexOf('line')})) widget.setLayout('line')
for (const widget of widgets) widget.load().catch(() => {})`

const REFUSED = {
  status: 400,
  error: {
    code: 'validation_error',
    message: 'The card was refused.',
    details: [{ path: 'card_number', message: 'refused' }],
  },
  resource: { type: 'token', data: null },
}

/** Brings each form of the page into its state. Requests that are held back stay unanswered. */
async function bringAbout(page: Page): Promise<void> {
  const form = (state: (typeof STATES)[number]) => new CardForm(page, `#${state}`)
  await form('typed').number.pressSequentially('5111 1111')
  await form('typed').expiry.pressSequentially('01')
  await form('line-typed').fill({ ...GOOD_CARD, expiry: '0121' })
  await form('line-typed').name.focus()
  for (const state of ['faults', 'line-faults'] as const) {
    await form(state).number.pressSequentially('4242')
    await form(state).submit.click()
    await expect(form(state).name).toHaveAttribute('aria-invalid', 'true')
  }

  await form('finished').fill(GOOD_CARD)
  await form('finished').submit.click()
  await expect(form('finished').frame.locator('button.finished')).toBeVisible()

  await form('not-used').fill(GOOD_CARD)
  await form('not-used').submit.click()
  await expect(form('not-used').alert).not.toBeEmpty()

  await page.route('**/payment_sources/tokens', (route) => route.fulfill({ status: 400, json: REFUSED }))
  await form('refused').fill(GOOD_CARD)
  await form('refused').submit.click()
  await expect(form('refused').alert).not.toBeEmpty()

  await page.unroute('**/payment_sources/tokens')
  await page.route('**/payment_sources/tokens', () => undefined)
  await form('sending').fill(GOOD_CARD)
  await form('sending').submit.click()
  await expect(form('sending').submit).toHaveAttribute('aria-disabled', 'true')
  await expect(form('unavailable').alert).not.toBeEmpty()
  await form('in-use').number.focus()
}

test('the card form looks as it is kept', async ({ page }) => {
  test.setTimeout(300_000)
  await requireKeptFonts(page)
  await page.clock.install()
  const files = { '/': sheetPage(STATES), '/page.js': script(demoKeys().public_key) }
  const end = await serveMerchantPage({ files })
  await openSheet(page)
  await bringAbout(page)
  // After 7 s the form that is sending its card would say that this takes longer than usual.
  await page.clock.pauseAt(Date.now() + 1000)
  await compareLooks(page, 'form')
  await end()
})
