import { expect, test } from '@playwright/test'
import { BankStepPage, chargeOf, statusOf } from '../pages/bank-step.ts'
import { PAGE_URL } from '../world/addresses.ts'
import { ask, enterFrame, hasWebKit, type, withWebKit } from './webkit.ts'

const ENTER = '\uE007'

test('a bank’s challenge is passed in WebKit, in a page whose policy allows the service alone', async () => {
  test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
  const end = await BankStepPage.serve()
  try {
    await withWebKit(async (browser) => {
      await browser.navigateTo(PAGE_URL)
      const charge = await chargeOf('4970110000001011')
      await ask(browser, `void inDialog(${JSON.stringify(charge._3ds)})`)
      await enterFrame(browser, 'iframe[src*="/authentication?"]')
      await enterFrame(browser, '#bank')
      await type(browser, '#code', `1234${ENTER}`)
      await browser.switchToFrame(null)
      await expect.poll(() => ask(browser, 'JSON.stringify(heard)')).toContain('"succeeded":true')
      expect(await ask(browser, 'violations.join()')).toBe('')
      expect(await statusOf(charge)).toBe('complete')
    })
  } finally {
    await end()
  }
})
