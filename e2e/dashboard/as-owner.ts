import { expect, test as anyTest } from '@playwright/test'
import type { BrowserContext } from '@playwright/test'
import { Dashboard } from '../pages/dashboard.ts'
import { DASHBOARD_URL } from '../world/addresses.ts'
import { MerchantServer } from '../world/merchant-server.ts'
import { addMerchant } from '../world/merchants.ts'
import type { Merchant } from '../world/merchants.ts'
import { join } from '../world/people.ts'
import type { SignedIn, Person } from '../world/people.ts'

/** A merchant, its own server, and its owner, who is signed in. */
interface Shop {
  merchant: Merchant
  server: MerchantServer
  owner: { person: Person; state: SignedIn }
}

interface OfEachTest extends Shop {
  /** Tests with the same name here share a merchant, so each test looks only for what it has made itself. */
  merchantName: string
  shop: Shop
  /** The dashboard, where the owner is signed in. */
  dashboard: Dashboard
  /** Fails a test in which the browser reports an error in a page. */
  browserIsContent: undefined
}

/** Merchants by name, for all tests of a worker. Not a worker fixture, because each set of those takes another worker and browser. */
const shops = new Map<string, Promise<Shop>>()

async function openShop(name: string): Promise<Shop> {
  const merchant = await addMerchant(name)
  return {
    merchant,
    server: new MerchantServer(merchant),
    owner: await join(merchant, 'owner', 'Olive Owner'),
  }
}

function shopOf(name: string): Promise<Shop> {
  const shop = shops.get(name) ?? openShop(name)
  shops.set(name, shop)
  return shop
}

/** A test on the dashboard, as the owner of a merchant. Signs in once for all tests of a worker. */
export const test = anyTest.extend<OfEachTest>({
  merchantName: ['Kestrel Books', { option: true }],
  shop: async ({ merchantName }, use) => use(await shopOf(merchantName)),
  merchant: async ({ shop }, use) => use(shop.merchant),
  server: async ({ shop }, use) => use(shop.server),
  owner: async ({ shop }, use) => use(shop.owner),
  baseURL: DASHBOARD_URL,
  locale: 'en-AU',
  storageState: async ({ owner }, use) => use(owner.state),
  extraHTTPHeaders: async ({ owner }, use) => use(owner.person.headers),
  dashboard: async ({ page }, use) => use(new Dashboard(page)),
  browserIsContent: [
    async ({ context }, use) => {
      const complaints = complaintsOf(context)
      await use(undefined)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Collects errors that the browser reports for the pages of a context: errors of scripts, violations of the Content-Security-Policy
 * and of Trusted Types, and native dialogs, which nothing here opens. Requests that the service refuses do not count.
 */
export function complaintsOf(context: BrowserContext): string[] {
  const complaints: string[] = []
  context.on('weberror', (fault) => complaints.push(String(fault.error())))
  context.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text)
  })
  return complaints
}
