import { mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { GOOD_CARD } from '../pages/card-form.ts'
import { CARD_FORM_HEIGHT, frameHtml } from '../../src/contract/page/frame-html.ts'
import { PAGE_URL, SERVICE_URL, SHOP_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage, widgetScript } from '../world/merchant-page.ts'
import { isLongForm } from '../probes/report.ts'
import { BUILT_RELEASE } from '../world/pinned-release.ts'
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

test('a form that stands in the page’s own HTML is adopted in WebKit, and pays', async () => {
  test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
  const { public_key } = demoKeys()
  const form = frameHtml({
    origin: SERVICE_URL,
    release: BUILT_RELEASE,
    document: 'frame',
    query: { public_key, gateway_id: 'default', language: 'en' },
    height: CARD_FORM_HEIGHT,
    isCustomised: false,
  })
  const end = await serveMerchantPage({
    files: {
      '/': widgetPage.replace('<div id="card"></div>', `<div id="card">${form}</div>`),
      '/favicon.js': '',
      '/page.js': widgetScript(public_key, "document.querySelector('iframe').id = 'early'"),
    },
  })
  try {
    await withWebKit(async (browser) => {
      await browser.navigateTo(PAGE_URL)
      await enterFrame(browser, '#early')
      for (const [field, text] of [
        ['card_name', GOOD_CARD.name],
        ['card_number', GOOD_CARD.number],
        ['expiry', GOOD_CARD.expiry],
        ['card_ccv', GOOD_CARD.code],
      ] as const)
        await type(browser, `#${field}`, text)
      await click(browser, 'button')
      await browser.switchToFrame(null)
      await expect
        .poll(() => ask(browser, "document.querySelector('input').value"))
        .toMatch(/^[0-9a-f-]{36}$/)
      expect(await ask(browser, "document.querySelectorAll('iframe').length")).toBe(1)
      expect(await ask(browser, "document.querySelector('#early') !== null")).toBe(true)
    })
  } finally {
    await end()
  }
})

/** WebDriver's names of keys. */
const DOWN = '\uE015'
const ENTER = '\uE007'

test('a country is chosen from the list in WebKit, and the postcode follows it', async () => {
  test.skip(!isLongForm, 'left to npm run probes')
  test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
  const fields = "widget.setFormFields(['address_country', 'address_postcode'])"
  const end = await serveMerchantPage({
    files: {
      '/': widgetPage,
      '/favicon.js': '',
      '/page.js': widgetScript(demoKeys().public_key, fields),
    },
  })
  try {
    await withWebKit(async (browser) => {
      await browser.navigateTo(PAGE_URL)
      await enterFrame(browser, 'iframe')
      await type(browser, '#address_country', `unit${DOWN}${DOWN}`)
      expect(await ask(browser, "document.querySelector('[aria-selected=true]').textContent")).toBe(
        'United States',
      )
      await type(browser, '#address_country', ENTER)
      expect(await ask(browser, "document.querySelector('#address_country').value")).toBe('United States')
      expect(await ask(browser, "document.querySelector('[for=address_postcode]').textContent")).toContain(
        'ZIP code',
      )
    })
  } finally {
    await end()
  }
})
