import { mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { GOOD_CARD } from '../pages/card-form.ts'
import { SHOP_URL } from '../world/addresses.ts'
import { ask, click, enterFrame, find, hasWebKit, type, withWebKit } from './webkit.ts'

test('a shopper pays in WebKit', async () => {
  test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
  await withWebKit(async (browser) => {
    await browser.navigateTo(SHOP_URL)
    await click(browser, 'button[type=submit]')
    await enterFrame(browser, 'iframe[title="Card details"]')
    await type(browser, '#card_name', GOOD_CARD.name)
    await type(browser, '#card_number', GOOD_CARD.number)
    await type(browser, '#expiry', GOOD_CARD.expiry)
    await type(browser, '#card_ccv', GOOD_CARD.code)
    expect(await ask(browser, "document.querySelector('#card_number').value")).toBe('5111 1111 1111 1118')
    expect(await ask(browser, "document.querySelector('#expiry').value")).toBe('01 / 39')
    await mkdir('e2e/results/states', { recursive: true })
    await writeFile('e2e/results/states/webkit-typed.png', await browser.takeScreenshot(), 'base64')
    await click(browser, 'button')
    await browser.switchToFrame(null)
    await find(browser, '#facts:not([hidden])')
    expect(await ask(browser, "document.querySelector('h1').textContent")).toContain('Thank you')
    expect(await ask(browser, "document.querySelector('#card-used').textContent")).toContain('1118')
  })
})
