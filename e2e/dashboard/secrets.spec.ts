import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { setUpApp } from '../pages/authenticator-app.ts'
import { Dashboard } from '../pages/dashboard.ts'
import { DASHBOARD_URL } from '../world/addresses.ts'
import { everythingInTheDatabase } from '../world/database.ts'
import { LOG_FILE } from '../world/paths.ts'
import { browserOf, join } from '../world/people.ts'
import { complaintsOf, test } from './as-owner.ts'

/** Everything that a browser keeps for a page: what scripts store, and the state of its history entry. */
const keptIn = (page: Page): Promise<string> =>
  page.evaluate(async () =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await indexedDB.databases(),
      await caches.keys(),
      document.cookie,
      window.name,
      history.state,
    ]),
  )

/** Makes one of each secret that the dashboard shows once. */
async function makeSecrets(dashboard: Dashboard): Promise<string[]> {
  await dashboard.open('/security', 'API and Security')
  await dashboard.press('Roll secret key')
  await dashboard.confirm('Roll the secret key', 'Roll secret key')
  const key = await dashboard.secretIn('Your new secret key')
  await dashboard.press('Create a client')
  await dashboard.confirm('Create a client', 'Create a client')
  const client = await dashboard.secretIn('Your new client')
  await dashboard.page.getByRole('link', { name: 'Webhooks' }).click()
  await dashboard.press('Add a webhook')
  await dashboard.dialog('Add a webhook').getByLabel('Address').fill('http://127.0.0.1:9/hook')
  await dashboard.confirm('Add a webhook', 'Add a webhook')
  const webhook = await dashboard.secretIn('Webhook added')
  await dashboard.open('/profile', 'My profile')
  const { secret, recovery } = await setUpApp(dashboard)
  return [key, client, webhook, secret, recovery]
}

test('no secret is left in a log, the database, an address, a page or the browser', async ({
  merchant,
  browser,
}) => {
  const { person } = await join(merchant, 'owner', 'Sybil Secret')
  const context = await browserOf(browser, person)
  const complaints = complaintsOf(context)
  const page = await context.newPage()
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''))
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  const dashboard = new Dashboard(page)
  await dashboard.open('/', 'Sign in')
  await dashboard.giveCredentials(person)
  await dashboard.isAt('Overview')
  const [cookie] = await context.cookies(DASHBOARD_URL)
  expect(cookie).toMatchObject({ name: 'svc_session', httpOnly: true, sameSite: 'Strict', path: '/' })
  expect(cookie?.expires).toBe(-1)
  const secrets = [person.password, cookie?.value ?? '', ...(await makeSecrets(dashboard))]
  expect(secrets.every((secret) => secret.length >= 10)).toBe(true)

  const places: Record<string, string> = { kept: await keptIn(page) }
  for (const path of ['/security', '/webhooks', '/profile', '/team', '/audit']) {
    await page.goto(path)
    await expect(dashboard.content.getByRole('table').first()).toBeVisible()
    places[path] = await page.content()
  }
  places['addresses'] = addresses.join('\n')
  places['log'] = readFileSync(LOG_FILE, 'utf8')
  places['database'] = await everythingInTheDatabase()
  expect(places['kept']).toBe('[[],[],[],[],"","",null]')
  expect(places['log']).toContain('/api/session')
  expect(places['database']).toContain(person.email)
  for (const [place, text] of Object.entries(places))
    for (const [index, secret] of secrets.entries())
      expect(text.includes(secret), `secret ${index} in ${place}`).toBe(false)
  expect(complaints).toEqual([])
  await context.close()
})
