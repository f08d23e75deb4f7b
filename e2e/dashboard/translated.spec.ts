import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { test } from './as-owner.ts'

/** Translates a page as Chrome does: texts, and those that appear later, are replaced by `<font>` elements. Here each is put between «». */
function translate(page: Page): Promise<void> {
  return page.evaluate(() => {
    const isDone = (text: Text) => text.parentElement?.closest('font, script, style') != null
    function translateIn(node: Node) {
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
      for (const text of texts) {
        if (text.data.trim() === '' || isDone(text)) continue
        const outer = document.createElementNS('http://www.w3.org/1999/xhtml', 'font')
        const inner = outer.appendChild(outer.cloneNode())
        inner.textContent = `«${text.data.trim()}»`
        text.replaceWith(outer)
      }
    }
    new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const node of [target, ...addedNodes]) translateIn(node)
    }).observe(document.body, { childList: true, characterData: true, subtree: true })
    translateIn(document.body)
  })
}

test(
  'a page that the browser translates goes on saying what is true',
  { tag: LONG },
  async ({ dashboard, server, page }) => {
    await server.charge({ amount: '40.00', reference: 'translated', isHold: true })
    await dashboard.open('/charges?q=translated', 'Charges')
    await translate(page)
    await expect(page.getByRole('heading', { name: '«Charges»' })).toBeVisible()
    await dashboard.row('Charges', 'translated').getByRole('link').click()
    const title = page.getByRole('heading', { level: 1 })
    await expect(title).toHaveText('«$40.00»«Held»')

    await page.getByRole('button', { name: '«Capture»', exact: true }).click()
    const capture = page.getByRole('dialog')
    await capture.getByLabel('Amount to capture').fill('60')
    await capture.getByRole('button', { name: '«Capture»', exact: true }).click()
    await expect(capture).toContainText('«This may be $40.00 at most.»')
    await capture.getByLabel('Amount to capture').fill('40')
    await expect(capture).not.toContainText('at most')
    await capture.getByRole('button', { name: /^«Capture \$40\.00»$/ }).click()
    await expect(capture).toBeHidden()
    await expect(title).toHaveText('«$40.00»«Captured»')

    await page.getByRole('link', { name: '«Charges»' }).first().click()
    await page.getByRole('searchbox').fill('translated')
    await expect(page.getByRole('row', { name: /translated/ })).toHaveText(/«Captured»/)
    await page.getByRole('searchbox').fill('nothing has this reference')
    await expect(page.getByRole('row', { name: /translated/ })).toHaveCount(0)
    await expect(page.getByRole('main')).toContainText('Nothing fits this search')
  },
)
