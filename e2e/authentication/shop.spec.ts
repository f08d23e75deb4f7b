import { expect, test } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { Shop } from '../pages/shop.ts'
import { takesKeys } from '../pages/takes-keys.ts'
import { SHOP_URL } from '../world/addresses.ts'

/** The test card whose bank asks for a code. */
const ASKS_CODE = '4970110000001011'

const stepOf = (page: Page) => {
  const step = page.frameLocator('iframe[src*="/authentication?"]')
  return { step, code: step.frameLocator('#bank').getByLabel('Code') }
}

let violations: string[]
test.beforeEach(({ page }) => {
  violations = []
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text())
  })
})
test.afterEach(() => {
  expect(violations).toEqual([])
})

test('a shopper whose bank asks gives the code in the shop’s page, and has bought', async ({ page }) => {
  const shop = new Shop(page)
  await shop.pay({ number: ASKS_CODE })
  await expect(stepOf(page).code).toBeFocused()
  await page.keyboard.type('1234')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
  await expect(page.locator('#status')).toHaveText('held on your card')
})

/** Presses Tab until a part has the focus of the whole page, as somebody without a mouse does. */
async function tabTo(page: Page, part: Locator): Promise<void> {
  const hasFocus = () =>
    part.evaluate((element) => document.hasFocus() && document.activeElement === element).catch(() => false)
  for (let tabs = 0; tabs < 40 && !(await hasFocus()); tabs += 1) await page.keyboard.press('Tab')
  await expect(part).toBeFocused()
}

test('by keyboard alone a shopper buys, gives up at the bank, and buys after all', async ({ page }) => {
  const { form } = new Shop(page)
  await page.goto('/')
  await tabTo(page, page.getByRole('button', { name: /checkout|buy/i }))
  await page.keyboard.press('Enter')
  await takesKeys(form.number)
  await tabTo(page, form.name)
  await page.keyboard.type('Grace Hopper')
  await tabTo(page, form.number)
  // From a complete number and expiry date the focus goes on by itself.
  await page.keyboard.type(`${ASKS_CODE}0139100`)
  await page.keyboard.press('Enter')
  const { step, code } = stepOf(page)
  await expect(code).toBeFocused()
  await tabTo(page, step.getByRole('button', { name: 'Cancel payment' }))
  await page.keyboard.press('Enter')
  await tabTo(page, step.getByRole('button', { name: 'Yes, cancel payment' }))
  await page.keyboard.press('Enter')
  await expect(page.locator('#message')).toContainText('You did not confirm this payment with your bank')
  await expect(form.number).toBeFocused()
  await tabTo(page, form.code)
  await page.keyboard.type('100')
  await page.keyboard.press('Enter')
  await expect(code).toBeFocused()
  await page.keyboard.type('1234')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
})

test('a shopper who gives up at the bank is told so, and may pay by another card', async ({ page }) => {
  const shop = new Shop(page)
  await shop.pay({ number: ASKS_CODE })
  const { step, code } = stepOf(page)
  // Until the bank's page is there the button still moves.
  await expect(code).toBeFocused()
  await step.getByRole('button', { name: 'Cancel payment' }).click()
  await step.getByRole('button', { name: 'Yes, cancel payment' }).click()
  await expect(page.locator('#message')).toContainText('You did not confirm this payment with your bank')
  await shop.form.number.fill('')
  await shop.form.number.pressSequentially('5111111111111118')
  await shop.form.submit.click()
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
})

test('a code that is wrong three times is a refusal, which the shop explains', async ({ page }) => {
  const shop = new Shop(page)
  await shop.pay({ number: '4970110000001037' })
  for (let tries = 0; tries < 3; tries += 1) {
    await stepOf(page).code.fill(`000${String(tries)}`)
    const answered = page.waitForResponse(/\/3ds\/challenge\/answer/)
    await page.keyboard.press('Enter')
    await answered
  }
  await expect(page.locator('#message')).toContainText('Your bank could not confirm that it is you')
})

test('the playground shows what a card’s bank asks, and what the page hears of it', async ({ page }) => {
  await page.goto(`${SHOP_URL}/playground`)
  await expect(page.locator('#authenticate')).toBeDisabled()
  const form = new CardForm(page)
  await form.type({ ...GOOD_CARD, number: ASKS_CODE })
  await page.getByRole('button', { name: 'submit()' }).click()
  await page.getByRole('button', { name: 'authenticate()' }).click()
  await stepOf(page).code.fill('1234')
  await page.keyboard.press('Enter')
  await expect(page.locator('#bank-says')).toHaveText('The bank’s answer: authenticated')
  await expect(page.locator('#events')).toContainText('chargeAuthSuccess')
})
