import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { takesKeys } from '../pages/takes-keys.ts'
import { PAGE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage, widgetScript } from '../world/merchant-page.ts'

let end: (() => Promise<void>) | undefined
test.afterEach(async () => {
  await end?.()
  end = undefined
})

async function open(page: Page): Promise<CardForm> {
  end = await serveMerchantPage({
    files: { '/': widgetPage, '/page.js': widgetScript(demoKeys().public_key) },
  })
  await page.goto(PAGE_URL)
  const form = new CardForm(page)
  await takesKeys(form.number)
  return form
}

async function pay(page: Page, form: CardForm): Promise<void> {
  await form.fill(GOOD_CARD)
  await form.submit.click()
  await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
}

const codes = (page: Page) =>
  page.evaluate<(string | undefined)[]>(
    "events.filter((one) => one.event === 'systemError').map((one) => one.error.code)",
  )

test('a second widget in a container takes the place of the first, and pays', async ({ page }) => {
  const form = await open(page)
  await page.evaluate(`{
    const second = new svc.HtmlWidget('#card', '${demoKeys().public_key}')
    second.onFinishInsert('input[name="payment_source"]', 'payment_source')
    second.load()
  }`)
  await expect(page.locator('iframe')).toHaveCount(1)
  expect(await codes(page)).toEqual(['form_replaced'])
  await takesKeys(form.number)
  await pay(page, form)
})

const AGAIN = [
  ['a copy of its body', 'document.body.replaceWith(document.body.cloneNode(true))'],
  ['the HTML that it had', 'document.body.innerHTML = document.body.innerHTML'],
] as const

for (const [name, restore] of someOf(AGAIN, 2))
  test(`a page that shows ${name} again has one form, once it loads it`, async ({ page }) => {
    const form = await open(page)
    await page.evaluate(restore)
    await expect(page.locator('iframe')).toHaveCount(1)
    await page.evaluate('widget.load()')
    await expect(page.locator('iframe')).toHaveCount(1)
    await takesKeys(form.number)
    await pay(page, form)
  })

test(
  'a copy of a form that belongs to no widget says so in place of its fields',
  { tag: LONG },
  async ({ page }) => {
    const form = await open(page)
    await page.evaluate("document.body.append(document.querySelector('#card').cloneNode(true))")
    const copy = page.locator('iframe').nth(1).contentFrame()
    await expect(copy.getByText('lost its connection to the page')).toBeVisible({ timeout: 15_000 })
    await expect(copy.getByRole('textbox')).toHaveCount(0)
    await page.evaluate('document.body.lastElementChild.remove()')
    await pay(page, form)
  },
)

test('a form that was not used and is moved says nothing', { tag: LONG }, async ({ page }) => {
  const form = await open(page)
  await page.evaluate("document.body.prepend(document.querySelector('#card'))")
  await expect.poll(() => page.evaluate("events.filter((one) => one.event === 'afterLoad').length")).toBe(2)
  await expect(form.alert).toHaveText('')
})
