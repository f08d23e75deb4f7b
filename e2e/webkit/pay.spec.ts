import { mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { GOOD_CARD } from '../pages/card-form.ts'
import { SHOP_URL } from '../world/addresses.ts'
import { hasWebKit, withWebKit } from './webkit.ts'

test('a shopper pays in WebKit', async () => {
  test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
  await withWebKit(async (browser) => {
    await browser.goTo(SHOP_URL)
    await browser.click('button[type=submit]')
    await browser.enterFrame('iframe[title="Card details"]')
    await browser.type('#card_name', GOOD_CARD.name)
    await browser.type('#card_number', GOOD_CARD.number)
    await browser.type('#expiry', GOOD_CARD.expiry)
    await browser.type('#card_ccv', GOOD_CARD.code)
    expect(await browser.ask("document.querySelector('#card_number').value")).toBe('5111 1111 1111 1118')
    expect(await browser.ask("document.querySelector('#expiry').value")).toBe('01 / 39')
    await mkdir('e2e/results/states', { recursive: true })
    await writeFile('e2e/results/states/webkit-typed.png', await browser.picture())
    await browser.click('button')
    await browser.enterPage()
    await browser.find('#facts:not([hidden])')
    expect(await browser.ask("document.querySelector('h1').textContent")).toContain('Thank you')
    expect(await browser.ask("document.querySelector('#card-used').textContent")).toContain('1118')
  })
})
