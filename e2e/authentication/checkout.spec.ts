import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/checkout-page.ts'

const CHALLENGED = { ...GOOD_CARD, number: '4970110000001011' }

const stepOf = (page: Page) => {
  const step = page.frameLocator('iframe[src*="/authentication?"]')
  return { step, code: step.frameLocator('#bank').getByLabel('Code') }
}

test('a checkout asks the card holder’s bank by itself, and is paid', async ({ page, merchant }) => {
  const { id, token } = await merchant.intend()
  await merchant.serve(token)
  await merchant.open(page)
  const form = new CardForm(page, '#checkout')
  await form.type(CHALLENGED)
  await form.submit.click()
  const { code } = stepOf(page)
  await expect(code).toBeFocused()
  await expect(form.frame.getByRole('heading', { name: 'Confirm with your bank' })).toBeAttached()
  await page.keyboard.type('1234')
  await page.keyboard.press('Enter')
  await expect(form.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible()
  await expect(page.locator('dialog')).toHaveCount(0)
  expect(await merchant.heardBy(page)).toMatchObject([{ name: 'successful', said: { intent_id: id } }])
})

test('who gives up at the bank can pay again, and is told that nothing was charged', async ({
  page,
  merchant,
}) => {
  const { token } = await merchant.intend()
  await merchant.serve(token)
  await merchant.open(page)
  const form = new CardForm(page, '#checkout')
  await form.type(CHALLENGED)
  await form.submit.click()
  const { step, code } = stepOf(page)
  await expect(code).toBeFocused()
  await step.getByRole('button', { name: 'Cancel payment' }).click()
  await step.getByRole('button', { name: 'Yes, cancel payment' }).click()
  await expect(form.alert).toContainText(
    'The confirmation with your bank was not finished, and nothing was charged.',
  )
  await form.code.pressSequentially('100')
  await form.submit.click()
  await stepOf(page).code.fill('1234')
  await page.keyboard.press('Enter')
  await expect(form.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible()
  expect((await merchant.heardBy(page)).map(({ name }) => name)).toEqual(['failure', 'successful'])
})

test('a page that is loaded again in the middle goes on at the bank', async ({ page, merchant }) => {
  const { token } = await merchant.intend()
  await merchant.serve(token)
  await merchant.open(page)
  const form = new CardForm(page, '#checkout')
  await form.type(CHALLENGED)
  await form.submit.click()
  await expect(stepOf(page).code).toBeVisible()
  await page.reload()
  await stepOf(page).code.fill('1234')
  await page.keyboard.press('Enter')
  await expect(form.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible()
  await expect.poll(() => merchant.heardBy(page)).toMatchObject([{ name: 'successful' }])
})

test('a checkout that the page takes away takes its dialog with it', async ({ page, merchant }) => {
  const { token } = await merchant.intend()
  await merchant.serve(token)
  await merchant.open(page)
  const form = new CardForm(page, '#checkout')
  await form.type(CHALLENGED)
  await form.submit.click()
  await expect(stepOf(page).code).toBeVisible()
  await page.evaluate('checkout.destroy()')
  await expect(page.locator('dialog')).toHaveCount(0)
})

test(
  'a page that may not show a bank is told so, and its shopper can try another card',
  { tag: LONG },
  async ({ page, merchant }) => {
    test.slow()
    const { token } = await merchant.intend()
    await merchant.serve(token, '', '', { 'cross-origin-embedder-policy': 'require-corp' })
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await merchant.open(page)
    const form = new CardForm(page, '#checkout')
    await form.type(CHALLENGED)
    await form.submit.click()
    await expect(form.alert).toContainText('nothing was charged', { timeout: 90_000 })
    expect(said.filter((line) => line.includes('frame_not_loaded'))).toHaveLength(2)
    await form.number.fill(GOOD_CARD.number)
    await form.code.pressSequentially('100')
    await form.submit.click()
    await expect(form.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible()
  },
)
