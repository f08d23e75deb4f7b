import { expect } from '@playwright/test'
import type { BrowserContext, Page } from '@playwright/test'
import { codeIn, setUpApp } from '../pages/authenticator-app.ts'
import { Dashboard } from '../pages/dashboard.ts'
import { DASHBOARD_URL } from '../world/addresses.ts'
import { browserOf, join, NOBODY, somebody } from '../world/people.ts'
import type { Person } from '../world/people.ts'
import { test } from './as-owner.ts'

/** Adds a virtual device that makes and uses passkeys without asking the person. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Has the owner invite somebody; returns the link. */
async function invite(dashboard: Dashboard, { email }: Person, role: string): Promise<string> {
  await dashboard.open('/team', 'Team')
  await dashboard.press('Invite')
  const dialog = dashboard.dialog('Invite to the team')
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('radio', { name: role }).check()
  await dialog.getByRole('button', { name: 'Create a link' }).click()
  const link = await dashboard.dialog('Invitation link').getByText('/invitation#').textContent()
  await dashboard.confirm('Invitation link', 'Done')
  await expect(dashboard.row('Open invitations', email)).toContainText('Olive Owner')
  return link ?? ''
}

/** Accepts an invitation, in a browser that knows nobody yet. */
async function accept(dashboard: Dashboard, link: string, { name, password }: Person): Promise<void> {
  await dashboard.open(link, 'Join Kestrel Books')
  await dashboard.page.getByLabel('Your name').fill(name)
  await dashboard.page.getByLabel('Choose a password').fill(password)
  await dashboard.page.getByRole('button', { name: 'Join' }).click()
  await dashboard.isAt('Overview')
}

test('an invited person joins, and signs in by password, app, recovery code and passkey', async ({
  dashboard: owner,
  browser,
}) => {
  const grace = somebody('Grace Hopper')
  const link = await invite(owner, grace, 'Developer')
  const context = await browserOf(browser, grace)
  const page = await context.newPage()
  const dashboard = new Dashboard(page)
  await addAuthenticator(context, page)

  await accept(dashboard, link, grace)
  await dashboard.open('/profile', 'My profile')
  const { secret, recovery } = await setUpApp(dashboard)
  await dashboard.press('Add a passkey')
  await dashboard.dialog('Add a passkey').getByLabel('Name').fill('Laptop')
  await dashboard.confirm('Add a passkey', 'Continue')
  await expect(dashboard.row('Your passkeys', 'Laptop')).toContainText('Never')
  await dashboard.signOut()

  await dashboard.giveCredentials({ ...grace, password: 'not her password' })
  await dashboard.says('The e-mail address or the password is wrong.')
  await dashboard.giveCredentials(grace)
  await dashboard.isAt('Enter the code')
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('alert')).toHaveText('The code is wrong, or was used before.')
  await page.getByLabel('Code').fill(await codeIn(1, secret))
  await page.getByRole('button', { name: 'Continue' }).click()
  await dashboard.isAt('Overview')
  await dashboard.signOut()

  await dashboard.giveCredentials(grace)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery)
  await page.getByRole('button', { name: 'Continue' }).click()
  await dashboard.isAt('Overview')
  await dashboard.open('/profile', 'My profile')
  await expect(dashboard.part('Recovery codes')).toContainText('9 codes left')
  await dashboard.signOut()

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await dashboard.isAt('Overview')
  await page.goto('/security')
  await dashboard.press('Roll secret key')
  await dashboard.confirm('Roll the secret key', 'Roll secret key')
  const question = dashboard.dialog('Confirm your password')
  await question.getByLabel('Password', { exact: true }).fill('not her password')
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(question).toContainText('This is not your password.')
  await question.getByLabel('Password', { exact: true }).fill(grace.password)
  await question.getByRole('button', { name: 'Confirm' }).click()
  await expect(dashboard.dialog('Your new secret key')).toContainText('This is shown once.')
  await context.close()
})

test.describe('a person who is not signed in', () => {
  test.use({ storageState: NOBODY })

  test('comes to where they wanted to be, by the keyboard alone', async ({ dashboard, owner, page }) => {
    await dashboard.open('/team', 'Sign in')
    await expect(page).toHaveURL(/\/sign-in\?next=%2Fteam$/)
    await expect(page.getByLabel('E-mail')).toBeFocused()
    await page.keyboard.type(owner.person.email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(owner.person.password)
    await page.keyboard.press('Enter')
    await dashboard.isAt('Team')
  })

  test('is led to no other site by a link', async ({ dashboard, owner, page }) => {
    await dashboard.open('/sign-in?next=https%3A%2F%2Fevil.example%2F', 'Sign in')
    await dashboard.giveCredentials(owner.person)
    await dashboard.isAt('Overview')
    await expect(page).toHaveURL(`${DASHBOARD_URL}/`)
  })
})

test('signs out everywhere at once, and comes back', async ({ merchant, browser }) => {
  const { person, state } = await join(merchant, 'viewer', 'Linus Leaver')
  const [here, there] = [await browserOf(browser, person, state), await browserOf(browser, person)]
  const [phone, laptop] = [new Dashboard(await here.newPage()), new Dashboard(await there.newPage())]
  await laptop.open('/profile', 'Sign in')
  await laptop.giveCredentials(person)
  await laptop.isAt('My profile')
  await phone.open('/profile', 'My profile')
  await expect(phone.list('Your sessions').getByRole('row')).toHaveCount(3)
  await phone.press('Sign out everywhere')
  await phone.confirm('Sign out everywhere?', 'Sign out everywhere')
  await phone.isAt('Sign in')
  await laptop.page.getByRole('link', { name: 'Charges' }).click()
  await laptop.isAt('Sign in')
  await laptop.giveCredentials(person)
  await laptop.isAt('Charges')
  await Promise.all([here.close(), there.close()])
})
