import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { CardForm, GOOD_CARD } from './card-form.ts'
import type { TypedCard } from './card-form.ts'
import { takesKeys } from './takes-keys.ts'

/** The demo shop, as a shopper and as the people in its back office use it. */
export class Shop {
  readonly page: Page
  readonly form: CardForm

  constructor(page: Page) {
    this.page = page
    this.form = new CardForm(page)
  }

  /** From the shop's first page to a card form that can be typed into. */
  async goToCheckout(): Promise<void> {
    await this.page.goto('/')
    await this.page.getByRole('button', { name: /checkout|buy/i }).click()
    await takesKeys(this.form.number)
  }

  async pay(change: Partial<TypedCard> = {}): Promise<void> {
    await this.goToCheckout()
    await this.form.type({ ...GOOD_CARD, ...change })
    await this.form.submit.click()
  }

  /** Pays, and returns the order's reference. */
  async order(): Promise<string> {
    await this.pay()
    await expect(this.page.getByRole('heading', { name: 'Thank you' })).toBeVisible()
    return (await this.page.locator('#reference').textContent()) ?? ''
  }

  /** The back office's row of an order. */
  async row(reference: string): Promise<Locator> {
    await this.page.goto('/back-office')
    const row = this.page.getByRole('row').filter({ hasText: reference })
    await expect(row).toBeVisible()
    return row
  }
}
