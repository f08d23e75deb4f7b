import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import * as v from 'valibot'
import { LONG, isLong } from '../long-form.ts'
import type { NeedsAttention } from '../../src/contract/dashboard/overview.ts'
import { test } from './as-owner.ts'
import { inspectFromTop } from './states/look.ts'

const Answer = v.looseObject({
  resource: v.looseObject({ data: v.looseObject({ needs_attention: v.unknown() }) }),
})

// No other test uses this merchant, so the sums of its charges are known.
test.use({ merchantName: 'Figures & Sons' })

test('the overview shows the results of charges, and leads to those that need attention', async ({
  dashboard,
  server,
  page,
}) => {
  const taken = await server.charge({ amount: '100.00' })
  await server.charge({ amount: '60.00', number: '5555555555554444' })
  await server.charge({ amount: '40.00', reference: 'to-be-captured', isHold: true })
  await server.refund(taken, { amount: '25.00' })
  await server.decline('9000.51')

  await dashboard.open('/', 'Overview')
  const tile = (name: string): Locator =>
    dashboard
      .part('Figures')
      .locator('div')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
  await expect(async () => {
    await page.reload()
    // Events are counted in order, so once the last one is counted all are.
    await expect(tile('Declined')).toContainText('$9,000.51', { timeout: 1000 })
  }).toPass()
  await expect(tile('Authorised')).toHaveText(/\$200\.00.*3 times/)
  await expect(tile('Captured')).toHaveText(/\$160\.00.*2 times/)
  await expect(tile('Refunded')).toHaveText(/\$25\.00.*1 time$/)
  await expect(tile('Declined')).toHaveText(/\$9,000\.51.*1 time$/)
  await expect(tile('Approval rate')).toContainText('75%')
  await expect(dashboard.row('By card scheme', 'Mastercard')).toContainText('$60.00')
  await expect(dashboard.part('Why sales were declined')).toContainText(
    'The account has too little for this amount.',
  )
  await expect(
    page.getByRole('img', { name: /^Amounts from .* The figures are in the table below\.$/ }),
  ).toBeVisible()

  const needs = dashboard.part('Needs attention')
  await expect(needs.getByRole('heading', { name: '1 hold ends within a day' })).toHaveCount(0)
  await dashboard.row('By card scheme', 'Visa').getByRole('link').click()
  await dashboard.isAt('Charges')
  await expect(page).toHaveURL(/\/charges\?scheme=visa&from=/)
  await expect(dashboard.row('Charges', 'to-be-captured')).toBeVisible()
})

/** What waits days or a failing gateway to be real. */
function longAwaited(): NeedsAttention[] {
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const id = (last: number) => `6b01799184f819f4cecbe1a${last}`
  const none = { cents: null, currency: null }
  const need = { count: 1, is_more: false, target: { page: 'charges', query: null } } as const
  const chargeback = { words: 'chargeback', cents: 900_041, currency: 'AUD' }
  return [
    {
      ...need,
      kind: 'dispute_needs_response',
      count: 3,
      items: [
        { id: id(1), at: at(0.1), ...chargeback, words: 'inquiry' },
        { id: id(2), at: at(1), ...chargeback },
        { id: id(3), at: at(7), ...chargeback, words: 'second_chargeback' },
      ],
      target: { page: 'disputes', query: { status: 'needs_response' } },
    },
    {
      ...need,
      kind: 'failed_later',
      items: [
        { id: id(4), notification_id: id(5), at: at(-1), words: 'refund', cents: 2500, currency: 'AUD' },
      ],
    },
    {
      ...need,
      kind: 'gateway_news',
      items: [
        {
          ...{ id: id(6), notification_id: id(7), at: at(-2), cents: 4200, currency: 'AUD' },
          words: 'Adyen says that the capture failed, and it had said that it was done.',
        },
      ],
    },
    {
      ...need,
      kind: 'news_not_understood',
      items: [
        { id: id(8), notification_id: id(8), at: at(-3), words: 'The service does not know it.', ...none },
      ],
      target: { page: 'gateways', query: null },
    },
    {
      ...need,
      kind: 'gateway_silent',
      items: [{ id: id(9), at: at(-4), words: 'Adyen, Sydney', ...none }],
      target: { page: 'gateways', query: null },
    },
  ]
}

test(
  'needs of each kind fit the window and are accessible',
  { tag: LONG },
  async ({ dashboard, page }, info) => {
    test.setTimeout(isLong ? 300_000 : 60_000)
    await page.route('**/api/overview*', async (route) => {
      const response = await route.fetch()
      const body = v.parse(Answer, await response.json())
      body.resource.data.needs_attention = longAwaited()
      await route.fulfill({ response, json: body })
    })
    await dashboard.open('/', 'Overview')
    await dashboard.says('1 gateway tells nothing of its payments')
    await inspectFromTop(page, info, { name: 'needs', index: 1 })
  },
)

test('the overview’s range of days is part of its address', { tag: LONG }, async ({ dashboard, page }) => {
  await dashboard.open('/', 'Overview')
  await page.getByRole('link', { name: '90 days' }).click()
  await expect(page).toHaveURL(/days=90/)
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await dashboard.says('Nothing happened in these days')
  await page.reload()
  await dashboard.says('Nothing happened in these days')
})
