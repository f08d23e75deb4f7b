import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

interface Choice {
  plan?: 'Every month' | 'Every week' | 'When I ask for one'
  name?: string
  payId?: string
}

/** The subscription pages of the demo shop, as a subscriber and as the people in its back office use them. */
export class Subscriber {
  readonly page: Page
  readonly submit: Locator
  readonly pay: Locator
  readonly payments: Locator
  readonly news: Locator

  constructor(page: Page) {
    this.page = page
    this.submit = page.getByRole('button', { name: /^Subscribe/ })
    this.pay = page.getByRole('button', { name: /^Pay for/ })
    this.payments = page.locator('#payments').getByRole('listitem')
    this.news = page.locator('#news')
  }

  /** Fills in the form, up to its button. */
  async fill({
    plan = 'When I ask for one',
    name = 'Grace Hopper',
    payId = 'grace@example.com',
  }: Choice = {}) {
    await this.page.goto('/subscribe')
    await this.page.getByRole('radio', { name: plan }).check()
    await this.page.getByLabel('Your name').fill(name)
    await this.page.getByLabel('PayID, your e-mail address').fill(payId)
  }

  /** Subscribes; resolves to the agreement's id. */
  async begin(choice: Choice = {}): Promise<string> {
    await this.fill(choice)
    await this.submit.click()
    await this.page.waitForURL(/\/subscriptions\/[0-9a-f]{24}$/)
    return this.page.url().slice(-24)
  }

  async open(id: string): Promise<void> {
    await this.page.goto(`/subscriptions/${id}`)
  }

  /** Waits until the page shows this state of the subscription. */
  async sees(headline: string): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1 })).toHaveText(headline)
  }

  /** The back office's row of a subscription. */
  async row(id: string): Promise<Locator> {
    await this.page.goto('/back-office/subscriptions')
    const row = this.page.locator(`[data-subscription="${id}"]`)
    await expect(row).toBeVisible()
    return row
  }
}
