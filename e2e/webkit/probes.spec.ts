import { test } from '@playwright/test'
import { filesOf, pathOf } from '../probes/early-page.ts'
import { isLongForm, reportProbes } from '../probes/report.ts'
import type { Outcome } from '../probes/report.ts'
import { AT_ONE_GO } from '../probes/tables/at-one-go.ts'
import { CODE_KEYS, NAMES } from '../probes/tables/code-and-name.ts'
import { EARLY_PROBES, ELSEWHERE } from '../probes/tables/early-frame.ts'
import { EXPIRY_KEYS } from '../probes/tables/expiry.ts'
import { NUMBER_KEYS, UNDOS } from '../probes/tables/number.ts'
import type { CardField, KeyProbe } from '../probes/tables/probe.ts'
import { PAGE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage, widgetScript } from '../world/merchant-page.ts'
import type { Client } from 'webdriver'
import { ask, enterFrame, find, hasWebKit, type, withWebKit } from './webkit.ts'

const ROWS: readonly (readonly [row: string, field: CardField, probes: readonly KeyProbe[]])[] = [
  ['number: keys', 'card_number', NUMBER_KEYS],
  ['number: undo and redo', 'card_number', UNDOS],
  ['expiry: keys', 'expiry', EXPIRY_KEYS],
  ['code', 'card_ccv', CODE_KEYS],
  ['name', 'card_name', NAMES],
]

/** Keys that write nothing (W3C WebDriver 2, 17.4.2); a modifier is held until the end of the keys' text. */
const KEYS: Readonly<Record<string, string>> = {
  Tab: '\uE004',
  Backspace: '\uE003',
  Delete: '\uE017',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  'Shift+ArrowLeft': '\uE008\uE012\uE008',
  SelectAll: '\uE009a\uE009',
  Undo: '\uE009z\uE009',
  Redo: '\uE009\uE008z\uE008\uE009',
}
/** The driver has no keys for characters beyond the first 65,536. */
const canType = ([keys]: KeyProbe) => !/[\u{10000}-\u{10FFFF}]/u.test(keys)
const keysOf = (text: string) => text.replaceAll(/\{([A-Za-z+]+)\}/g, (_, name: string) => KEYS[name] ?? '')

/** Waits until the form is drawn without what the probe before has left. */
const UNTIL_EMPTY = `new Promise((done) => {
  const look = () => ([...document.querySelectorAll('input')].some((one) => one.value !== '') ? setTimeout(look, 10) : done())
  look()
})`

async function beginEmpty(browser: Client): Promise<void> {
  await browser.switchToFrame(null)
  await ask(browser, '(widget.clear(), new Promise((done) => setTimeout(done, 100)))')
  await enterFrame(browser, 'iframe')
  await ask(browser, UNTIL_EMPTY)
}

async function tryProbe(browser: Client, field: CardField, [keys, shown]: KeyProbe): Promise<Outcome> {
  await beginEmpty(browser)
  await type(browser, `#${field}`, keysOf(keys))
  const found = await ask(
    browser,
    `(document.activeElement.blur(), document.querySelector('#${field}').value)`,
  )
  return { did: `${field}: ${keys}`, expected: shown, found }
}

/** Types from the number on, wherever the focus goes by itself. */
async function typeOn(browser: Client, keys: string, expected: readonly string[]): Promise<Outcome> {
  await beginEmpty(browser)
  await type(browser, '#card_number', keysOf(keys))
  const inputs = "['card_number', 'expiry', 'card_ccv'].map((id) => document.getElementById(id).value)"
  return { did: `typed on: ${keys}`, expected, found: await ask(browser, inputs) }
}

// oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures out of the pattern
test('what people type is what they mean in WebKit', async ({}, info) => {
  test.skip(!isLongForm, 'left to npm run probes')
  test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
  test.setTimeout(300_000)
  // What is typed stays in the field under test.
  const script = widgetScript(demoKeys().public_key, 'widget.setAutoAdvance(false)')
  const end = await serveMerchantPage({ files: { '/': widgetPage, '/page.js': script } })
  await withWebKit(async (browser) => {
    await browser.navigateTo(PAGE_URL)
    await enterFrame(browser, 'iframe')
    await find(browser, '#card_number:not([readonly])')
    for (const [row, field, probes] of ROWS) {
      const outcomes: Outcome[] = []
      for (const probe of probes.filter(canType)) outcomes.push(await tryProbe(browser, field, probe))
      reportProbes(info, row, outcomes)
    }
    await browser.switchToFrame(null)
    await ask(browser, 'void widget.setAutoAdvance()')
    const typedOn: Outcome[] = []
    for (const [keys, expected] of AT_ONE_GO) typedOn.push(await typeOn(browser, keys, expected))
    reportProbes(info, 'a card at one go', typedOn)
  })
  await end()
})

for (const [row, table] of EARLY_PROBES)
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures out of the pattern
  test(`${row}, in WebKit`, async ({}, info) => {
    test.skip(!isLongForm, 'left to npm run probes')
    test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
    test.setTimeout(300_000)
    const outcomes: Outcome[] = []
    await withWebKit(async (browser) => {
      for (const probe of table) {
        const end = await serveMerchantPage({ files: filesOf(probe), headers: probe.headers ?? {} })
        await browser.navigateTo(PAGE_URL + pathOf(probe))
        if (probe.isLeft) {
          await ask(browser, 'outcome()')
          await browser.navigateTo(ELSEWHERE)
          await browser.back()
        }
        outcomes.push({ did: probe.did, expected: probe.expected, found: await ask(browser, 'outcome()') })
        await end()
      }
    })
    reportProbes(info, row, outcomes)
  })
