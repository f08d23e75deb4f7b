import { expect, test } from '@playwright/test'
import { LONG, isLong, someOf } from '../long-form.ts'
import { inspectInWidths } from '../pages/inspect-state.ts'
import { PayerBank } from './payer-bank.ts'
import { Subscriber } from './subscriber.ts'

const ALL_WIDTHS = isLong ? [1280, 390, 320] : null
const VIEWS = [
  ['dark', 320],
  ['light', 1280],
] as const

for (const [colorScheme, width] of someOf(VIEWS, 2)) {
  test.describe(() => {
    test.use({ colorScheme, viewport: { width, height: 900 } })

    test(
      `each state of an agreement is accessible and fits its window in ${colorScheme}`,
      { tag: LONG },
      async ({ page }, info) => {
        test.setTimeout(180_000)
        const subscriber = new Subscriber(page)
        const bank = new PayerBank(page)
        const inspect = (state: string) => inspectInWidths(page, info, state, ALL_WIDTHS ?? [width])
        const inspectShop = async (id: string, headline: string, state: string) => {
          await subscriber.open(id)
          await subscriber.sees(headline)
          await inspect(`shop-${state}`)
        }

        await page.goto('/test-payers')
        await inspect('test-payers')
        await page.goto('/subscribe')
        await inspect('form')
        await subscriber.submit.click()
        await expect(page.getByLabel('Your name')).toBeFocused()
        await inspect('form-faults')

        const id = await subscriber.begin({ name: 'Augusta Ada King, Countess of Lovelace' })
        await inspectShop(id, 'Waiting for your bank', 'waiting')
        await bank.open(id)
        await inspect('bank-asked')
        await bank.answer('Approve', 'Active')
        await inspectShop(id, 'You are subscribed', 'active')
        await subscriber.pay.click()
        await expect(subscriber.payments.first()).toContainText('paid')
        await inspect('shop-paid')

        const row = await subscriber.row(id)
        await row.getByRole('textbox').fill('27.50')
        await row.getByRole('button', { name: 'Ask for this price' }).click()
        await expect(row).toContainText('asked for')
        await inspect('back-office')
        await inspectShop(id, 'You are subscribed', 'change')
        await bank.open(id)
        await expect(bank.change).toBeVisible()
        await inspect('bank-change')
        await bank.change.getByRole('button', { name: 'Keep it as it is' }).click()
        await expect(bank.change).toBeHidden()
        await bank.answer('Pause payments', 'Paused')
        await inspect('bank-paused')
        await inspectShop(id, 'Your subscription is paused', 'paused')
        await (await subscriber.row(id)).getByRole('button', { name: 'Collect now' }).click()
        await expect(subscriber.news).toContainText('cannot be done')
        await inspect('back-office-refused')
        await bank.open(id)
        await page.getByRole('button', { name: 'Cancel agreement' }).click()
        await inspect('bank-confirm')
        await bank.dialog.getByRole('button', { name: 'Cancel agreement' }).click()
        await bank.says('Ended')
        await inspect('bank-ended')
        await inspectShop(id, 'Your subscription has ended', 'ended')

        await page.goto(`/bank/${'0'.repeat(24)}`)
        await expect(page.getByRole('alert')).toContainText('has not received')
        await inspect('bank-unknown')
      },
    )
  })
}
