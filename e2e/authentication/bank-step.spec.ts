import { expect, test } from '@playwright/test'
import { LONG, isLong, someOf } from '../long-form.ts'
import { BankStepPage, chargeOf, statusOf } from '../pages/bank-step.ts'
import type { Where } from '../pages/bank-step.ts'
import { findingsOf, unpaint } from '../pages/findings.ts'
import { PAGE_URL } from '../world/addresses.ts'

const CARDS = {
  code: '4970110000001011',
  app: '4970110000001029',
  noCodeIsRight: '4970110000001037',
  hurried: '4970110000001045',
  method: '4970110000002027',
  silent: '4970110000002035',
  down: '4970110000003017',
  rubbish: '4970110000003033',
}

/** The sandbox's bank does these without a click. */
const HOSTILE = {
  'it opens the page around it': '4970110000009014',
  'it sends a form to the page around it': '4970110000009022',
  'it redirects the page around it': '4970110000009030',
  'it opens windows': '4970110000009048',
  'it downloads': '4970110000009055',
  'it forges messages': '4970110000009063',
  'it plays audio': '4970110000009071',
  'it asks for permissions': '4970110000009089',
  'it forges a result': '4970110000009097',
  'it replays a result': '4970110000009105',
  'it names another charge': '4970110000009113',
  'it alerts': '4970110000009121',
  'it is huge': '4970110000009139',
  'it steals the focus': '4970110000009147',
  'it goes to another page': '4970110000009154',
  'it never ends loading': '4970110000009162',
  'it reads its parent': '4970110000009170',
}

let end: () => Promise<void>
test.beforeEach(async () => {
  end = await BankStepPage.serve()
})
test.afterEach(() => end())

test('a challenge is passed in an element of a page whose policy allows the service alone', async ({
  page,
}) => {
  const shop = new BankStepPage(page)
  await shop.open()
  const charge = await chargeOf(CARDS.code)
  expect(charge.status).toBe('pre_authentication_pending')
  await shop.show(charge, 'inElement')
  await expect(shop.code).toBeVisible()
  const [lines, bank] = [shop.step.getByRole('heading'), shop.step.locator('#bank')]
  expect((await lines.boundingBox())?.x, 'they begin where the bank’s page does').toBe(
    (await bank.boundingBox())?.x,
  )
  await shop.code.fill('1234')
  await shop.code.press('Enter')
  await expect.poll(() => shop.heard()).toContain('chargeAuthSuccess authenticated')
  expect(await statusOf(charge)).toBe('complete')
  expect(await shop.violations()).toEqual([])
  await expect(shop.step.getByText('Your bank has confirmed this payment.')).toBeVisible()
  await expect(shop.step.getByText('A$49.95')).toHaveCSS('font-weight', '400')
})

test('a challenge is passed in a dialog by keyboard alone, and the focus comes back', async ({ page }) => {
  const shop = new BankStepPage(page)
  await shop.open()
  await page.locator('#before').focus()
  const charge = await chargeOf(CARDS.method)
  await shop.show(charge)
  await expect(shop.code).toBeVisible()
  await expect(shop.code).toBeFocused()
  await page.keyboard.type('1234')
  await page.keyboard.press('Enter')
  await expect.poll(() => shop.heard()).toMatchObject([{ succeeded: true, status: 'authenticated' }])
  await expect(page.locator('#before')).toBeFocused()
  await expect(page.locator('dialog')).toHaveCount(0)
  expect(await shop.violations()).toEqual([])
})

