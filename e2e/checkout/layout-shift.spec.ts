import { expect } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { shiftsOf, watchShifts } from '../pages/layout-shifts.ts'
import { test } from '../pages/checkout-page.ts'
import type { IntentRequest } from '../pages/checkout-page.ts'

interface SetUp {
  intent?: IntentRequest
  script?: string
}

const look = (customisation: object): SetUp => ({ intent: { customisation } })

const SET_UPS: Record<string, SetUp> = {
  'as it is': {},
  'without a description': { intent: { description: undefined } },
  'with a long description': {
    intent: { description: `${'Two dusk lamps of brass, '.repeat(4)}and a bulb` },
  },
  'with accepted cards': {
    intent: { configuration: { schemes: ['visa', 'mastercard', 'amex'] } },
  },
  'with more fields': {
    intent: {
      configuration: {
        fields: ['card_name', 'email', 'address_line1', 'address_city', 'address_postcode'].map((field) => ({
          field,
          required: true,
        })),
      },
    },
  },
  'with a title and a description of it': look({ texts: { title: 'Pay', title_description: 'For all' } }),
  'soft, on a background': look({ theme: 'soft', styles: { background_color: '#fff' } }),
  'compact, from its template': look({ theme: 'compact' }),
  'in large letters': look({ styles: { font_size: '20px' } }),
  'in French, from its template': look({ language: 'fr' }),
  'in Arabic, as the page sets it': { script: "checkout.setLanguage('ar')" },
  'in outline, as the page sets it': { script: "checkout.setTheme('outline').setText('title', 'Pay')" },
}

const WIDTHS = [320, 390, 1280]

for (const [turn, width] of someOf([...WIDTHS.entries()], 3)) {
  test(`nothing moves while a checkout comes, in a page of ${width} px`, async ({ page, merchant }) => {
    test.slow()
    await page.setViewportSize({ width, height: 900 })
    await watchShifts(page)
    // Delayed, so that the page is painted before the intent is known.
    await page.route('**/v1/checkouts/session?*', async (route) => {
      await page.waitForTimeout(150)
      await route.continue()
    })
    const wrong: string[] = []
    for (const [name, { intent, script }] of someOf(Object.entries(SET_UPS), WIDTHS.length, turn)) {
      const { token } = await merchant.intend('49.00', undefined, intent)
      await merchant.serve(token, script, '<p>Below</p>')
      const { submit } = await merchant.open(page)
      await expect(submit).toHaveText(/[4٤][9٩]/)
      const { total, heights } = await shiftsOf(page)
      if (total > 0) wrong.push(`${name}: ${String(total)}, heights ${heights.join(' → ')}`)
    }
    expect(wrong).toEqual([])
  })
}

test('nothing moves when the time left begins to show', { tag: LONG }, async ({ page, merchant }) => {
  await watchShifts(page)
  const { token } = await merchant.intend()
  await merchant.serve(token, '', '<p>Below</p>')
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  let end = inMinutes(16)
  await page.route('**/v1/checkouts/session?*', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/"expires_at":"[^"]*"/, `"expires_at":"${end}"`)
    await route.fulfill({ response, body })
  })
  const { frame, submit } = await merchant.open(page)
  await expect(submit).toHaveText(/49/)
  await expect(frame.locator('.time-left')).toHaveText('')
  end = inMinutes(2)
  await page.frames()[1]?.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(frame.getByRole('timer')).toHaveText(/[12]:\d\d/)
  expect(await shiftsOf(page)).toMatchObject({ total: 0 })
})
