import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { Dashboard } from '../pages/dashboard.ts'
import { test } from '../world/pinned-release.ts'
import { DASHBOARD_URL, PAGE_PORT } from '../world/addresses.ts'
import { DashboardApi } from '../world/dashboard-api.ts'
import { MerchantServer } from '../world/merchant-server.ts'
import { addMerchant } from '../world/merchants.ts'
import { join } from '../world/people.ts'
import { stockCheckouts } from '../world/stock/stock-checkouts.ts'
import { ASKS_CODE, chargeShoppers, customerOf, refundPart } from '../world/stock/stock-charges.ts'
import { addDelivery, disputeOf } from '../world/stock/stock-disputes.ts'
import { spreadOverMonth } from './spread-over-month.ts'

/** Where the pictures of docs/tour.md are. */
const FOLDER = 'docs/tour'
const MAX_BYTES = 100_000
const CHARGES = 240

/** `npm run tour` makes the pictures of the tour: a month at a small shop. */
test('the tour of the dashboard', async ({ browser }) => {
  test.setTimeout(300_000)
  const receiver = createServer((_, response) => response.end()).listen(PAGE_PORT)
  const merchant = await addMerchant('Marlow & Finch')
  const owner = await join(merchant, 'owner', 'Grace Hopper')
  const api = await DashboardApi.of(owner)
  const server = new MerchantServer(merchant)

  await chargeShoppers(server, CHARGES, 10_000)
  await spreadOverMonth(merchant.id)
  const webhook = await api.make('/v1/webhooks', {
    url: `http://localhost:${PAGE_PORT}/hooks/card`,
    events: ['charge.captured', 'charge.refunded'],
  })
  await api.make('/api/clients', { scopes: ['agreements:read', 'payments:read'] })
  await api.change('PUT', '/api/origins', { allowed_origins: ['https://shop.marlow.example'] })
  await chargeShoppers(server, 5, 10_240)
  const charge = await refundPart(server, api)
  const authenticated = await passBank(server)
  const dispute = await disputeDelivery(server, api)
  const { customisation } = await stockCheckouts(server, api)

  const context = await browser.newContext({
    baseURL: DASHBOARD_URL,
    locale: 'en-AU',
    storageState: owner.state,
    extraHTTPHeaders: owner.person.headers,
    viewport: { width: 1280, height: 960 },
    colorScheme: 'light',
  })
  const dashboard = new Dashboard(await context.newPage())
  const { page } = dashboard
  const painter = await browser.newPage()
  mkdirSync(FOLDER, { recursive: true })

  const take = async (name: string, path: string, title: string | RegExp) => {
    await dashboard.open(path, title)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await expect(page.getByText(/is being loaded/)).toHaveCount(0)
    await isPreviewed(page)
    const picture = await asWebp(painter, await page.screenshot({ animations: 'disabled' }))
    expect(picture.byteLength, name).toBeLessThanOrEqual(MAX_BYTES)
    writeFileSync(`${FOLDER}/${name}.webp`, picture)
  }
  await expect
    .poll(async () => {
      await dashboard.open(`/webhooks/${webhook}`, /localhost/)
      return dashboard.list('Deliveries').getByText('Delivered').count()
    })
    .toBeGreaterThan(5)
  await take('overview', '/', 'Overview')
  await take('charges', '/charges', 'Charges')
  await take('charge', `/charges/${charge}`, /189\.00/)
  await take('authentication', `/charges/${authenticated}`, /49\.95/)
  await take('dispute', `/disputes/${dispute}`, /9,000\.44/)
  await take('template', `/templates/${customisation}`, 'Marlow & Finch')
  await take('security', '/security', 'API and Security')
  await take('webhook', `/webhooks/${webhook}`, /localhost/)
  await page.setViewportSize({ width: 390, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await take('phone', '/charges', 'Charges')
  await painter.close()
  await context.close()
  await api.end()
  receiver.close()
})

/** A charge whose card holder gave the code that their bank had asked for. */
async function passBank(server: MerchantServer): Promise<string> {
  const asked = await server.ask(ASKS_CODE, {
    reference: 'MF-10447',
    description: '1 × Dusk lamp, brass',
    customer: customerOf(1),
  })
  await server.answerBank(asked, ['1234'])
  return asked._id
}

/** A charge that its card holder disputes, with a file for its defence. */
async function disputeDelivery(server: MerchantServer, api: DashboardApi): Promise<string> {
  const charge = await server.charge({
    amount: '9000.44',
    reference: 'MF-10448',
    description: '40 × Dusk lamp, brass',
    customer: customerOf(2),
  })
  const dispute = await disputeOf(api, charge)
  await addDelivery(api, dispute, 'delivery note.pdf')
  return dispute
}

/** Waits for the card form, where a page has one: in a frame within the preview's frame. */
async function isPreviewed(page: Page): Promise<void> {
  for (const preview of await page.locator('iframe').all()) {
    const form = preview.contentFrame().locator('iframe').contentFrame()
    await expect(form.getByRole('button', { name: /^Pay/ })).toBeVisible()
  }
}

/** A screenshot in a third of its bytes; `painter` is any empty page. */
async function asWebp(painter: Page, png: Buffer): Promise<Buffer> {
  const url = await painter.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      return canvas.toDataURL('image/webp', 0.9)
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}