test('who gives up is asked first, by Escape or the button, and nothing is charged', async ({ page }) => {
  const shop = new BankStepPage(page)
  await shop.open()
  const charge = await chargeOf(CARDS.code)
  await shop.show(charge)
  await expect(shop.code).toBeVisible()
  await shop.cancel.click()
  await expect(shop.step.getByRole('heading', { name: 'Cancel this payment?' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(shop.code).toBeVisible()
  await shop.cancel.focus()
  await page.keyboard.press('Escape')
  await shop.step.getByRole('button', { name: 'Yes, cancel payment' }).click()
  await expect.poll(() => shop.heard()).toMatchObject([{ succeeded: false, status: 'cancelled' }])
  expect(await statusOf(charge)).toBe('not_authenticated')
})

test('a bank’s hidden page that never answers is left after ten seconds', { tag: LONG }, async ({ page }) => {
  const shop = new BankStepPage(page)
  await shop.open()
  await shop.show(await chargeOf(CARDS.silent), 'inElement')
  await expect(shop.step.getByText('This is taking longer than usual')).toBeVisible({ timeout: 12_000 })
  await expect(shop.code).toBeVisible({ timeout: 8000 })
  expect(await shop.heard()).toEqual(['chargeAuthInfo slow', 'chargeAuthInfo challenge'])
})

test('a document that is loaded again shows the step again, and it can be passed', async ({ page }) => {
  const shop = new BankStepPage(page)
  await shop.open()
  await shop.show(await chargeOf(CARDS.code))
  await expect(shop.code).toBeVisible()
  const step = page.frames().find((frame) => frame.url().includes('/authentication?'))
  await step?.evaluate(() => location.reload())
  await expect(shop.code).toBeVisible()
  await shop.code.fill('1234')
  await shop.code.press('Enter')
  await expect.poll(() => shop.heard()).toMatchObject([{ succeeded: true }])
})

test('two pages show the same step, and both hear how it ended', { tag: LONG }, async ({ page, context }) => {
  const shop = new BankStepPage(page)
  await shop.open()
  const charge = await chargeOf(CARDS.code)
  await shop.show(charge)
  const other = new BankStepPage(await context.newPage())
  await other.open()
  await other.show(charge)
  await expect(shop.code).toBeVisible()
  await other.code.fill('1234')
  await other.code.press('Enter')
  await expect.poll(() => other.heard()).toMatchObject([{ succeeded: true }])
  await expect.poll(() => shop.heard(), { timeout: 8000 }).toMatchObject([{ succeeded: true }])
  await other.page.close()
})

test('without a network a person reads so, and goes on when it is back', async ({ page, context }) => {
  const shop = new BankStepPage(page)
  await shop.open()
  await shop.show(await chargeOf(CARDS.app), 'inElement')
  const approve = shop.bank.getByRole('button', { name: 'Approve as the phone would' })
  await expect(approve).toBeVisible()
  await context.setOffline(true)
  await expect(shop.step.getByText('You are offline.')).toBeVisible({ timeout: 10_000 })
  await context.setOffline(false)
  await expect(shop.step.getByText('You are offline.')).toBeHidden()
  await approve.click()
  await expect.poll(() => shop.heard(), { timeout: 10_000 }).toContain('chargeAuthSuccess authenticated')
})

test(
  'a bank that refuses, and a code that is wrong three times, are told in words',
  { tag: LONG },
  async ({ page }) => {
    const shop = new BankStepPage(page)
    await shop.open()
    const charge = await chargeOf(CARDS.noCodeIsRight)
    await shop.show(charge, 'inElement')
    for (const left of ['2 tries are left', 'One try is left', null]) {
      await shop.code.fill('1234')
      await shop.code.press('Enter')
      if (left !== null) await expect(shop.bank.getByRole('alert')).toContainText(left)
    }
    await expect.poll(() => shop.heard()).toContain('chargeAuthReject failed')
    await expect(shop.step.getByText('Your bank could not confirm this payment')).toBeVisible()
    expect(await statusOf(charge)).toBe('failed')
  },
)

test(
  'a token of another authentication shows nothing, and the page hears so',
  { tag: LONG },
  async ({ page }) => {
    const shop = new BankStepPage(page)
    await shop.open()
    const [one, other] = [await chargeOf(CARDS.code), await chargeOf(CARDS.code)]
    await shop.show({ ...one, _3ds: { id: one._3ds?.id ?? '', token: other._3ds?.token } }, 'inElement')
    await expect.poll(() => shop.heard()).toEqual(['systemError unauthorized'])
    await expect(shop.step.getByText('can no longer be confirmed here')).toBeVisible()
  },
)

test.describe('whatever a hostile bank does, it stays in its frame, and its step can be left', () => {
  for (const [what, number] of someOf(Object.entries(HOSTILE), 6))
    test(what, async ({ page, context }) => {
      const shop = new BankStepPage(page)
      const opened: string[] = []
      const note = (made: string) => () => opened.push(made)
      context.on('page', note('page'))
      page.on('download', note('download'))
      page.on('dialog', note('dialog'))
      await shop.open()
      const charge = await chargeOf(number)
      await shop.show(charge)
      await expect(shop.cancel).toBeVisible()
      await page.waitForTimeout(1500)
      await shop.cancel.click()
      await shop.step.getByRole('button', { name: 'Yes, cancel payment' }).click()
      await expect.poll(() => shop.heard()).toMatchObject([{ succeeded: false }])
      expect(await statusOf(charge)).toBe('not_authenticated')
      expect(opened).toEqual([])
      expect(page.url()).toBe(`${PAGE_URL}/`)
      expect(await shop.violations()).toEqual([])
    })
})

/** Phones, a page at 400 %, and a screen. */
const SIZES = [
  [320, 256],
  [320, 568],
  [390, 844],
  [1280, 800],
] as const
const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'active' },
] as const

/** How each state comes about, and what is seen of it. */
const STATES: Readonly<Record<string, (shop: BankStepPage, where: Where) => Promise<void>>> = {
  async waiting(shop, where) {
    await shop.show(await chargeOf(CARDS.silent), where)
    await expect(shop.step.getByText('Contacting your bank')).toBeVisible()
  },
  async bank(shop, where) {
    await shop.show(await chargeOf(CARDS.code), where)
    await expect(shop.code).toBeVisible()
  },
  async question(shop, where) {
    await STATES['bank']?.(shop, where)
    await shop.cancel.click()
    await expect(shop.step.getByRole('heading', { name: 'Cancel this payment?' })).toBeVisible()
  },
}

/** Those with a bank or a network that is ill: with `LOOKS=all`, as each takes some seconds at each size. */
const RARE: typeof STATES = {
  async 'bank’s app'(shop, where) {
    await shop.show(await chargeOf(CARDS.app), where)
    await expect(shop.bank.getByRole('button', { name: 'Approve as the phone would' })).toBeVisible()
  },
  async 'wrong code'(shop, where) {
    await STATES['bank']?.(shop, where)
    await shop.code.fill('0000')
    await shop.code.press('Enter')
    await expect(shop.bank.getByRole('alert')).toBeVisible()
  },
  async 'bank takes long'(shop, where) {
    // Its hidden page is left after ten seconds, two after a person is told; the service does not hear so.
    await shop.page.route('**/v1/authentications/**', (route) =>
      route.request().method() === 'POST' ? undefined : route.continue(),
    )
    await shop.show(await chargeOf(CARDS.silent), where)
    await expect(shop.step.getByText('This is taking longer than usual')).toBeVisible({ timeout: 12_000 })
    await expect(shop.step.locator('iframe[name="svc-method"]')).toHaveCount(0)
  },
  async offline(shop, where) {
    await STATES['bank']?.(shop, where)
    await shop.page.context().setOffline(true)
    await expect(shop.step.getByText('You are offline.')).toBeVisible({ timeout: 10_000 })
  },
  async unreachable(shop, where) {
    await STATES['bank']?.(shop, where)
    // Browsers say so of a machine without a network, on which this may run.
    for (const frame of shop.page.frames())
      await frame.evaluate(() => Object.defineProperty(navigator, 'onLine', { value: true }))
    await shop.page.route('**/v1/authentications/**', (route) => route.abort())
    await expect(shop.step.getByText('We can’t reach the service')).toBeVisible({ timeout: 15_000 })
  },
  async 'bank hangs'(shop, where) {
    await shop.page.route('**/3ds/challenge', () => undefined)
    await shop.show(await chargeOf(CARDS.code), where)
    await expect(shop.step.getByText('This is taking longer than usual')).toBeVisible({ timeout: 12_000 })
  },
  async 'bank is down'(shop, where) {
    await shop.show(await chargeOf(CARDS.down), where)
    await expect(shop.step.getByText('Is there nothing to see here?')).toBeVisible({ timeout: 15_000 })
  },
  async 'bank answers rubbish'(shop, where) {
    await shop.show(await chargeOf(CARDS.rubbish), where)
    await expect(shop.step.getByText('Is there nothing to see here?')).toBeVisible({ timeout: 15_000 })
  },
}

/** The ends, after which there is no dialog. */
const ENDS: typeof STATES = {
  async passed(shop, where) {
    await STATES['bank']?.(shop, where)
    await shop.code.fill('1234')
    await shop.code.press('Enter')
    await expect(shop.step.getByText('Your bank has confirmed this payment.')).toBeVisible()
  },
  async refused(shop, where) {
    await shop.show(await chargeOf(CARDS.noCodeIsRight), where)
    for (let tries = 0; tries < 3; tries += 1) {
      await expect(shop.code).toHaveValue('')
      await shop.code.fill('1234')
      await shop.code.press('Enter')
      if (tries < 2) await expect(shop.bank.getByRole('alert')).toBeVisible()
    }
    await expect(shop.step.getByText('Your bank could not confirm this payment')).toBeVisible()
  },
  async 'timed out'(shop, where) {
    await shop.show(await chargeOf(CARDS.hurried), where)
    await expect(shop.step.getByText('The time to confirm this payment is over')).toBeVisible({
      timeout: 15_000,
    })
  },
  async 'given up'(shop, where) {
    await STATES['question']?.(shop, where)
    await shop.step.getByRole('button', { name: 'Yes, cancel payment' }).click()
    await expect(shop.step.getByText('You have cancelled this payment.')).toBeVisible()
  },
  async 'no longer known'(shop, where) {
    const [one, other] = [await chargeOf(CARDS.code), await chargeOf(CARDS.code)]
    await shop.show({ _3ds: { id: one._3ds?.id ?? '', token: other._3ds?.token } }, where)
    await expect(shop.step.getByText('can no longer be confirmed here')).toBeVisible()
  },
}
const statesIn = (where: Where, turn: number) =>
  someOf(
    Object.entries({ ...STATES, ...(isLong && RARE), ...(isLong && where === 'inElement' && ENDS) }),
    2,
    turn,
  )

for (const [turn, where] of (['inDialog', 'inElement'] as const).entries())
  for (const [state, comeTo] of statesIn(where, turn))
    test(`everybody can read it ${where === 'inDialog' ? 'in a dialog' : 'in an element'}: ${state}`, async ({
      page,
    }) => {
      if (isLong) test.setTimeout(180_000)
      const shop = new BankStepPage(page)
      for (const [width, height] of someOf(SIZES, 3)) {
        await page.context().setOffline(false)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.setViewportSize({ width, height })
        // A frame that was opened under forced colours keeps their background in Chromium.
        await page.emulateMedia(LOOKS[0])
        await shop.open()
        await comeTo(shop, where)
        for (const look of someOf(LOOKS, 2)) {
          await page.emulateMedia(look)
          const name = `${String(width)}x${String(height)}-${look.colorScheme}-${look.forcedColors}`
          const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
          expect.soft(beyond, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
          const folder = process.env['PICTURES']
          // First: axe paints backgrounds.
          if (folder !== undefined)
            await page.screenshot({
              path: `${folder}/${where}-${state}-${name}.png`,
              fullPage: where === 'inElement',
            })
          expect.soft(await findingsOf(page), name).toEqual([])
          await unpaint(page)
        }
      }
    })
