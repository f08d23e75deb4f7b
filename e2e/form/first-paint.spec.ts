import { expect, test } from '@playwright/test'
import { Shop } from '../pages/shop.ts'

/** In each document: whether the form was visible before it had its settings, checked when it appears and in every animation frame. */
const watchForm = () => {
  const look = () => {
    const content = document.getElementById('frame')
    if (content?.checkVisibility() && content.style.display === '')
      document.documentElement.dataset['early'] = 'yes'
    if (content?.style.display !== 'flow-root') requestAnimationFrame(look)
  }
  if (location.hash.startsWith('#late')) {
    look()
    new MutationObserver(look).observe(document, { childList: true, subtree: true })
  }
}

test('a form with settings is neither shown nor takes keys before the settings are applied', async ({
  page,
}) => {
  await page.addInitScript(watchForm)
  const shop = new Shop(page)
  for (let visit = 0; visit < 5; visit += 1) {
    await shop.goToCheckout()
    await expect(shop.form.submit).toHaveText(/129/)
    expect(await page.locator('iframe[src*="#late"]').count()).toBe(1)
    await expect(shop.form.frame.locator('html')).not.toHaveAttribute('data-early')
  }
})
