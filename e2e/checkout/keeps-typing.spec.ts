import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import type { CardForm } from '../pages/card-form.ts'
import { test } from '../pages/checkout-page.ts'
import type { CheckoutPage } from '../pages/checkout-page.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const SESSION = '**/v1/checkouts/session?*'
const MOVE = "document.querySelector('main').append(document.querySelector('#checkout'))"
const SHOWN = '5111 1111 1111 1118'
const fault = (status: number, code: string) => ({
  status,
  json: { status, error: { code, message: 'm' }, resource: { type: 'checkout_session', data: null } },
})

/** Types the number of a card slowly, from one moment to another of a wait, and shows that each digit came in. */
async function typeNumber(page: Page, form: CardForm, pauseMs: number): Promise<void> {
  await form.number.focus()
  await page.keyboard.type(GOOD_CARD.number, { delay: pauseMs })
  await expect(form.number).toHaveValue(SHOWN)
  await expect(form.expiry).toBeFocused()
}

/** A checkout that shows the amount, whose number has the focus. */
async function openToType(page: Page, merchant: CheckoutPage): Promise<CardForm> {
  const { token } = await merchant.intend()
  await merchant.serve(token)
  const form = await merchant.open(page)
  await expect(form.submit).toHaveText('Pay A$49.00')
  await form.number.focus()
  return form
}

async function fillTheRestAndPay(form: CardForm): Promise<void> {
  await form.name.fill(GOOD_CARD.name)
  await form.expiry.fill(GOOD_CARD.expiry)
  await form.code.fill(GOOD_CARD.code)
  await form.submit.click()
  await expect(form.frame.locator('.result.paid')).toBeVisible()
  await expect(form.frame.locator('input')).toHaveCount(0)
}

test('a checkout whose first reading takes 5.5 s keeps the form, and each digit typed meanwhile', async ({
  page,
  merchant,
}) => {
  const { token } = await merchant.intend()
  await merchant.serve(token, 'checkout.load().then(() => (window.isLoaded = true))')
  await page.route(SESSION, async (route) => {
    await new Promise((done) => setTimeout(done, 5500))
    await route.continue()
  })
  const form = await merchant.open(page)
  await takesKeys(form.number)
  await form.number.focus()
  await page.keyboard.type(GOOD_CARD.number, { delay: 380 })
  await expect(form.number).toHaveValue(SHOWN)
  await expect(form.expiry).toBeFocused()
  expect(await page.evaluate('window.isLoaded')).toBe(true)
  await expect(form.submit).toHaveText('Pay A$49.00')
  await expect(form.alert).toBeEmpty()
  await page.unroute(SESSION)
  await fillTheRestAndPay(form)
})

const ANSWERS = [
  ['no answer', null],
  ['a fault', fault(503, 'service_unavailable')],
  ['too many requests', fault(429, 'rate_limited')],
] as const

for (const [what, answer] of someOf(ANSWERS, 3)) {
  test(`a checkout that gets ${what} keeps the form, says so above the button, and can try again`, async ({
    page,
    merchant,
  }) => {
    const { token } = await merchant.intend()
    await merchant.serve(token)
    await page.route(SESSION, (route) => (answer === null ? route.abort() : route.fulfill(answer)))
    const form = await merchant.open(page)
    await takesKeys(form.number)
    await typeNumber(page, form, 150)
    await expect(form.alert).toContainText('The checkout can’t be reached')
    await page.unroute(SESSION)
    await form.submit.click()
    await expect(form.submit).toHaveText('Pay A$49.00')
    await expect(form.alert).toBeEmpty()
    await expect(form.number).toHaveValue(SHOWN)
    await fillTheRestAndPay(form)
  })
}

test(
  'a network that comes and goes, and readings that fail, take nothing from who types',
  { tag: LONG },
  async ({ page, merchant }) => {
    const form = await openToType(page, merchant)
    for (const [turn, digit] of GOOD_CARD.number.split('').entries()) {
      await page.keyboard.press(digit)
      await page.unroute(SESSION)
      if (turn % 3 === 0)
        await page.route(SESSION, (route) => route.fulfill(fault(503, 'service_unavailable')))
      if (turn % 3 === 1) await page.route(SESSION, (route) => route.fulfill(fault(429, 'rate_limited')))
      await page.context().setOffline(turn % 2 === 0)
      await form.frame.locator('html').evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await page.evaluate(
        `checkout.setLanguage('en').setStyle('button_color', 'rgb(${String(turn)}, 80, 80)')`,
      )
    }
    await page.context().setOffline(false)
    await page.unroute(SESSION)
    await expect(form.number).toHaveValue(SHOWN)
    await expect(form.expiry).toBeFocused()
    await fillTheRestAndPay(form)
  },
)

test('a checkout that is moved says so if something was typed; one that ends keeps nothing', async ({
  page,
  merchant,
}) => {
  const form = await openToType(page, merchant)
  await page.evaluate(MOVE)
  await expect(form.submit).toHaveText('Pay A$49.00')
  await expect(form.alert).toBeEmpty()
  await form.number.pressSequentially('5111')
  await page.evaluate(MOVE)
  await expect(form.alert).toHaveText('This form has been reset. Enter your card details again.')
  await typeNumber(page, form, 10)
  await expect(form.alert).toBeEmpty()
  await page.route(SESSION, (route) => route.fulfill(fault(401, 'token_expired')))
  await form.frame.locator('html').evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(form.frame.getByRole('heading', { name: 'This checkout has timed out' })).toBeVisible()
  await expect(form.frame.locator('input')).toHaveCount(0)
})
