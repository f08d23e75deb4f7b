import { expect, test } from '@playwright/test'
import { isLongForm } from '../probes/report.ts'
import { SERVICE_URL } from '../world/addresses.ts'
import { ask, click, find, hasWebKit, type, withWebKit } from './webkit.ts'

test('the documentation is searched, and a sample copied, in WebKit', async () => {
  test.skip(!isLongForm, 'left to npm run probes')
  test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
  await withWebKit(async (browser) => {
    await browser.navigateTo(`${SERVICE_URL}/docs/guides/first-payment`)
    await click(browser, '.copy')
    await expect.poll(() => ask(browser, "document.querySelector('.copy').textContent")).toBe('Copied')
    await click(browser, 'a.find[role=button]')
    await type(browser, 'dialog input', 'refund')
    await find(browser, '#search-results [href="/docs/reference/charges#refundCharge"]')
    await type(browser, 'dialog input', '\uE007')
    await find(browser, '#refundCharge')
    expect(await browser.getUrl()).toBe(`${SERVICE_URL}/docs/reference/charges#refundCharge`)
  })
})
