import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import * as v from 'valibot'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/checkout-page.ts'
import { serveMerchantPage } from '../world/merchant-page.ts'
import { compareLooks, openSheet, requireKeptFonts, sheetPage } from './sheet.ts'

/** The service's answer to a token that expired long ago. */
const TOKEN_EXPIRED = {
  status: 401,
  json: {
    status: 401,
    error: { code: 'token_expired', message: 'The token has expired.' },
    resource: { type: 'checkout_session', data: null },
  },
}

/** The service's answer about the intent in each state; null: it can't be reached. */
const SESSIONS: Readonly<Record<string, object | null>> = {
  form: {},
  declined: {},
  'last-minutes': {},
  checking: { payment_under_way: true },
  paid: { status: 'completed', charge_id: '65f0c0ffee65f0c0ffee65f1' },
  expired: { status: 'expired', return_url: 'https://shop.example/' },
  closed: { status: 'cancelled', return_url: 'https://shop.example/' },
  'tried-out': { tries_left: 0 },
  'perhaps-paid': TOKEN_EXPIRED,
  unreachable: null,
}
const STATES = Object.keys(SESSIONS)

const Session = v.looseObject({ resource: v.looseObject({ data: v.looseObject({}) }) })

/** Answers each session by its state. An intent expires some minutes after the answer's date, from which the page counts the time left. */
async function answerSessions(page: Page, tokens: ReadonlyMap<string, string>): Promise<void> {
  await page.route('**/v1/checkouts/session?*', async (route) => {
    const state = tokens.get(route.request().headers()['authorization']?.replace('Bearer ', '') ?? '') ?? ''
    const session = SESSIONS[state]
    if (session === null) return route.abort()
    if (session === TOKEN_EXPIRED) return route.fulfill(TOKEN_EXPIRED)
    const response = await route.fetch()
    const answer = v.parse(Session, await response.json())
    const minutes = state === 'last-minutes' ? 2 : 16
    const now = Date.parse(response.headers()['date'] ?? '')
    Object.assign(
      answer.resource.data,
      { expires_at: new Date(now + minutes * 60_000).toISOString() },
      session,
    )
    return route.fulfill({ response, json: answer })
  })
}

const script = (tokens: ReadonlyMap<string, string>) => `
const checkouts = ${JSON.stringify([...tokens])}.map(([token, state]) => new svc.Checkout('#' + state, token).setTheme('plain'))
checkouts.at(-1).setReturnUrl('/')
const setTheme = (name) => checkouts.forEach((checkout) => checkout.setTheme(name))`

test('the checkout looks as it is kept', async ({ page, merchant }) => {
  test.setTimeout(300_000)
  await requireKeptFonts(page)
  const tokens = new Map<string, string>()
  for (const state of STATES) tokens.set((await merchant.intend('49.00', `MF-${state}`)).token, state)
  // The page counts the time left by this clock, which is stopped.
  await page.addInitScript(() => (performance.now = () => 0))
  await answerSessions(page, tokens)
  const end = await serveMerchantPage({ files: { '/': sheetPage(STATES), '/page.js': script(tokens) } })
  await openSheet(page)
  const declined = new CardForm(page, '#declined')
  await expect(declined.submit).toHaveText(/49/)
  await declined.fill({ ...GOOD_CARD, expiry: '0539' })
  await declined.submit.click()
  await expect(declined.alert).not.toBeEmpty()
  await expect(new CardForm(page, '#unreachable').alert).not.toBeEmpty()
  for (const state of STATES.slice(3, -1))
    await expect(page.frameLocator(`#${state} iframe`).locator('.result')).toBeVisible()
  await compareLooks(page, 'checkout')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await end()
})
