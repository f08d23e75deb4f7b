import { expect, test } from '@playwright/test'
import { BankStepPage } from '../pages/bank-step.ts'

const CARDS = { code: '4970110000001011', method: '4970110000002027', silent: '4970110000002035' }

let end: () => Promise<void>
test.beforeEach(async () => {
  end = await BankStepPage.serve()
})
test.afterEach(() => end())

test('a challenge is passed in an element of a page whose policy allows the service alone', async ({ page }) => {
  const shop = new BankStepPage(page)
  await shop.open()
  const charge = await shop.charge(CARDS.code)
  expect(charge.status).toBe('pre_authentication_pending')
  await shop.show(charge, 'inElement')
  await shop.code.fill('1234')
  await shop.code.press('Enter')
  await expect.poll(() => shop.heard()).toContain('chargeAuthSuccess authenticated')
  expect(await shop.statusOf(charge)).toBe('complete')
  expect(await shop.violations()).toEqual([])
  await expect(shop.step.getByText('Your bank has confirmed this payment.')).toBeVisible()
})
