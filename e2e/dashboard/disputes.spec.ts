import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG, isLong } from '../long-form.ts'
import { PDF } from '../world/stock/stock-disputes.ts'
import { test } from './as-owner.ts'
import { inspectFromTop } from './states/look.ts'

test.use({ merchantName: 'Disputed Lamps' })

test.setTimeout(isLong ? 300_000 : 120_000)

/** Card holder, gateway and jobs each take a second or two, and more on a busy machine. */
const IN_A_WHILE = { timeout: 20_000 }
const heading = (page: Page, name: RegExp) => page.getByRole('heading', { level: 1, name })

/** As large as a file may be. */
const LARGEST = Buffer.concat([PDF, Buffer.alloc(2_000_000 - 2 * PDF.length), PDF])

const file = (name: string, mimeType = 'application/pdf') => ({ name, mimeType, buffer: PDF })

/** Drops files on a part of the page, as from the desktop. */
async function drop(page: Page, place: string, names: readonly string[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([text, ...all]) => {
      const transfer = new DataTransfer()
      for (const name of all) transfer.items.add(new File([text ?? ''], name, { type: 'application/pdf' }))
      return transfer
    },
    [PDF.toString(), ...names],
  )
  const item = page.getByRole('listitem').filter({ hasText: place })
  await item.dispatchEvent('dragover', { dataTransfer })
  await item.dispatchEvent('drop', { dataTransfer })
}

test('a dispute arrives by itself, is defended with files, and is won', async ({
  dashboard,
  server,
  page,
}, info) => {
  await dashboard.open('/disputes', 'Disputes')
  await server.charge({ amount: '9000.41', reference: 'lamp-1' })
  await expect(page.getByText('1 new dispute')).toBeVisible(IN_A_WHILE)
  await dashboard.press('Show')
  const row = dashboard.row('Disputes', '$9,000.41')
  await expect(row).toContainText(/Needs response.*in 7 days.*Not received/)
  await inspectFromTop(page, info, { name: 'list', index: 1 })
  await row.getByRole('link', { name: '$9,000.41' }).click()
  await dashboard.isAt(/9,000\.41.*Needs response/)
  await dashboard.says(/Without an answer in time the card holder keeps \$9,000\.41/)
  await expect(page.getByRole('radio').first()).toBeVisible()
  await inspectFromTop(page, info, { name: 'open', index: 0 })

  await dashboard.press('Send defence')
  await dashboard.says('Choose how you defend it.')
  await page.getByRole('radio', { name: /goods were delivered/ }).check()
  await dashboard.press('Send defence')
  await dashboard.says('Still needed: Shows that it arrived.')
  const chooser = page.getByLabel('Choose a file: Shows that it arrived')
  await chooser.setInputFiles(file('delivery.txt', 'text/plain'))
  await dashboard.says(/delivery\.txt can’t be sent: the gateway takes PDF, JPEG or PNG/)
  await chooser.setInputFiles({ ...file('cut-off.pdf'), buffer: PDF.subarray(0, 9) })
  await dashboard.says('cut-off.pdf is no whole PDF file. Save it again, and add that.')
  await inspectFromTop(page, info, { name: 'faults', index: 1 })
  await chooser.setInputFiles({ ...file('delivery.pdf'), buffer: LARGEST })
  await expect(page.getByRole('link', { name: 'delivery.pdf' })).toBeVisible(IN_A_WHILE)

  await drop(page, 'The invoice or receipt', ['page-1.pdf', 'page-2.pdf'])
  await dashboard.says(/One file goes here/)
  await drop(page, 'The invoice or receipt', ['invoice.pdf'])
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'invoice.pdf' }).click()
  expect(await readFile(await (await saved).path())).toEqual(PDF)

  await page.getByLabel('In your own words').fill('Delivered on Monday, and signed for.')
  await dashboard.press('Send defence')
  const question = dashboard.dialog('Send this defence?')
  await expect(question).toContainText(/with 2 files.*delivery\.pdf.*invoice\.pdf.*You can answer only once/)
  await inspectFromTop(page, info, { name: 'question', index: 0 })
  await question.getByRole('button', { name: 'Send defence' }).click()
  await expect(heading(page, /Won/)).toBeVisible(IN_A_WHILE)
  await dashboard.says('You have won. $9,000.41 is yours.')
  await expect(dashboard.part('History').getByRole('listitem')).toContainText([
    /Won.*Decided for the merchant/,
    /Under review.*Defended/,
    /Disputed.*Charged back/,
  ])
  await expect(page.getByRole('link', { name: 'delivery.pdf' })).toBeVisible()
  await inspectFromTop(page, info, { name: 'won', index: 1 })
})

