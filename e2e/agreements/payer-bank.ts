import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** The bank page of the sandbox, as a payer uses it. */
export class PayerBank {
  readonly page: Page
  readonly change: Locator
  readonly payments: Locator
  readonly dialog: Locator

  constructor(page: Page) {
    this.page = page
    this.change = page.getByRole('region', { name: 'A change is asked for' })
    this.payments = page.locator('#payments').getByRole('listitem')
    this.dialog = page.getByRole('dialog')
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`/bank/${id}`)
    await expect(this.page.locator('#state')).toBeVisible()
  }

  /** Presses a button, and waits until the bank shows the agreement's new state. */
  async answer(button: string, state: string): Promise<void> {
    await this.page.getByRole('button', { name: button }).click()
    await this.says(state)
  }

  async says(state: string): Promise<void> {
    await expect(this.page.locator('#state')).toHaveText(state)
  }

  async approve(id: string): Promise<void> {
    await this.open(id)
    await this.answer('Approve', 'Active')
  }
}
