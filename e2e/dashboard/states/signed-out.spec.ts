import { expect } from '@playwright/test'
import { generateSync } from 'otplib'
import { LONG } from '../../long-form.ts'
import { DashboardApi } from '../../world/dashboard-api.ts'
import { join } from '../../world/people.ts'
import { inspectLooks } from './look.ts'
import { test } from './stocked.ts'

test.setTimeout(180_000)

test('each step of the sign-in and of an invitation is accessible and fits its window', async ({
  dashboardOf,
  full,
}, info) => {
  const dashboard = await dashboardOf(null)
  const { page } = dashboard
  const tess = await join(full.merchant, 'viewer', 'Tess Totp')
  const invitations = await DashboardApi.of(full.owner)
  const link = await invitations.linkFor({ email: `new.${tess.person.email}`, role: 'viewer' })
  await invitations.end()

  await dashboard.open('/', 'Sign in')
  await inspectLooks(page, info, { name: 'sign-in', index: 0 })
  await dashboard.giveCredentials({ email: tess.person.email, password: 'not this one at all' })
  await expect(page.getByRole('alert')).toBeVisible()
  await inspectLooks(page, info, { name: 'refused', index: 1 })
  await page.goto(link)
  await dashboard.isAt('Join Marlow & Finch')
  await inspectLooks(page, info, { name: 'invitation', index: 0 })
  await page.goto(link.replace(/.{43}$/, 'x'.repeat(43)))
  await page.reload()
  await expect(page.getByRole('alert')).toBeVisible()
  await inspectLooks(page, info, { name: 'no-invitation', index: 1 })
})

test('the steps of setting up and of giving a second factor are accessible and fit their window', async ({
  dashboardOf,
  full,
}, info) => {
  const tess = await join(full.merchant, 'viewer', 'Tess Totp')
  const dashboard = await dashboardOf(tess)
  const { page } = dashboard
  await dashboard.open('/profile', 'My profile')
  await dashboard.press('Set up')
  const app = dashboard.dialog('Set up an authenticator app')
  const secret = ((await app.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await app.getByLabel('Code that the app shows now').fill(generateSync({ secret }))
  await app.getByRole('button', { name: 'Turn on' }).click()
  await expect(dashboard.dialog('Your recovery codes')).toBeVisible()
  await inspectLooks(page, info, { name: 'recovery-codes', index: 1 })
  await dashboard.confirm('Your recovery codes', 'I have saved them')
  await inspectLooks(page, info, { name: 'profile-with-app', index: 0 })
  await dashboard.signOut()
  await dashboard.giveCredentials(tess.person)
  await dashboard.isAt('Enter the code')
  await inspectLooks(page, info, { name: 'code', index: 1 })
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await dashboard.isAt('Enter a recovery code')
  await inspectLooks(page, info, { name: 'recovery-code', index: 0 })
})

test(
  'the pages of an ended session and of an offline device are accessible and fit',
  { tag: LONG },
  async ({ dashboardOf, full }, info) => {
    const dashboard = await dashboardOf(full.owner)
    const { page } = dashboard
    await dashboard.open('/charges', 'Charges')
    await page.context().setOffline(true)
    // The browser may still have the script of a page that an earlier test has opened.
    await page.route('**/*.js', (route) => route.abort('internetdisconnected'))
    await page.getByRole('link', { name: 'Team' }).click()
    await expect(page.getByRole('heading', { name: 'This page could not be loaded' })).toBeVisible()
    await inspectLooks(page, info, { name: 'page-offline', index: 0 })
    await page.getByRole('link', { name: 'Charges' }).click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText('offline')
    await inspectLooks(page, info, { name: 'offline', index: 1 })
    await page.context().clearCookies()
    await page.context().setOffline(false)
    await page.unroute('**/*.js')
    await page.goto('/charges')
    await dashboard.isAt('Sign in')
    await inspectLooks(page, info, { name: 'ended', index: 0 })
  },
)
