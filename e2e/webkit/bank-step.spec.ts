import { expect, test } from '@playwright/test'
import type { Client } from 'webdriver'
import { isLong } from '../long-form.ts'
import { BankStepPage, chargeOf, statusOf } from '../pages/bank-step.ts'
import { PAGE_URL } from '../world/addresses.ts'
import { ask, click, enterFrame, find, hasWebKit, type, withWebKit } from './webkit.ts'

/** WebDriver's names of keys. */
const ENTER = '\uE007'
const ESCAPE = '\uE00C'

/** The card of a bank whose page never ends loading, for which the driver would wait. */
const NEVER_LOADED = '4970110000009162'

/** How a story ends: what the page hears of it, and what the charge becomes. */
interface Ends {
  heard: string
  status: string
}
const PASSED: Ends = { heard: '"succeeded":true', status: 'complete' }
const CANCELLED: Ends = { heard: '"status":"cancelled","succeeded":false', status: 'not_authenticated' }
const REFUSED: Ends = { heard: '"status":"failed","succeeded":false', status: 'failed' }

async function enterStep(browser: Client): Promise<void> {
  await browser.switchToFrame(null)
  await enterFrame(browser, 'iframe[src*="/authentication?"]')
}
async function enterBank(browser: Client): Promise<void> {
  await enterStep(browser)
  await enterFrame(browser, '#bank')
}
async function giveCode(browser: Client): Promise<void> {
  await enterBank(browser)
  await type(browser, '#code', `1234${ENTER}`)
}
/** The driver brings what it clicks into the view of its frame, and not the frame, once it has grown, into that of the dialog. */
async function askToCancel(browser: Client): Promise<void> {
  await enterStep(browser)
  await expect.poll(() => ask(browser, 'innerHeight === document.documentElement.scrollHeight')).toBe(true)
  await browser.switchToFrame(null)
  await ask(browser, "document.querySelector('dialog > div').scrollTo(0, 9999)")
  await enterStep(browser)
  await click(browser, '#cancel')
}
/** By a key, as the question has another height than the bank's page: a click could come to where the button was. */
async function giveUp(browser: Client): Promise<void> {
  await askToCancel(browser)
  await browser.elementSendKeys(await find(browser, '.question .second'), ENTER)
}

/** Shows the step of a card, lets a person do what they do there, and looks at how it ends. */
async function tell(number: string, act: (browser: Client) => Promise<void>, ends: Ends): Promise<void> {
  const strategy = number === NEVER_LOADED ? 'none' : 'normal'
  const end = await BankStepPage.serve()
  try {
    await withWebKit(async (browser) => {
      await browser.navigateTo(PAGE_URL)
      await expect.poll(() => ask(browser, 'typeof inDialog')).toBe('function')
      const charge = await chargeOf(number)
      await ask(browser, `void inDialog(${JSON.stringify(charge._3ds)})`)
      await act(browser)
      await browser.switchToFrame(null)
      await expect
        .poll(() => ask(browser, 'JSON.stringify(heard)'), { timeout: 15_000 })
        .toContain(ends.heard)
      expect(await ask(browser, 'violations.join()')).toBe('')
      expect(await browser.getUrl()).toBe(`${PAGE_URL}/`)
      expect(await browser.getWindowHandles()).toHaveLength(1)
      expect(await statusOf(charge)).toBe(ends.status)
    }, strategy)
  } finally {
    await end()
  }
}

function story(title: string, number: string, ends: Ends, act: (browser: Client) => Promise<void>): void {
  test(title, async () => {
    test.skip(!hasWebKit, 'left out: WebKitWebDriver (Debian: webkit2gtk-driver) or Xvfb (xvfb) is not there')
    await tell(number, act, ends)
  })
}
const longStory: typeof story = (...told) => {
  if (isLong) story(...told)
}

story(
  'a bank’s challenge is passed in WebKit, in a page whose policy allows the service alone',
  '4970110000001011',
  PASSED,
  giveCode,
)

longStory(
  'who gives up in WebKit is asked first, by Escape too',
  '4970110000001011',
  CANCELLED,
  async (browser) => {
    await enterBank(browser)
    await find(browser, '#code')
    await askToCancel(browser)
    expect(await ask(browser, 'document.activeElement.id')).toBe('question')
    await browser.elementSendKeys(await find(browser, '.question .second'), ESCAPE)
    await enterBank(browser)
    await find(browser, '#code')
    await giveUp(browser)
  },
)

longStory('a bank looks at the browser in WebKit, then asks', '4970110000002027', PASSED, giveCode)

longStory(
  'a code that is wrong three times is refused in WebKit',
  '4970110000001037',
  REFUSED,
  async (browser) => {
    for (const left of ['2 tries are left', 'One try is left', null]) {
      await giveCode(browser)
      if (left === null) continue
      await enterBank(browser)
      await expect
        .poll(() => ask(browser, "document.querySelector('#error')?.textContent ?? ''"))
        .toContain(left)
    }
  },
)

longStory('a step that is loaded again in WebKit goes on', '4970110000001011', PASSED, async (browser) => {
  await enterBank(browser)
  await find(browser, '#code')
  await enterStep(browser)
  await ask(browser, 'void location.reload()')
  await giveCode(browser)
})

for (const [what, number] of [
  ['opens the page around it', '4970110000009014'],
  ['redirects the page around it', '4970110000009030'],
  ['opens windows', '4970110000009048'],
  ['forges messages', '4970110000009063'],
  ['steals the focus', '4970110000009147'],
  ['never ends loading', NEVER_LOADED],
] as const)
  longStory(
    `a bank that ${what} stays in its frame in WebKit, and can be left`,
    number,
    CANCELLED,
    async (browser) => {
      await enterBank(browser)
      await find(browser, '#tried li')
      await giveUp(browser)
    },
  )
