import { expect, test } from '@playwright/test'
import type { FrameLocator, Page } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { PAGE_URL } from '../world/addresses.ts'
import { serveMerchantPage } from '../world/merchant-page.ts'
import { MerchantServer } from '../world/merchant-server.ts'
import type { Asked } from '../world/merchant-server.ts'
import { addMerchant } from '../world/merchants.ts'

/** The test cards whose bank is hostile, by what it does. */
const HOSTILE = {
  opens_top: '4970110000009014',
  form_to_top: '4970110000009022',
  redirects_top: '4970110000009030',
  opens_windows: '4970110000009048',
  downloads: '4970110000009055',
  forges_messages: '4970110000009063',
  plays_audio: '4970110000009071',
  asks_permissions: '4970110000009089',
  forges_result: '4970110000009097',
  replays_result: '4970110000009105',
  names_another_charge: '4970110000009113',
  alerts: '4970110000009121',
  is_huge: '4970110000009139',
  steals_focus: '4970110000009147',
  goes_to_other_page: '4970110000009154',
  never_ends_loading: '4970110000009162',
  reads_parent: '4970110000009170',
}

let server: MerchantServer
const files: Record<string, string> = {}
let endPage: () => Promise<void>
test.beforeAll(async () => {
  server = new MerchantServer(await addMerchant('Hostile bank'))
  endPage = await serveMerchantPage({ files })
})
test.afterAll(() => endPage())

/** Shows the bank in a frame without any wall, as it would be in the page of a merchant who trusts it. */
async function show(page: Page, number: string): Promise<{ asked: Asked; bank: FrameLocator }> {
  const asked = await server.ask(number)
  const { step } = await server.session(asked)
  if (step?.kind !== 'challenge') throw new Error(`no challenge but ${step?.kind ?? 'nothing'}`)
  files['/'] = `<!doctype html><title>Shop</title><iframe name="bank" width="400" height="400"></iframe>
    <form method="post" action="${step.url}" target="bank"><input name="creq" value="${step.creq}"></form>
    <script>document.forms[0].submit()</script>`
  await page.goto(PAGE_URL, { waitUntil: 'domcontentloaded' })
  return { asked, bank: page.frameLocator('iframe') }
}

const tried = (bank: FrameLocator) => bank.locator('#tried')

const KINDS = [
  'forges_messages',
  'plays_audio',
  'asks_permissions',
  'is_huge',
  'steals_focus',
  'reads_parent',
  'never_ends_loading',
] as const

for (const kind of someOf(KINDS, 2)) {
  test(`a bank that ${kind} tries that, and can still be answered`, async ({ page }) => {
    const { asked, bank } = await show(page, HOSTILE[kind])
    await expect(tried(bank).locator('li').first()).toBeAttached()
    await bank.getByLabel('Code').fill('1234')
    await bank.getByRole('button', { name: 'Confirm' }).dispatchEvent('click')
    await expect.poll(async () => (await server.read(asked._id)).status).toBe('pending')
  })
}

for (const kind of someOf(['opens_top', 'redirects_top', 'form_to_top'] as const, 3)) {
  test(`a bank that ${kind} leads away the page of who lets it`, async ({ page }) => {
    const { bank } = await show(page, HOSTILE[kind])
    await bank.getByRole('heading').click()
    await expect(page).toHaveTitle('Test cards – Sandbox Bank')
  })
}

test('a bank that opens windows opens them for who lets it', { tag: LONG }, async ({ page }) => {
  const opened = page.waitForEvent('popup')
  await show(page, HOSTILE.opens_windows)
  await opened
})

test('a bank that downloads brings a file to who lets it', { tag: LONG }, async ({ page }) => {
  const download = page.waitForEvent('download')
  await show(page, HOSTILE.downloads)
  expect((await download).suggestedFilename()).toBe('hostile.txt')
})

test('a bank that alerts stops the page of who lets it', { tag: LONG }, async ({ page }) => {
  const said = page.waitForEvent('dialog').then(async (dialog) => {
    page.on('dialog', (other) => void other.dismiss())
    await dialog.dismiss()
    return dialog.message()
  })
  await show(page, HOSTILE.alerts)
  expect(await said).toBe('hostile')
})

test('a bank that makes up results, its own or of another payment, brings no charge on', async ({ page }) => {
  const waiting = await server.ask(HOSTILE.alerts)
  const charges = [waiting]
  for (const kind of [
    'forges_result',
    'replays_result',
    'names_another_charge',
    'goes_to_other_page',
  ] as const) {
    const { asked } = await show(page, HOSTILE[kind])
    await expect.poll(() => page.frames()[1]?.url() ?? '').toContain('/3ds/')
    await page.waitForLoadState('networkidle')
    charges.push(asked)
  }
  for (const { _id } of charges) expect((await server.read(_id)).status).toBe('pre_authentication_pending')
})
