import { expect, test } from '@playwright/test'
import { Shop } from '../pages/shop.ts'

/** In each document: whether the form was seen before it had its settings. It is looked at as it comes, and in every frame painted. */
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

test('a form that looks otherwise than it was built is not seen, nor typed into, before it does', async ({
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
