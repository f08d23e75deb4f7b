import { expect } from '@playwright/test'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test, TOKEN } from '../pages/card-page.ts'
import { ALIAS_SHOP, ALIAS_URL, PAGE_URL } from '../world/addresses.ts'

test('a form on a host of the shop’s own site gives the shop a token', async ({ card, page }) => {
  await card.open({ script: `widget.setEnv('sandbox', '${ALIAS_URL}')` })
  await page.goto(PAGE_URL.replace('localhost', ALIAS_SHOP))
  await card.form.fill(GOOD_CARD)
  await card.form.submit.click()
  await expect(card.token).toHaveValue(TOKEN)
  expect(page.frames()[1]?.url()).toContain(`${ALIAS_URL}/sdk/`)
})

test('a host that the operator has not named gets no token, and the form says so', async ({ card, page }) => {
  const other = ALIAS_URL.replace('cards.', 'other.')
  await card.open({ script: `widget.setEnv('sandbox', '${other}')` })
  await page.goto(PAGE_URL.replace('localhost', ALIAS_SHOP))
  await card.form.fill(GOOD_CARD)
  await card.form.submit.click()
  await expect(card.form.alert).not.toBeEmpty({ timeout: 30_000 })
  await expect(card.token).toHaveValue('')
})
