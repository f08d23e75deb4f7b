import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

/** The dashboard, as a person uses it. Paths are on its own origin. */
export class Dashboard {
  readonly page: Page
  /** The page's content, without the menu and the top bar. */
  readonly content: Locator

  constructor(page: Page) {
    this.page = page
    this.content = page.getByRole('main')
  }

  /** Opens a page and waits for its title. */
  async open(path: string, title: string | RegExp): Promise<void> {
    await this.page.goto(path)
    await this.isAt(title)
  }

  /** Goes to a page as by a link, without reloading the app; its data may still be loading afterwards. */
  async follow(path: string): Promise<void> {
    await this.page.evaluate(async (href) => {
      const link = document.createElement('a')
      link.href = href
      document.body.append(link)
      link.click()
      link.remove()
      // Two animation frames: one for the change, and one for what that changes in turn.
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
    }, path)
  }

  /** Waits until the page has this title. */
  async isAt(title: string | RegExp): Promise<void> {
    await expect(this.page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }

  /** Fills and sends the sign-in form that is shown. */
  async giveCredentials({ email, password }: { email: string; password: string }): Promise<void> {
    await this.page.getByLabel('E-mail').fill(email)
    await this.page.getByLabel('Password', { exact: true }).fill(password)
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Your account/ }).click()
    await this.page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await this.isAt('Sign in')
  }

  /** Presses a button of the page, not of a dialog. */
  async press(name: string): Promise<void> {
    await this.content.getByRole('button', { name, exact: true }).click()
  }

  /** A part of the page under a heading. */
  part(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  /** The table with this name. */
  list(name: string): Locator {
    return this.page.getByRole('table', { name, exact: true })
  }

  /** The row of a table that holds a text. */
  row(list: string, text: string | RegExp): Locator {
    return this.list(list).getByRole('row').filter({ hasText: text })
  }

  /** The value that a page shows under a name, such as `Reference`. */
  fact(name: string): Locator {
    return this.content.locator('dt').getByText(name, { exact: true }).locator('xpath=../dd')
  }

  dialog(title: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name: title })
  }

  /** Presses the button of a dialog that confirms it. */
  async confirm(title: string | RegExp, button: string | RegExp): Promise<void> {
    await this.dialog(title).getByRole('button', { name: button }).click()
  }

  /** Reads the secret that a dialog shows only once, and closes the dialog. */
  async secretIn(title: string): Promise<string> {
    const dialog = this.dialog(title)
    await expect(dialog).toContainText('This is shown once.')
    const secret = (await dialog.locator('.secret-once code').textContent()) ?? ''
    await this.confirm(title, 'Done')
    await expect(this.content).not.toContainText(secret)
    return secret
  }

  /** Waits until a notification shows this text. */
  async says(words: string | RegExp): Promise<void> {
    await expect(this.page.getByText(words)).toBeVisible()
  }
}
