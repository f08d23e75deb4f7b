import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { declineWords } from '../../demo/orders/decline-words.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/checkout-page.ts'
import { Shop } from '../pages/shop.ts'
import { isLongForm, reportProbes, rowsOf } from './report.ts'
import type { Outcome } from './report.ts'
import { AMOUNTS, DECLINES } from './tables/paying.ts'
import { newReference } from '../world/references.ts'

const refusal = (code: string) => ({
  status: code === 'validation_error' ? 400 : 402,
  json: {
    status: code === 'validation_error' ? 400 : 402,
    error: { code, message: 'm' },
    resource: { type: 'checkout_payment', data: null },
  },
})

test('a checkout says what to do after each decline', async ({ page, merchant }, info) => {
  const { token } = await merchant.intend()
  await merchant.serve(token)
  const form = await merchant.open(page)
  await expect(form.submit).toHaveText('Pay A$49.00')
  await form.type({ ...GOOD_CARD, code: '' })
  const outcomes: Outcome[] = []
  for (const [code, words] of rowsOf(Object.entries(DECLINES))) {
    await page.route('**/session/payments?*', (route) => route.fulfill(refusal(code)))
    await form.code.fill(GOOD_CARD.code)
    await form.submit.click()
    await expect.soft(form.alert).toContainText(words)
    outcomes.push({ did: code, expected: true, found: (await form.alert.textContent())?.includes(words) })
    await page.unroute('**/session/payments?*')
  }
  reportProbes(info, 'words of a decline: checkout', outcomes)
})

test('the shop says what to do after each decline', async ({ page }, info) => {
  const shop = new Shop(page)
  await shop.goToCheckout()
  await shop.form.type(GOOD_CARD)
  const outcomes: Outcome[] = []
  for (const code of rowsOf(Object.keys(DECLINES))) {
    const words = declineWords(code)
    await page.route('**/api/orders', (route) => route.fulfill({ json: { placed: false, message: words } }))
    await shop.form.submit.click()
    await expect.soft(page.getByRole('alert')).toHaveText(words)
    const kept = await shop.form.number.inputValue()
    outcomes.push({
      did: code,
      expected: [true, '5111 1111 1111 1118'],
      found: [words.includes('othing was charged'), kept],
    })
    await page.unroute('**/api/orders')
  }
  reportProbes(info, 'words of a decline: shop', outcomes)
})

test('amounts are written as each language writes them', async ({ page, merchant }, info) => {
  const { token } = await merchant.intend('1234.50')
  await merchant.serve(token)
  const { submit } = await merchant.open(page)
  await expect(submit).toHaveText(/1/)
  const outcomes: Outcome[] = []
  for (const [language, amount] of rowsOf(Object.entries(AMOUNTS))) {
    await page.evaluate(`void checkout.setLanguage('${language}')`)
    await expect(page.frameLocator('iframe').locator('html')).toHaveAttribute('lang', language)
    const found = (await page.frameLocator('iframe').locator('.total').textContent()) ?? ''
    const plain = found.replaceAll('\u200e', '').replaceAll(/[\u00a0\u202f\u200f]/g, ' ')
    outcomes.push({ did: language, expected: true, found: plain.endsWith(amount) || plain })
  }
  reportProbes(info, 'amounts', outcomes)
})

type TwiceWay = (page: Page, pauseMs: number) => Promise<void>
/** Ignores a failure: a field or button may be gone, or blocked, by then, because the result has come meanwhile. */
const TRY = { timeout: 5000 }
const press = (page: Page) => page.frameLocator('iframe').getByRole('button').click(TRY)
const pressIfThere = (page: Page) => press(page).catch(() => undefined)

async function fillAgain(page: Page): Promise<void> {
  const input = page.frameLocator('iframe').locator('#card_ccv')
  if (await input.isVisible()) await input.fill(GOOD_CARD.code, TRY).catch(() => undefined)
}

/** Ways in which a person, a device or a network may start a payment twice. */
const TWICE: Readonly<Record<string, TwiceWay>> = {
  'a second press': async (page, pauseMs) => {
    await press(page)
    await page.waitForTimeout(pauseMs)
    await pressIfThere(page)
  },
  'Enter, again and again': async (page, pauseMs) => {
    await page.frameLocator('iframe').locator('#card_ccv').focus()
    for (let i = 0; i < 5; i += 1) {
      await page.keyboard.press('Enter')
      await page.waitForTimeout(pauseMs / 5)
    }
  },
  'a page that is loaded again': async (page, pauseMs) => {
    await press(page)
    await page.waitForTimeout(pauseMs)
    await page.reload()
    await payIfAsked(page)
  },
  'Back and Forward': async (page, pauseMs) => {
    await press(page)
    await page.waitForTimeout(pauseMs)
    await page.goto('about:blank')
    await page.goBack()
    await payIfAsked(page)
  },
  'a lost answer': async (page, pauseMs) => {
    let isLost = false
    await page.route('**/session/payments?*', async (route) => {
      if (isLost) return route.continue()
      isLost = true
      await route.fetch()
      return route.abort('connectionreset')
    })
    await press(page)
    await page.waitForTimeout(pauseMs)
    await pressIfThere(page)
  },
  'a device that goes offline': async (page, pauseMs) => {
    await press(page)
    await page.context().setOffline(true)
    await page.waitForTimeout(pauseMs)
    await page.context().setOffline(false)
    await fillAgain(page)
    await pressIfThere(page)
  },
  'another tab': async (page, pauseMs) => {
    const other = await page.context().newPage()
    await other.goto(page.url())
    await fillCard(other)
    await press(page)
    await page.waitForTimeout(pauseMs)
    await pressIfThere(other)
    await other.close()
  },
}

async function fillCard(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe')
  await frame.locator('#card_name').fill(GOOD_CARD.name, TRY)
  await frame.locator('#card_number').fill(GOOD_CARD.number, TRY)
  await frame.locator('#expiry').fill(GOOD_CARD.expiry, TRY)
  await frame.locator('#card_ccv').fill(GOOD_CARD.code, TRY)
}

async function payIfAsked(page: Page): Promise<void> {
  const frame = page.frameLocator('iframe')
  await frame.locator('#card_number, .result').first().waitFor()
  if (await frame.locator('#card_number').isVisible()) {
    await fillCard(page).catch(() => undefined)
    await pressIfThere(page)
  }
}

for (const [way, pay] of isLongForm ? Object.entries(TWICE) : []) {
  test(`nobody pays twice: ${way}`, async ({ page, merchant }, info) => {
    test.setTimeout(400_000)
    const outcomes: Outcome[] = []
    for (const pauseMs of [0, 10, 30, 80, 150, 300, 800]) {
      const reference = newReference('twice')
      const { token } = await merchant.intend('49.00', reference)
      await merchant.serve(token)
      const { submit } = await merchant.open(page)
      await expect(submit).toHaveText('Pay A$49.00')
      await fillCard(page)
      await pay(page, pauseMs)
      await expect(page.frameLocator('iframe').locator('.result.paid')).toBeVisible({ timeout: 45_000 })
      outcomes.push({
        did: `${way}, ${pauseMs} ms`,
        expected: [49],
        found: await merchant.chargesOf(reference),
      })
    }
    reportProbes(info, 'paid once, however one tries', outcomes)
  })
}
