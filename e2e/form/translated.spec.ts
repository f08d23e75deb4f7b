import { expect } from '@playwright/test'
import type { Frame } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/open-form.ts'

/** As translators do it: each text is replaced by an element with another one, and so is what comes later. */
function translate(): void {
  const translated = new WeakSet<Node>()
  const change = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) {
      const { currentNode: text } = walker
      const isRead = text.parentElement?.closest('script, style') === null && text.textContent?.trim() !== ''
      if (text instanceof Text && isRead && !translated.has(text)) texts.push(text)
    }
    for (const text of texts) {
      const template = document.createElement('template')
      template.innerHTML = '<font style="vertical-align: inherit"></font>'
      const words = document.createTextNode(`«${text.data}»`)
      translated.add(words)
      template.content.firstElementChild?.append(words)
      text.replaceWith(template.content)
    }
  }
  change()
  new MutationObserver(change).observe(document.body, { childList: true, characterData: true, subtree: true })
}

test(
  'a form that is translated all the same goes on saying what is right, and pays',
  { tag: LONG },
  async ({ form, page }) => {
    const faults: unknown[] = []
    page.on('pageerror', (error) => faults.push(error))
    const isForm = (frame: Frame) => frame.url().includes('/sdk/')
    const html = form.frame.locator('html')
    await expect(html).toHaveAttribute('translate', 'no')
    await expect(html).toHaveClass('notranslate')
    await page.frames().find(isForm)?.evaluate(translate)
    await form.frame.getByRole('button').click()
    const note = form.frame.locator('#card_number-note')
    await expect(note).toHaveText('«Enter the card number.»')
    await form.frame.locator('#card_number').pressSequentially(GOOD_CARD.number)
    await expect(note).toHaveText('')
    await form.frame.locator('#card_name').fill(GOOD_CARD.name)
    await form.frame.locator('#expiry').fill(GOOD_CARD.expiry)
    await form.frame.locator('#card_ccv').fill(GOOD_CARD.code)
    await form.frame.getByRole('button').click()
    await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
    await expect(form.submit).toHaveText('«Card details received»')
    expect(faults).toEqual([])
  },
)
