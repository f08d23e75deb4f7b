import { expect, test } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { PayerBank } from './payer-bank.ts'
import { Subscriber } from './subscriber.ts'
import { newReference } from '../world/references.ts'

let subscriber: Subscriber
let bank: PayerBank
test.beforeEach(({ page }) => {
  subscriber = new Subscriber(page)
  bank = new PayerBank(page)
})

/** Approves in the bank, and waits until the shop has heard of it. */
async function approve(id: string): Promise<void> {
  await bank.approve(id)
  await subscriber.open(id)
  await subscriber.sees('You are subscribed')
}

test('a payer approves, pays and pauses in the bank; the shop explains the next refusal', async ({
  page,
}) => {
  const id = await subscriber.begin()
  await subscriber.sees('Waiting for your bank')
  await page.getByRole('link', { name: 'Open your bank' }).click()
  await expect(page).toHaveTitle('Your agreement · Coral Bank (sandbox)')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Marlow & Finch asks to be paid from your account',
  )
  await expect(page.getByText('A$25.00 each time')).toBeVisible()
  await bank.answer('Approve', 'Active')

  await page.getByRole('link', { name: 'Back to Marlow & Finch' }).click()
  await subscriber.sees('You are subscribed')
  await subscriber.pay.click()
  await expect(subscriber.payments.first()).toContainText('paid')
  await expect(subscriber.payments).toHaveCount(1)

  await bank.open(id)
  await expect(bank.payments.first()).toContainText('A$25.00')
  await bank.answer('Pause payments', 'Paused')
  await subscriber.open(id)
  await subscriber.sees('Your subscription is paused')
  await expect(subscriber.pay).toBeHidden()
  const row = await subscriber.row(id)
  await row.getByRole('button', { name: 'Collect now' }).click()
  await expect(subscriber.news).toContainText('cannot be done')

  await bank.open(id)
  await bank.answer('Resume payments', 'Active')
  await subscriber.open(id)
  await subscriber.sees('You are subscribed')
})

test(
  'a page that stays open follows what the payer does in another tab',
  { tag: LONG },
  async ({ page, context }) => {
    const id = await subscriber.begin()
    await subscriber.sees('Waiting for your bank')
    const otherTab = new PayerBank(await context.newPage())
    await otherTab.approve(id)
    await subscriber.sees('You are subscribed')
    await page.reload()
    await subscriber.sees('You are subscribed')
  },
)

test('what is due today is collected automatically, and once', async ({ page }) => {
  const id = await subscriber.begin({ plan: 'Every month', payId: 'approve@sandbox.example' })
  await expect(subscriber.payments.first()).toContainText('paid')
  await expect(page.locator('#next-collection')).not.toBeEmpty()
  const row = await subscriber.row(id)
  await row.getByRole('button', { name: 'Collect now' }).click()
  await expect(subscriber.news).toContainText('What was agreed does not allow this')
})

test('a payment that fails for lack of money says so, and can be paid again', async () => {
  await subscriber.begin({ plan: 'Every week', payId: 'insufficient@sandbox.example' })
  await expect(subscriber.payments.first()).toContainText('not enough money')
  await subscriber.pay.click()
  await expect(subscriber.payments).toHaveCount(2)
})

test('a payer declines', async () => {
  const id = await subscriber.begin()
  await bank.open(id)
  await bank.answer('Decline', 'Ended')
  await subscriber.open(id)
  await subscriber.sees('Your bank says no')
})

test('a new price applies once the payer has accepted it', async ({ page }) => {
  const id = await subscriber.begin()
  await approve(id)
  const row = await subscriber.row(id)
  await row.getByRole('textbox').fill('free')
  await row.getByRole('button', { name: 'Ask for this price' }).click()
  await expect(subscriber.news).toContainText('not a price')
  await row.getByRole('textbox').fill('27.50')
  await row.getByRole('textbox').press('Enter')
  await expect(row).toContainText('A$27.50 asked for')

  await subscriber.open(id)
  await expect(page.locator('#change')).toContainText('A$27.50')
  await expect(page.locator('#amount')).toHaveText('A$25.00')
  await bank.open(id)
  await expect(bank.change.getByRole('row', { name: 'How much' })).toHaveText(
    'How muchA$25.00 each timeA$27.50 each time',
  )
  await bank.change.getByRole('button', { name: 'Accept the change' }).click()
  await expect(bank.change).toBeHidden()
  await subscriber.open(id)
  await expect(page.locator('#amount')).toHaveText('A$27.50')
})

test('a payer has to confirm a cancellation; the shop can cancel, too', { tag: LONG }, async ({ page }) => {
  const id = await subscriber.begin()
  await approve(id)
  await bank.open(id)
  await page.getByRole('button', { name: 'Cancel agreement' }).click()
  await expect(bank.dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bank.dialog).toBeHidden()
  await bank.says('Active')
  const row = await subscriber.row(id)
  await row.getByRole('button', { name: 'Pause' }).click()
  await expect(row).toContainText('paused')
  await bank.open(id)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Marlow & Finch has paused these payments')
  await page.getByRole('button', { name: 'Cancel agreement' }).click()
  await bank.dialog.getByRole('button', { name: 'Cancel agreement' }).click()
  await bank.says('Ended')
  await subscriber.open(id)
  await subscriber.sees('Your subscription has ended')
})

test(
  'the form says what is wrong beside each field, and keeps what is typed',
  { tag: LONG },
  async ({ page }) => {
    await page.goto('/subscribe')
    const name = page.getByLabel('Your name')
    await page.getByLabel('PayID, your e-mail address').fill('grace')
    await page.keyboard.press('Enter')
    await expect(name).toBeFocused()
    await expect(name).toHaveAccessibleDescription('Enter your name as your bank knows it.')
    await page.getByRole('radio', { name: 'By BSB and account number' }).check()
    await name.fill('Grace Hopper')
    await page.getByLabel('BSB', { exact: true }).fill('802-985')
    await page.getByLabel('Account number', { exact: true }).fill('100000004')
    await page.keyboard.press('Enter')
    const account = page.getByLabel('Account number', { exact: true })
    await expect(account).toHaveAccessibleDescription(/No bank knows this account/)
    await account.fill('100000001')
    await page.keyboard.press('Enter')
    await subscriber.sees('You are subscribed')
  },
)

test('two quick presses make one agreement', { tag: LONG }, async ({ page }) => {
  const name = newReference('twice')
  await subscriber.fill({ name })
  await subscriber.submit.dblclick()
  await subscriber.sees('Waiting for your bank')
  await page.goto('/back-office/subscriptions')
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
})

test('a whole subscription needs nothing but the keyboard', { tag: LONG }, async ({ page }) => {
  await page.goto('/subscribe')
  await page.getByLabel('Your name').focus()
  await page.keyboard.type('Grace Hopper')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('grace@example.com')
  await page.keyboard.press('Enter')
  await subscriber.sees('Waiting for your bank')
  await page.getByRole('link', { name: 'Open your bank' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Approve' }).focus()
  await page.keyboard.press('Enter')
  await bank.says('Active')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
