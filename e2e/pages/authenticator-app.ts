import { expect } from '@playwright/test'
import { generate } from 'otplib'
import type { Dashboard } from './dashboard.ts'

/** How long a code of an authenticator app is shown. */
const STEP_SECONDS = 30

/** The code that an authenticator app shows so many steps from now: each is valid once. */
export const codeIn = (steps: number, secret: string) =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * STEP_SECONDS })

/** Sets up an authenticator app on the profile page; returns its secret and one of the recovery codes. */
export async function setUpApp(dashboard: Dashboard): Promise<{ secret: string; recovery: string }> {
  await dashboard.part('Authenticator app').getByRole('button', { name: 'Set up' }).click()
  const app = dashboard.dialog('Set up an authenticator app')
  await expect(app.getByRole('img', { name: 'QR code with the secret below' })).toBeVisible()
  const secret = ((await app.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await app.getByLabel('Code that the app shows now').fill(await codeIn(0, secret))
  await app.getByRole('button', { name: 'Turn on' }).click()
  const codes = dashboard.dialog('Your recovery codes').getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recovery = (await codes.first().textContent()) ?? ''
  await dashboard.confirm('Your recovery codes', 'I have saved them')
  await expect(dashboard.part('Authenticator app')).toContainText('On')
  return { secret, recovery }
}
