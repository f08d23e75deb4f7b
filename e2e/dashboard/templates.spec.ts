import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { test } from './as-owner.ts'

test('a template is made beside its preview at both widths, and copied to a newer version', async ({
  dashboard,
  server,
  page,
}) => {
  await dashboard.open('/templates/new?type=customisation&version=1', 'New customisation')
  const screen = page.locator('iframe[title^="The card form"]')
  const preview = screen.contentFrame().frameLocator('iframe')
  await expect(preview.getByLabel('Card number')).toBeVisible()
  await page.getByLabel('Label (optional)').fill('Winter')
  await page.getByLabel('Button', { exact: true }).fill('Pay the kestrel')
  await expect(preview.getByRole('button', { name: 'Pay the kestrel' })).toBeVisible()
  const phone = await screen.boundingBox()
  await page.getByRole('link', { name: 'Desktop' }).click()
  await expect(preview.getByRole('button', { name: 'Pay the kestrel' })).toBeVisible()
  await expect.poll(async () => (await screen.boundingBox())?.width).not.toBe(phone?.width)
  await page.getByRole('button', { name: 'Create template' }).click()
  await dashboard.isAt('Winter')
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''

  await server.checkout({
    version: 1,
    amount: '12.00',
    reference: 'winter-order',
    customisation: { template_id: id },
  })
  await page.reload()
  await expect(dashboard.row('Checkouts that use it', 'winter-order')).toContainText(/Open.*\$12\.00/)

  await page.getByRole('link', { name: 'Copy to version 2' }).click()
  await dashboard.isAt('Copy of Winter for version 2')
  await dashboard.says('What version 2 adds:')
  await dashboard.says('Nothing is changed.')
  await page.getByLabel('Show reference and description').selectOption('No')
  await page.getByLabel('Button', { exact: true }).fill('Pay now')
  await expect(dashboard.row('What changes', 'Button')).toHaveText(/Pay the kestrel.*Pay now/)
  await expect(dashboard.row('What changes', 'Show reference')).toHaveText(/default.*No/)
  await page.getByRole('button', { name: 'Create template' }).click()
  await dashboard.isAt('Winter (copy)')

  await dashboard.open('/templates?type=customisation', 'Templates')
  await expect(dashboard.row('Customisations', 'Winter')).toHaveText([/Winter \(copy\)2/, /Winter1/])
})

test('a configuration is made, and what the service refuses is shown beside its field', async ({
  dashboard,
  page,
}) => {
  await dashboard.open('/templates/new?type=configuration', 'New configuration')
  await page.getByLabel('Label').fill('Holds')
  await page.getByLabel('Money is taken').selectOption('Later, by a capture')
  await page.getByLabel('Visa').check()
  await page.getByLabel('Maximum attempts').fill('99')
  await page.getByRole('button', { name: 'Create template' }).click()
  await expect(page.getByLabel('Maximum attempts')).toHaveAccessibleDescription(/must be 1 to 10/i)
  await page.getByLabel('Maximum attempts').fill('3')
  await page.getByRole('button', { name: 'Create template' }).click()
  await dashboard.isAt('Holds')
  await page.getByLabel('Money is taken').selectOption('At once')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await dashboard.says('Saved. Checkouts created from now on use it.')
  await dashboard.says(/revision 2, changed/)
})

test(
  'on a small screen a field that is refused, and why, is not behind the bar of the button',
  { tag: LONG },
  async ({ dashboard, page }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await dashboard.open('/templates/new?type=customisation', 'New customisation')
    const colour = page.getByRole('textbox', { name: 'Text colour', exact: true }).first()
    await colour.fill('var(--x)')
    const button = page.getByRole('button', { name: 'Create template' })
    await button.click()
    await expect(colour).toBeFocused()
    const fault = page.getByText('This is not a CSS value that a form takes')
    await expect(fault).toBeVisible()
    const bottom = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Infinity)
    const barTop = async () => (await button.boundingBox())?.y ?? 0
    await expect.poll(async () => bottom(await fault.boundingBox()) < (await barTop())).toBe(true)
  },
)