test('a dispute is seen where its charge is, and accepted with the keyboard', async ({
  dashboard,
  server,
  page,
}, info) => {
  const id = await server.charge({ amount: '9000.42', reference: 'lamp-2' })
  await dashboard.open(`/charges/${id}`, /9,000\.42/)
  await expect(page.getByText(/The card holder disputes \$9,000\.42 .*get the money twice/)).toBeVisible(
    IN_A_WHILE,
  )
  await expect(dashboard.content.getByRole('button', { name: 'Refund' })).toHaveCount(0)
  await dashboard.open('/charges?q=lamp-2', 'Charges')
  await expect(dashboard.row('Charges', 'lamp-2')).toContainText(/Captured\s*Disputed/)
  await dashboard.open('/', 'Overview')
  const needs = dashboard.part('Needs attention')
  await expect(needs).toContainText('1 dispute needs a response')
  await needs.getByRole('link', { name: 'Chargeback of $9,000.42' }).focus()
  await page.keyboard.press('Enter')
  await dashboard.isAt(/9,000\.42/)

  await page.getByRole('button', { name: 'Accept dispute' }).focus()
  await page.keyboard.press('Enter')
  const question = dashboard.dialog('Accept this dispute?')
  await expect(question).toContainText('The card holder keeps $9,000.42')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await inspectFromTop(page, info, { name: 'accept', index: 1 })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(heading(page, /Accepted/)).toBeVisible(IN_A_WHILE)
  await inspectFromTop(page, info, { name: 'accepted', index: 0 })
  await page.getByRole('link', { name: 'Open the charge' }).click()
  await dashboard.says(/A dispute about \$9,000\.42 was accepted\. Do not refund it as well/)
  await expect(dashboard.fact('Charged back')).toHaveText('$9,000.42')
})

test(
  'an inquiry, a second chargeback and a list of both fit the window',
  { tag: LONG },
  async ({ dashboard, server, page }, info) => {
    await server.charge({ amount: '9000.43', reference: 'lamp-3' })
    await server.charge({ amount: '9000.44', reference: 'lamp-4' })
    await server.charge({ amount: '9000.45', reference: 'lamp-5' })
    await expect(async () => {
      await dashboard.open('/disputes?status=needs_response', 'Disputes')
      for (const amount of ['$9,000.43', '$9,000.44', '$9,000.45'])
        await expect(dashboard.row('Disputes', amount)).toBeVisible({ timeout: 1000 })
    }).toPass(IN_A_WHILE)
    await inspectFromTop(page, info, { name: 'list-of-open', index: 0 })
    await dashboard.open('/', 'Overview')
    await inspectFromTop(page, info, { name: 'needs-of-disputes', index: 0 })
    await dashboard.open('/disputes', 'Disputes')
    await dashboard.row('Disputes', '$9,000.43').getByRole('link', { name: '$9,000.43' }).click()
    await dashboard.says(/Without an answer in time the inquiry can become a chargeback/)
    await inspectFromTop(page, info, { name: 'inquiry', index: 0 })

    await dashboard.open('/disputes', 'Disputes')
    await dashboard.row('Disputes', '$9,000.44').getByRole('link', { name: '$9,000.44' }).click()
    await page.getByRole('radio', { name: /goods were delivered/ }).check()
    await page.getByLabel('Choose a file: Shows that it arrived').setInputFiles(file('delivery.pdf'))
    await expect(page.getByRole('link', { name: 'delivery.pdf' })).toBeVisible()
    await page.getByLabel('In your own words').fill('Sent with tracking, and signed for by the card holder.')
    await page.getByRole('radio', { name: /given back before/ }).check()
    await page.getByLabel('Choose a file: Shows the refund').setInputFiles(file('refund.pdf'))
    await expect(page.getByRole('link', { name: 'refund.pdf' })).toBeVisible()
    await inspectFromTop(page, info, { name: 'other-files', index: 0 })
    await page.getByRole('radio', { name: /goods were delivered/ }).check()
    await dashboard.press('Send defence')
    const question = dashboard.dialog('Send this defence?')
    await expect(question).toContainText(/with 1 file/)
    await question.getByRole('button', { name: 'Send defence' }).click()
    await expect(page.getByText(/did not accept the first defence/)).toBeVisible(IN_A_WHILE)
    await inspectFromTop(page, info, { name: 'second', index: 0 })
  },
)
