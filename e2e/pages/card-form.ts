import type { FrameLocator, Locator, Page } from '@playwright/test'

/** What a shopper types. */
export interface TypedCard {
  name: string
  number: string
  expiry: string
  code: string
}

export const GOOD_CARD: TypedCard = {
  name: 'Grace Hopper',
  number: '5111111111111118',
  expiry: '0139',
  code: '100',
}

/** The card form inside its iframe. Its parts are found as a person finds them: by their labels. */
export class CardForm {
  readonly frame: FrameLocator
  readonly name: Locator
  readonly number: Locator
  readonly expiry: Locator
  readonly code: Locator
  readonly submit: Locator
  readonly alert: Locator

  /** `within`: a selector of what the form is in, where a page has more than one. */
  constructor(page: Page, within = '') {
    this.frame = page.frameLocator(`${within} iframe[src*="/sdk/"]`)
    this.name = this.frame.getByLabel('Name on card')
    this.number = this.frame.getByLabel('Card number')
    this.expiry = this.frame.getByLabel('Expiry date')
    this.code = this.frame.getByLabel('Security code')
    // A finished form has another one before it.
    this.submit = this.frame.getByRole('button').last()
    this.alert = this.frame.locator('.alert')
  }

  /** Fills in each field at once, as a browser's autofill does. Ten times as fast as `type`, for tests of what follows. */
  async fill(card: TypedCard): Promise<void> {
    await this.name.fill(card.name)
    await this.number.fill(card.number)
    await this.expiry.fill(card.expiry)
    await this.code.fill(card.code)
  }

  /** Types as a person does, key by key. */
  async type(card: TypedCard): Promise<void> {
    await this.name.pressSequentially(card.name)
    await this.number.pressSequentially(card.number)
    await this.expiry.pressSequentially(card.expiry)
    await this.code.pressSequentially(card.code)
  }
}
