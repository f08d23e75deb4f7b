import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/checkout-page.ts'
import { newReference } from '../world/references.ts'

const SESSION = '**/v1/checkouts/session?*'

test('a whole checkout can be paid with the keyboard alone', async ({ page, merchant }) => {
  const { id, token } = await merchant.intend()
  await merchant.serve(token)
  const form = await merchant.open(page)
  await expect(form.frame.getByText('A$49.00').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(form.name).toBeFocused()
  for (const text of [GOOD_CARD.name, GOOD_CARD.number, GOOD_CARD.expiry, GOOD_CARD.code]) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await expect(form.submit).toHaveText('Pay A$49.00')
  await expect(form.submit).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(form.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible()
  await expect(form.frame.locator('#result')).toBeFocused()
  const heard = await merchant.heardBy(page)
  expect(heard).toEqual([{ name: 'successful', said: { intent_id: id, charge_id: expect.any(String) } }])
})

test('a decline is explained to the shopper, and another try succeeds', async ({ page, merchant }) => {
  const { token } = await merchant.intend()
  await merchant.serve(token)
  const form = await merchant.open(page)
  await form.type({ ...GOOD_CARD, expiry: '0539' })
  await form.submit.click()
  await expect(form.alert).toContainText('Your bank declined this payment')
  await expect(form.alert).toBeFocused()
  await expect(form.number).toHaveValue('5111 1111 1111 1118')
  await expect(form.code).toHaveValue('')
  await form.expiry.fill('')
  await form.expiry.pressSequentially('0139')
  await form.code.pressSequentially('100')
  await form.submit.click()
  await expect(form.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible()
  expect(await merchant.heardBy(page)).toMatchObject([
    { name: 'failure', said: { code: 'transaction_declined' } },
    { name: 'successful' },
  ])
})

test(
  'paid in two tabs at once, there is one charge, and both say so',
  { tag: LONG },
  async ({ page, context, merchant }) => {
    const reference = newReference('two')
    const { token } = await merchant.intend('49.00', reference)
    await merchant.serve(token)
    const pages = [page, await context.newPage()]
    for (const one of pages) await (await merchant.open(one)).fill(GOOD_CARD)
    await Promise.all(pages.map(async (one) => one.frameLocator('iframe').getByRole('button').click()))
    const charges: unknown[] = []
    for (const one of pages) {
      await expect(
        one.frameLocator('iframe').getByRole('heading', { name: 'Payment received' }),
      ).toBeVisible()
      charges.push((await merchant.heardBy(one))[0]?.said?.charge_id)
    }
    expect(charges[0]).toBe(charges[1])
    expect(await merchant.chargesOf(reference)).toEqual([49])
  },
)

test('an amount that the page claims changes nothing', async ({ page, merchant }) => {
  const reference = newReference('amount')
  const { token } = await merchant.intend('49.00', reference)
  await merchant.serve(token)
  const bodies: (string | null)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/')) bodies.push(request.postData())
  })
  await page.route('**/session/payments?*', (route) => {
    const given: unknown = route.request().postDataJSON()
    return route.continue({ postData: JSON.stringify({ ...Object(given), amount: '0.01' }) })
  })
  const form = await merchant.open(page)
  await form.fill(GOOD_CARD)
  await form.submit.click()
  await expect(form.frame.locator('#result, .alert:not(:empty)').first()).toBeVisible()
  await page.unroute('**/session/payments?*')
  expect(bodies.join(' ')).not.toMatch(/amount/)
  expect(bodies).not.toEqual([])
  expect([[], [49]]).toContainEqual(await merchant.chargesOf(reference))
})

test('an expired intent is shown to the shopper and reported to the page', async ({ page, merchant }) => {
  const { token } = await merchant.intend()
  await merchant.serve(token)
  await page.route(SESSION, async (route) => {
    const response = await route.fetch()
    const body: unknown = await response.json()
    const text = JSON.stringify(body).replace('"active"', '"expired"')
    await route.fulfill({ response, body: text })
  })
  const form = await merchant.open(page)
  await expect(form.frame.getByRole('heading', { name: 'This checkout has timed out' })).toBeVisible()
  expect(await merchant.heardBy(page)).toEqual([{ name: 'expired' }])
})

test('an invalid token is reported to the page as a failure', async ({ page, merchant }) => {
  await merchant.serve('e30.e30.x')
  const form = await merchant.open(page)
  await expect(
    form.frame.getByRole('heading', { name: 'This checkout is no longer available' }),
  ).toBeVisible()
  expect(await merchant.heardBy(page)).toMatchObject([{ name: 'failure', said: { code: 'unauthorized' } }])
})

test('a bank that doesn’t answer is asked until the outcome is known; nobody pays twice', async ({
  page,
  merchant,
}) => {
  const reference = newReference('unknown')
  const { token } = await merchant.intend('9000.68', reference)
  await merchant.serve(token)
  const form = await merchant.open(page)
  await form.fill(GOOD_CARD)
  await form.submit.click()
  await expect(form.frame.getByRole('heading', { name: 'Checking with your bank' })).toBeVisible({
    timeout: 15_000,
  })
  await expect(form.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible({ timeout: 40_000 })
  expect(await merchant.chargesOf(reference)).toEqual([9000.68])
})

test(
  'a page reloaded during its payment waits for it, and takes no second card',
  { tag: LONG },
  async ({ page, merchant }) => {
    const reference = newReference('reload')
    const { id, token } = await merchant.intend('9000.68', reference)
    await merchant.serve(token)
    const form = await merchant.open(page)
    await form.fill(GOOD_CARD)
    await form.submit.click()
    // The payment has to reach the service before the page is reloaded, or it would not be under way.
    await expect.poll(() => merchant.chargesOf(reference)).toEqual([9000.68])
    await page.reload()
    await expect(form.frame.getByRole('heading', { name: 'Checking with your bank' })).toBeVisible()
    await expect(form.submit).toHaveCount(0)
    await expect(form.frame.getByRole('heading', { name: 'Payment received' })).toBeVisible({
      timeout: 40_000,
    })
    expect(await merchant.heardBy(page)).toMatchObject([{ name: 'successful', said: { intent_id: id } }])
    expect(await merchant.chargesOf(reference)).toEqual([9000.68])
  },
)

test('the token is in no address and no log of the browser', async ({ page, merchant }) => {
  const { token } = await merchant.intend()
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await merchant.serve(token)
  const form = await merchant.open(page)
  await expect(form.submit).toHaveText('Pay A$49.00')
  expect(addresses.join(' ')).not.toContain(token)
})
