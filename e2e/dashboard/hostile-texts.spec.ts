import { expect } from '@playwright/test'
import type { BrowserContext, Page } from '@playwright/test'
import { Dashboard } from '../pages/dashboard.ts'
import { DASHBOARD_URL } from '../world/addresses.ts'
import { AGREEMENT, changeAs } from '../world/dashboard-api.ts'
import type { MerchantServer } from '../world/merchant-server.ts'
import { browserOf, join } from '../world/people.ts'
import { complaintsOf, test } from './as-owner.ts'

/** Would become markup, a script or the end of an attribute wherever it was not treated as text. */
const TEXT = `"><svg onload=alert(1)>`
const LONG = `${TEXT}</script><script>alert(2)</script><img src=x onerror=alert(3)>`
/** Would reverse the rest of its line, and hide that it does. */
const TURNED = `\u202Egnp.elif\u2066${TEXT}`

test.use({ merchantName: LONG })

interface Pages {
  /** The pages that show such a text besides the names of company and person. */
  showing: string[]
  others: string[]
}

/** Makes one of everything that contains texts of shoppers or merchants; returns the pages to look at. */
async function writeEverywhere(context: BrowserContext, server: MerchantServer): Promise<Pages> {
  const make = (path: string, body: object) => changeAs(context, 'POST', path, body)
  const charge = await server.charge({
    amount: '10.00',
    reference: LONG,
    description: TURNED,
    holder: TEXT,
    customer: { first_name: TEXT, last_name: TURNED, phone: TEXT, payment_source: { city: LONG } },
  })
  await server.refund(charge, { amount: '1.00', reference: TURNED })
  const customisation = await make('/v1/checkouts/templates?type=customisation', {
    version: 1,
    label: LONG,
    content: { texts: { submit_button: TEXT, title_h1: LONG } },
  })
  const checkout = await server.checkout({
    version: 1,
    amount: '10.00',
    reference: LONG,
    description: TURNED,
    customisation: { template_id: customisation },
  })
  const agreement = await make('/agreements', {
    ...AGREEMENT,
    description: LONG,
    short_description: TEXT,
    reference: TEXT,
    debtor: { ...AGREEMENT.debtor, name: LONG },
    creditor: { ...AGREEMENT.creditor, name: LONG },
    metadata: { [TEXT]: TURNED },
  })
  const isActive = async () => (await context.request.get(`${DASHBOARD_URL}/agreements/${agreement}`)).text()
  await expect.poll(isActive).toContain('"status":"active"')
  const payment = await make(`/agreements/${agreement}/payments`, {
    amount: '5.00',
    reference: TEXT,
    description: LONG,
  })
  await changeAs(context, 'PATCH', `/agreements/${agreement}/status`, {
    action: 'suspend',
    reason_code: 'dispute',
    reason: LONG,
  })
  const webhook = await make('/v1/webhooks', { url: `http://127.0.0.1:9/${TEXT.replaceAll(' ', '+')}` })
  await make(`/v1/webhooks/${webhook}/test`, {})
  await make('/api/gateways', {
    type: 'adyen',
    name: LONG,
    credentials: {
      api_key: 'a-key-of-nobody',
      merchant_account: 'Nobody',
      base_url: 'http://localhost:9/v72',
    },
    is_default: false,
  })
  await changeAs(context, 'PATCH', '/api/user', { name: LONG })
  return {
    showing: [
      '/charges',
      `/charges/${charge}`,
      '/checkouts',
      `/checkouts/${checkout}`,
      '/templates?type=customisation',
      `/templates/${customisation}`,
      '/agreements',
      `/agreements/${agreement}`,
      `/payments/${payment}`,
      '/webhooks',
      `/webhooks/${webhook}`,
      '/gateways',
      '/team',
    ],
    others: [
      '/',
      '/security',
      '/audit',
      '/profile',
      ...AIMED_AT.map((path) => path + encodeURIComponent(LONG)),
    ],
  }
}

/** Places of an address where such a text can stand. */
const AIMED_AT = ['/', '/charges/', '/charges?q=', '/audit?subject=', '/profile#', '/webhooks/']

/** The effects of texts that were not treated as text. */
const broughtToLife = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '[onload], [onerror], img[src="x"], script:not([src]), [href^="javascript:" i]',
      ),
    ].map((element) => element.outerHTML),
  )

test('what shoppers and merchants write is text on every page', async ({ merchant, server, browser }) => {
  test.slow()
  const { person, state } = await join(merchant, 'owner', 'Xavier')
  const context = await browserOf(browser, person, state)
  const complaints = complaintsOf(context)
  const { showing, others } = await writeEverywhere(context, server)
  const page = await context.newPage()
  const dashboard = new Dashboard(page)
  for (const path of [...showing, ...others]) {
    await page.goto(path)
    await dashboard.isAt(/./)
    await expect(page.getByRole('banner')).toContainText(LONG)
    await expect(dashboard.content.locator('[aria-busy=true]')).toHaveCount(0)
    if (showing.includes(path)) await expect(dashboard.content).toContainText('onload=alert(1)')
    expect([path, await broughtToLife(page), complaints]).toEqual([path, [], []])
  }
  await context.close()
})
