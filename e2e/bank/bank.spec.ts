import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { findingsOf } from '../pages/findings.ts'
import { MerchantServer } from '../world/merchant-server.ts'
import type { Asked } from '../world/merchant-server.ts'
import { addMerchant } from '../world/merchants.ts'

const CARDS = {
  code: '4970110000001011',
  app: '4970110000001029',
  noCodeIsRight: '4970110000001037',
  hurried: '4970110000001045',
}

let server: MerchantServer
test.beforeAll(async () => {
  server = new MerchantServer(await addMerchant('Bank'))
})

/** Opens the bank's page as a payment's frame does, by a form of another origin. */
async function openBank(page: Page, number: string): Promise<Asked> {
  const asked = await server.ask(number)
  const { step } = await server.session(asked)
  if (step?.kind !== 'challenge') throw new Error(`no challenge but ${step?.kind ?? 'nothing'}`)
  await page.goto('about:blank')
  await page.setContent(
    `<form method="post" action="${step.url}"><input name="creq" value="${step.creq}"></form>`,
  )
  await page.evaluate(() => document.forms[0]?.submit())
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return asked
}
const statusOf = async ({ _id }: Asked) => (await server.read(_id)).status
const code = (page: Page) => page.getByLabel('Code')

/**
 * What the browser complains of in a page: its policy broken, errors of scripts. Firefox tells of the icon for which a browser asks by
 * itself, though never of a page in a frame, as a bank's is.
 */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  const note = (text: string) => {
    if (!text.includes('/favicon.ico')) complaints.push(text)
  }
  page.on('console', (message) => {
    if (message.type() === 'error') note(message.text())
  })
  page.on('pageerror', (error) => note(error.message))
  return complaints
}

const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'asks for a code': (page) => openBank(page, CARDS.code),
  async 'says that a code was wrong'(page) {
    await openBank(page, CARDS.code)
    await code(page).fill('0000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByRole('alert')).toHaveText('This code is wrong. 2 tries are left.')
  },
  'waits for its app': (page) => openBank(page, CARDS.app),
}
const LOOKS = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const
/** The smallest and the largest challenge window of EMV, phones, a page at 400 %, a screen. */
const SIZES = [
  { width: 250, height: 400 },
  { width: 320, height: 256 },
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 720 },
]

for (const [state, show] of someOf(Object.entries(STATES), 2)) {
  test(`the bank's page ${state} in words that everybody can read`, async ({ page }) => {
    const complaints = complaintsOf(page)
    await show(page)
    for (const look of someOf(LOOKS, 2)) {
      await page.emulateMedia(look)
      for (const size of someOf(SIZES, 2)) {
        await page.setViewportSize(size)
        const name = `${look.colorScheme}-${look.forcedColors}-${size.width}x${size.height}`
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect.soft(overflow, name).toBe(0)
      }
      expect.soft(await findingsOf(page), look.colorScheme).toEqual([])
    }
    expect(complaints).toEqual([])
  })
}

test('by keyboard alone a code is confirmed, and the browser goes back', async ({ page }) => {
  const complaints = complaintsOf(page)
  const asked = await openBank(page, CARDS.code)
  await expect(code(page)).toBeFocused()
  await page.keyboard.type('1234')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/3ds\/[^/]+\/return$/)
  expect(await statusOf(asked)).toBe('pending')
  expect(complaints).toEqual([])
})

test('after three wrong codes the bank sends the browser back', { tag: LONG }, async ({ page }) => {
  const asked = await openBank(page, CARDS.noCodeIsRight)
  for (let tries = 0; tries < 3; tries += 1) {
    await code(page).fill('1234')
    await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')])
  }
  await page.waitForURL(/\/return$/)
  expect(await statusOf(asked)).toBe('failed')
})

test('a button cancels, with no code given', { tag: LONG }, async ({ page }) => {
  const asked = await openBank(page, CARDS.code)
  await page.getByRole('button', { name: 'Cancel the payment' }).click()
  await page.waitForURL(/\/return$/)
  expect(await statusOf(asked)).toBe('not_authenticated')
})

test('the page goes back by itself when its time is over', { tag: LONG }, async ({ page }) => {
  const asked = await openBank(page, CARDS.hurried)
  await expect(page.getByRole('timer')).toHaveText('0:03')
  await page.waitForURL(/\/return$/)
  expect(await statusOf(asked)).toBe('not_authenticated')
})

test('the page goes on by itself once the app has approved', async ({ page }) => {
  const asked = await openBank(page, CARDS.app)
  const phone = await page.context().newPage()
  const acs = await page.locator('[name=acs]').inputValue()
  await phone.goto('about:blank')
  const { origin } = new URL(page.url())
  await phone.setContent(
    `<form method="post" action="${origin}/3ds/challenge/answer"><input name="acs" value="${acs}"><button name="action" value="approve">A</button></form>`,
  )
  await phone.getByRole('button').click()
  await page.waitForURL(/\/return$/)
  expect(await statusOf(asked)).toBe('pending')
})

test('without scripts the page asks, and goes back by a button', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const asked = await server.ask(CARDS.code)
  const { step } = await server.session(asked)
  if (step?.kind !== 'challenge') throw new Error('no challenge')
  await page.setContent(
    `<form method="post" action="${step.url}"><input name="creq" value="${step.creq}"><button>Go</button></form>`,
  )
  await page.getByRole('button', { name: 'Go' }).click()
  await code(page).fill('1234')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Go on' }).click()
  await expect(page).toHaveURL(/\/return$/)
  expect(await statusOf(asked)).toBe('pending')
  await context.close()
})
