import { expect, test } from '@playwright/test'
import { SERVICE_URL } from '../world/addresses.ts'
import { ask, click, hasWebKit, type, withWebKit } from './webkit.ts'

test('the documentation is searched, and a sample copied, in WebKit', async () => {
  test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
  await withWebKit(async (browser) => {
    await browser.navigateTo(`${SERVICE_URL}/docs/guides/first-payment`)
    await click(browser, '.copy')
    await browser.findElement('xpath', '//*[@role="status" and text()="Copied"]')
    await click(browser, 'a.find[role=button]')
    await type(browser, 'dialog input', 'refund')
    await browser.findElement('css selector', '#search-results [href="/docs/reference/charges#refundCharge"]')
    await type(browser, 'dialog input', '\uE007')
    await browser.findElement('css selector', '#refundCharge')
    expect(await ask(browser, 'location.hash')).toBe('#refundCharge')
  })
})
