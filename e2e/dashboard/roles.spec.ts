import { expect } from '@playwright/test'
import { Dashboard } from '../pages/dashboard.ts'
import { browserOf, join } from '../world/people.ts'
import { test } from './as-owner.ts'

const ACTS =
  /^(?:Capture|Cancel|Refund|Roll|Revoke|Make|Add|Invite|Remove|Change role|Test|Save|New |Copy to|Delete)/

test('a viewer sees everything and can change nothing, until an owner gives another role', async ({
  dashboard: owner,
  merchant,
  server,
  browser,
}) => {
  const held = await server.charge({ amount: '40.00', reference: 'viewed', isHold: true })
  const { person, state } = await join(merchant, 'viewer', 'Vera Viewer')
  const context = await browserOf(browser, person, state)
  const viewer = new Dashboard(await context.newPage())
  const pages: [path: string, title: string | RegExp, shown: string | RegExp][] = [
    [`/charges/${held}`, /40\.00/, /your server/i],
    ['/templates', 'Templates', 'No configurations yet'],
    ['/security', 'API and Security', merchant.publicKey],
    ['/webhooks', 'Webhooks', 'No webhook yet'],
    ['/gateways', 'Gateways', 'Sandbox'],
    ['/team', 'Team', 'Olive Owner'],
    ['/audit', 'Audit log', /joined/i],
  ]
  for (const [path, title, shown] of pages) {
    await viewer.open(path, title)
    await expect(viewer.content).toContainText(shown)
    await expect(
      viewer.content.getByRole('button', { name: ACTS }).or(viewer.content.getByRole('link', { name: ACTS })),
    ).toHaveCount(0)
  }

  await owner.open('/team', 'Team')
  await owner.row('Members', 'Vera Viewer').getByRole('button', { name: 'Change role' }).click()
  await owner.dialog('Role of Vera Viewer').getByRole('radio', { name: 'Developer' }).check()
  await owner.confirm('Role of Vera Viewer', 'Save')
  await expect(owner.row('Members', 'Vera Viewer')).toContainText('Developer')
  await viewer.open(`/charges/${held}`, /40\.00/)
  await expect(viewer.content.getByRole('button', { name: 'Capture' })).toBeVisible()

  await owner.row('Members', 'Vera Viewer').getByRole('button', { name: 'Remove' }).click()
  await owner.confirm('Remove Vera Viewer?', 'Remove')
  await expect(owner.row('Members', 'Vera Viewer')).toHaveCount(0)
  await viewer.press('Capture')
  await viewer.confirm('Capture held funds', /^Capture/)
  await viewer.isAt('Sign in')
  await context.close()
})
