import { expect } from '@playwright/test'
import type { BrowserContextOptions, FrameLocator, Page } from '@playwright/test'
import { someOf } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/checkout-page.ts'
import { newReference } from '../world/references.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const CARD = {
  card_name: GOOD_CARD.name,
  card_number: GOOD_CARD.number,
  expiry: GOOD_CARD.expiry,
  card_ccv: GOOD_CARD.code,
}

/** Fills in a card, by the ids of the inputs, so that it works in any language. */
async function payWith(frame: FrameLocator): Promise<void> {
  for (const [id, text] of Object.entries(CARD)) await frame.locator(`#${id}`).pressSequentially(text)
  await frame.getByRole('button').click()
}

/** Slows the network down. Returns the function that undoes it, as the page is used by later tests, too. */
async function slow3G(page: Page): Promise<() => Promise<void>> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  return () => devTools.detach()
}

/** The service has carried out the request, but its first answer gets lost. */
async function loseOneAnswer(page: Page): Promise<void> {
  let isLost = false
  await page.route('**/v1/checkouts/session/payments*', async (route) => {
    if (isLost || route.request().method() !== 'POST') return route.continue()
    isLost = true
    await route.fetch()
    return route.abort('connectionreset')
  })
}

interface Way {
  options?: BrowserContextOptions
  /** A line of the merchant's script. */
  script?: string
  /** Resolves with the function that undoes it. */
  prepare?: (page: Page) => Promise<() => Promise<void>>
  paid?: string
}

const WAYS: Readonly<Record<string, Way>> = {
  'on a phone of 320 px': { options: { viewport: { width: 320, height: 640 }, hasTouch: true } },
  'with text of twice the size': {
    options: { viewport: { width: 390, height: 844 } },
    script: "checkout.setStyle('font_size', '32px')",
  },
  'in forced colours': {
    prepare: async (page) => {
      await page.emulateMedia({ forcedColors: 'active' })
      return () => page.emulateMedia({ forcedColors: null })
    },
  },
  'in Arabic': { script: "checkout.setLanguage('ar')", paid: 'تم استلام الدفعة' },
  'on slow 3G, with one lost answer': {
    prepare: async (page) => {
      await loseOneAnswer(page)
      return slow3G(page)
    },
  },
}

for (const [way, { options = {}, script = '', prepare, paid = 'Payment received' }] of someOf(
  Object.entries(WAYS),
  2,
  1,
)) {
  test.describe('a whole checkout', () => {
    test.use(options)
    test(`somebody pays ${way}`, async ({ page, merchant }) => {
      const reference = newReference('way')
      const { token } = await merchant.intend('49.00', reference)
      await merchant.serve(token, script)
      const restore = await prepare?.(page)
      await merchant.open(page)
      const frame = page.frameLocator('iframe')
      await takesKeys(frame.locator('#card_number'))
      await payWith(frame)
      await expect(frame.getByRole('heading', { name: paid })).toBeVisible({ timeout: 30_000 })
      expect(await merchant.chargesOf(reference)).toEqual([49])
      await restore?.()
    })
  })
}
