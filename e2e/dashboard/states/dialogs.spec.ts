import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { LONG, isLong, someOf } from '../../long-form.ts'
import type { Dashboard } from '../../pages/dashboard.ts'
import type { Stock } from '../../world/stocked-world.ts'
import { inspectLooks } from './look.ts'
import { test } from './stocked.ts'

test.setTimeout(isLong ? 1_800_000 : 600_000)

/** A dialog, and the button that opens it. */
interface DialogState {
  path: string
  /** Absent: the page itself has the button. */
  row?: string
  button: string
  title: string | RegExp
  /** Whether it is like the one before; such a dialog is left to `npm run e2e:all`. */
  isLikeOther?: true
}

const dialogsOf = (stock: Stock): readonly DialogState[] => [
  { path: `/charges/${stock.held}`, button: 'Edit details', title: 'Edit details' },
  { path: `/charges/${stock.held}`, button: 'Capture', title: 'Capture held funds' },
  { path: `/charges/${stock.held}`, button: 'Cancel hold', title: 'Cancel this hold?' },
  { path: `/charges/${stock.long}`, button: 'Refund', title: 'Refund' },
  { path: `/disputes/${stock.dispute}`, button: 'Accept dispute', title: 'Accept this dispute?' },
  { path: `/disputes/${stock.dispute}`, button: 'Send defence', title: 'Send this defence?' },
  {
    path: `/checkouts/${stock.checkout}`,
    button: 'Cancel checkout',
    title: 'Cancel this checkout?',
    isLikeOther: true,
  },
  { path: `/agreements/${stock.active}`, button: 'Make a payment', title: 'Make a payment' },
  { path: `/agreements/${stock.active}`, button: 'Suspend', title: 'Suspend this agreement?' },
  { path: `/agreements/${stock.active}`, button: 'Amend', title: 'Amend this agreement' },
  {
    path: `/agreements/${stock.active}`,
    button: 'Cancel agreement',
    title: 'Cancel this agreement?',
    isLikeOther: true,
  },
  { path: '/security', button: 'Roll public key', title: 'Roll the public key' },
  { path: '/security', button: 'Roll secret key', title: 'Roll the secret key', isLikeOther: true },
  { path: '/security', row: 'Secret', button: 'Revoke', title: 'Revoke this secret key?' },
  { path: '/security', button: 'Create a client', title: 'Create a client' },
  { path: '/security', row: 'client_', button: 'New secret', title: 'Create a new secret' },
  { path: '/security', row: 'client_', button: 'Revoke', title: 'Revoke this client?', isLikeOther: true },
  { path: '/webhooks', button: 'Add a webhook', title: 'Add a webhook' },
  { path: `/webhooks/${stock.webhook}`, button: 'Change', title: 'Change this webhook' },
  {
    path: `/webhooks/${stock.webhook}`,
    button: 'New secret',
    title: 'Create a new signing secret',
    isLikeOther: true,
  },
  { path: `/webhooks/${stock.webhook}`, button: 'Delete', title: 'Delete this webhook?', isLikeOther: true },
  { path: `/gateways/${stock.gateway}`, button: 'Replace the key', title: 'Replace the key' },
  { path: `/gateways/${stock.gateway}`, button: 'Change', title: '3-D Secure' },
  {
    path: '/gateways',
    row: 'Adyen, Sydney',
    button: 'Make default',
    title: /^Send new charges to/,
    isLikeOther: true,
  },
  { path: '/team', button: 'Invite', title: 'Invite to the team' },
  { path: '/team', row: 'Featherstonehaugh', button: 'Change role', title: /^Role of Wolfe/ },
  { path: '/team', row: 'Featherstonehaugh', button: 'Remove', title: /^Remove Wolfe/, isLikeOther: true },
  { path: '/profile', button: 'Set up', title: 'Set up an authenticator app' },
  { path: '/profile', button: 'Add a passkey', title: 'Add a passkey' },
  { path: '/profile', button: 'Sign out everywhere', title: 'Sign out everywhere?', isLikeOther: true },
]

function openerOf({ content }: Dashboard, { row, button }: DialogState): Locator {
  const within = row === undefined ? content : content.getByRole('row').filter({ hasText: row }).first()
  return within.getByRole('button', { name: button, exact: true })
}

test('each dialog is accessible, fits its window, takes the focus and gives it back', async ({
  dashboardOf,
  full,
}, info) => {
  const dashboard = await dashboardOf(full.owner)
  const { page } = dashboard
  let shown = '/'
  await dashboard.open(shown, 'Overview')
  for (const [index, state] of someOf(dialogsOf(full.stock), 4).entries()) {
    if (state.path !== shown) await dashboard.follow(state.path)
    shown = state.path
    const opener = openerOf(dashboard, state)
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = dashboard.dialog(state.title)
    await expect(dialog).toBeVisible()
    await expect(dialog.locator('.dialog-content :focus')).toHaveCount(1)
    if (isLong || !state.isLikeOther)
      await inspectLooks(page, info, { name: `${index}-${state.button.replaceAll(' ', '-')}`, index })
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener, `${state.button} has the focus again`).toBeFocused()
  }
})

test(
  'each menu, and each secret that is shown once, is accessible and fits its window',
  { tag: LONG },
  async ({ dashboardOf, full }, info) => {
    const dashboard = await dashboardOf(full.owner)
    const { page } = dashboard
    await dashboard.open('/charges', 'Charges')
    await page.keyboard.press('?')
    await expect(dashboard.dialog('Keyboard shortcuts')).toBeVisible()
    await inspectLooks(page, info, { name: 'shortcuts', index: 1 })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Your account/ }).click()
    await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible()
    await inspectLooks(page, info, { name: 'account', index: 2 })
    await page.keyboard.press('Escape')

    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await expect(page.getByRole('link', { name: 'Webhooks' })).toBeVisible()
    await inspectLooks(page, info, { name: 'navigation', index: 3 })
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 900 })

    await dashboard.open('/security', 'API and Security')
    await dashboard.press('Roll public key')
    await dashboard.confirm('Roll the public key', 'Roll public key')
    await expect(dashboard.dialog('Your new public key')).toBeVisible()
    await inspectLooks(page, info, { name: 'new-key', index: 4 })
    await dashboard.confirm('Your new public key', 'Done')

    await dashboard.open('/team', 'Team')
    await dashboard.press('Invite')
    await dashboard.dialog('Invite to the team').getByLabel('E-mail').fill('no address')
    await dashboard.confirm('Invite to the team', 'Create a link')
    await expect(dashboard.dialog('Invite to the team').locator('[aria-invalid=true]')).toHaveCount(1)
    await inspectLooks(page, info, { name: 'invite-fault', index: 5 })
    await dashboard.dialog('Invite to the team').getByLabel('E-mail').fill('hedy@marlow.example')
    await dashboard.confirm('Invite to the team', 'Create a link')
    await expect(dashboard.dialog('Invitation link')).toBeVisible()
    await inspectLooks(page, info, { name: 'invitation-link', index: 6 })
  },
)
