import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG, someOf } from '../../long-form.ts'
import { OWN_PAGES, pagesOf } from './every-page.ts'
import { test } from './stocked.ts'

test('single keys move through a list, search and leave it, but not while somebody types', async ({
  dashboardOf,
  full,
}) => {
  const dashboard = await dashboardOf(full.owner)
  const { page } = dashboard
  const rows = dashboard.list('Charges').getByRole('link')
  await dashboard.open('/charges', 'Charges')
  await expect(rows.first()).toBeVisible()
  await page.keyboard.press('j')
  await expect(rows.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('k')
  await expect(rows.nth(1)).toBeFocused()

  await page.keyboard.press('/')
  const search = page.getByRole('searchbox')
  await expect(search).toBeFocused()
  await page.keyboard.type('j?/k')
  await expect(search).toHaveValue('j?/k')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await search.fill('MF-10446')
  await expect(rows).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/charges/${full.stock.captured}$`))
})

test(
  'the key ? opens the list of shortcuts, which names those of the page',
  { tag: LONG },
  async ({ dashboardOf, full }) => {
    const dashboard = await dashboardOf(full.owner)
    const { page } = dashboard
    await dashboard.open('/charges', 'Charges')
    await expect(dashboard.list('Charges')).toBeVisible()
    await page.keyboard.press('?')
    const dialog = dashboard.dialog('Keyboard shortcuts')
    await expect(dialog.locator('kbd')).toContainText(['?', '/', 'j', '↓', 'k', '↑', 'Enter', 'Esc'], {
      useInnerText: true,
    })
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  },
)

test(
  'the menu can be skipped, and a new page announces its title',
  { tag: LONG },
  async ({ dashboardOf, full }) => {
    const dashboard = await dashboardOf(full.owner)
    const { page } = dashboard
    await dashboard.open('/team', 'Team')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Invite' })).toBeFocused()

    await page.getByRole('link', { name: 'Gateways' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Gateways' })).toBeFocused()
    await expect(page).toHaveTitle('Gateways · Dashboard')
  },
)

/** All controls of a page. Of a group of radio buttons only one counts, as the arrow keys reach the others. */
const CONTROLS = 'a[href], button, input:not([type=radio]), select, textarea, summary, iframe'

test('Tab reaches each control of each page, and the focus is visible on each', async ({
  dashboardOf,
  full,
}) => {
  test.setTimeout(240_000)
  const dashboard = await dashboardOf(full.owner)
  const { page } = dashboard
  const { held, dispute, checkout, active, configuration } = full.stock
  const single = new Set([held, dispute, checkout, active, configuration])
  const pages = pagesOf(full.stock).filter(({ path }) => single.has(path.split('/').at(-1) ?? ''))
  await dashboard.open('/', 'Overview')
  for (const [index, { name, path, title }] of someOf([...OWN_PAGES, ...pages], 4).entries()) {
    if (index > 0) await dashboard.follow(path)
    await dashboard.isAt(title)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    // The menu is the same on each page.
    const isWhole = index === 0
    if (!isWhole) await skipMenu(page)
    const reached = await tabThrough(page)
    expect.soft(reached.unseen, `${name}: the focus is not seen`).toEqual([])
    const part = page.locator(isWhole ? 'body' : 'main')
    const controls = await part.locator(CONTROLS).filter({ visible: true }).count()
    expect.soft(reached.controls, `${name}: controls that Tab reaches`).toBe(controls)
  }
})

async function skipMenu(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Skip to the content' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
}

interface Reached {
  /** How many controls had the focus. */
  controls: number
  /** Those on which the focus can't be seen. */
  unseen: string[]
}

/** Presses Tab until the focus has left the page. */
async function tabThrough(page: Page): Promise<Reached> {
  const reached: Reached = { controls: 0, unseen: [] }
  await page.evaluate(forgetReached)
  for (;;) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate(lookAtFocus, CONTROLS)
    if (focus === null) return reached
    // A date input has a Tab stop for each of its parts.
    if (!focus.isNew) continue
    if (focus.isControl) reached.controls += 1
    if (!focus.isSeen) reached.unseen.push(focus.html)
  }
}

interface Focus {
  html: string
  isNew: boolean
  isControl: boolean
  isSeen: boolean
}

/** Runs in the page: two pages may share an element. */
function forgetReached(): void {
  for (const element of document.querySelectorAll('[data-reached]')) element.removeAttribute('data-reached')
}

/** Runs in the page: the element with the focus; null where it is the page itself, or an element that has had it before. */
function lookAtFocus(controls: string): Focus | null {
  const element = document.activeElement
  const last = document.querySelector('[data-reached=last]')
  if (element === null || element === document.body) return null
  if (element !== last && element.hasAttribute('data-reached')) return null
  last?.setAttribute('data-reached', '')
  element.setAttribute('data-reached', 'last')
  const isOutlined = (place: Element | null, part?: string) =>
    place !== null && getComputedStyle(place, part).outlineStyle !== 'none'
  return {
    html: element.outerHTML.slice(0, 120),
    isNew: element !== last,
    isControl: element.matches(controls),
    // Within a frame the focused element has its outline in that frame.
    isSeen:
      element instanceof HTMLIFrameElement ||
      isOutlined(element) ||
      isOutlined(element, '::after') ||
      isOutlined(element.parentElement),
  }
}
