import { expect } from '@playwright/test'
import type { FrameLocator } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { test as cardTest, TOKEN } from '../pages/card-page.ts'
import { test as checkoutTest } from '../pages/checkout-page.ts'
import { newReference } from '../world/references.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const TOKENS = '**/payment_sources/tokens*'
const SESSION = '**/v1/checkouts/session?*'
const PAYMENTS = '**/session/payments?*'

/** Compares what assistive technology gets in a state with the kept file of that state. */
const holdTo = (frame: FrameLocator, state: string) =>
  expect.soft(frame.locator('body')).toMatchAriaSnapshot({ name: `${state}.aria.yml` })

const answer = (status: number, code: string) => ({
  status,
  json: { status, error: { code, message: 'm' }, resource: { type: 'any', data: null } },
})

/** After this time, in ms, the form has said that the wait is longer than usual. */
const LONG_MS = 7500

cardTest('the accessibility tree of each state of the card form', async ({ card, page }) => {
  await page.clock.install()
  await card.open()
  const { form } = card
  await takesKeys(form.number)
  await holdTo(form.frame, 'form-empty')

  await form.submit.click()
  await expect(form.name).toHaveAttribute('aria-invalid', 'true')
  await holdTo(form.frame, 'form-faults')

  await form.fill(GOOD_CARD)
  await holdTo(form.frame, 'form-complete')

  let refuse: () => void = () => undefined
  const refused = new Promise<void>((done) => (refuse = done))
  await page.route(TOKENS, async (route) => {
    await refused
    await route.fulfill(answer(400, 'validation_error'))
  })
  await form.submit.click()
  await expect(form.submit).toHaveText('Sending card details…')
  await holdTo(form.frame, 'form-sending')
  await page.clock.fastForward(LONG_MS)
  await expect(form.submit).toHaveText(/longer than usual/)
  await holdTo(form.frame, 'form-longer-than-usual')
  refuse()
  await expect(form.alert).not.toBeEmpty()
  await holdTo(form.frame, 'form-refused')

  await page.unroute(TOKENS)
  await page.route(TOKENS, (route) => route.fulfill(answer(429, 'rate_limited')))
  await form.submit.click()
  await expect(form.alert).toContainText('Wait a minute')
  await holdTo(form.frame, 'form-retry')

  await page.unroute(TOKENS)
  await page.context().setOffline(true)
  await form.submit.click()
  await expect(form.alert).toContainText('offline')
  await holdTo(form.frame, 'form-offline')

  await page.context().setOffline(false)
  await form.submit.click()
  await expect(card.token).toHaveValue(TOKEN)
  await holdTo(form.frame, 'form-finished')
})

checkoutTest('the accessibility tree of each state of the checkout', async ({ page, merchant }) => {
  const { token } = await merchant.intend('49.00', newReference('tree'))
  await merchant.serve(token)
  const form = await merchant.open(page)
  await expect(form.submit).toHaveText('Pay A$49.00')
  await holdTo(form.frame, 'checkout-empty')

  await form.submit.click()
  await expect(form.name).toHaveAttribute('aria-invalid', 'true')
  await holdTo(form.frame, 'checkout-faults')

  await form.type({ ...GOOD_CARD, expiry: '0539' })
  await form.submit.click()
  await expect(form.alert).toContainText('Your bank declined')
  await holdTo(form.frame, 'checkout-declined')

  await form.expiry.fill('0139')
  await form.code.fill(GOOD_CARD.code)
  let tellNothing: () => void = () => undefined
  const untold = new Promise<void>((done) => (tellNothing = done))
  await page.route(PAYMENTS, async (route) => {
    await untold
    await route.fulfill(answer(503, 'outcome_unknown'))
  })
  await form.submit.click()
  await expect(form.submit).toHaveText('Paying…')
  await holdTo(form.frame, 'checkout-paying')
  tellNothing()
  await expect(form.frame.locator('.result.checking')).toBeVisible()
  await holdTo(form.frame, 'checkout-unknown-outcome')

  await page.unroute(PAYMENTS)
  await expect(form.frame.locator('.result.paid')).toBeVisible({ timeout: 30_000 })
  await expect(form.frame.locator('.reference')).toHaveCount(1)
  await form.frame.locator('.reference').evaluate((line) => line.replaceChildren('Reference: …'))
  await holdTo(form.frame, 'checkout-paid')
})

checkoutTest(
  'the accessibility tree of a checkout that can’t be paid',
  { tag: LONG },
  async ({ page, merchant }) => {
    const { token } = await merchant.intend()
    await merchant.serve(token)
    await page.route(SESSION, (route) => route.abort())
    await merchant.open(page)
    const { frame } = new CardForm(page)
    await expect(frame.locator('.alert')).toContainText('can’t be reached')
    await holdTo(frame, 'checkout-unreachable')
    await page.unroute(SESSION)
    await page.route(SESSION, (route) => route.fulfill(answer(422, 'checkout_expired')))
    await expect(frame.locator('.result.expired')).toBeVisible({ timeout: 60_000 })
    await holdTo(frame, 'checkout-expired')
  },
)
