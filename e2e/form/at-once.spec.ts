import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test } from '../pages/open-form.ts'

/** Pastes through the clipboard, as a person does. */
const pasteFromClipboard = async (page: Page, field: Locator, text: string) => {
  const source = page.getByLabel('token')
  await source.fill(text)
  await source.selectText()
  await page.keyboard.press('Control+c')
  await source.fill('')
  await field.click()
  await page.keyboard.press('Control+v')
}

test('of a pasted whole card, number, expiry and code go into their fields', async ({ form, page }) => {
  await form.number.pressSequentially('5111')
  await pasteFromClipboard(page, form.number, '4012 0000 3333 0026 01/39 100')
  await expect(form.number).toHaveValue('4012 0000 3333 0026')
  await expect(form.expiry).toHaveValue('01 / 39')
  await expect(form.code).toHaveValue('100')
  await expect(form.number).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(form.number).toHaveValue('5111')
})

test('deleting a selected gap removes no digit', { tag: LONG }, async ({ form, page }) => {
  await form.number.pressSequentially('42424')
  await form.number.evaluate((input: HTMLInputElement) => input.setSelectionRange(4, 5))
  await page.keyboard.press('Backspace')
  await expect(form.number).toHaveValue('4242 4')
})

test('a value that was set without an event is sent', async ({ form, page }) => {
  await form.fill(GOOD_CARD)
  await form.number.evaluate((input: HTMLInputElement) => (input.value = '4012000033330026'))
  await form.submit.click()
  await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
  await expect(form.frame.getByRole('group')).toContainText('Visa •••• 0026')
})

test('text that is being composed by an input method stays when the page sets values meanwhile', async ({
  form,
  page,
  context,
  browserName,
}) => {
  test.skip(browserName !== 'chromium', 'only Chromium lets a test compose as an input method does')
  const devTools = await context.newCDPSession(page)
  await form.name.click()
  await devTools.send('Input.imeSetComposition', { text: 'やま', selectionStart: 2, selectionEnd: 2 })
  await page.evaluate(
    'widget.setTexts({ submit_button: "Now pay" }); widget.setFormLabels({ card_name: "Name" })',
  )
  await expect(form.submit).toHaveText('Now pay')
  const name = form.frame.getByLabel('Name')
  await expect(name).toHaveValue('やま')
  await devTools.send('Input.imeSetComposition', { text: 'やまだ', selectionStart: 3, selectionEnd: 3 })
  await devTools.send('Input.insertText', { text: '山田' })
  await expect(name).toHaveValue('山田')
})
