import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { someOf } from '../long-form.ts'
import { test } from '../pages/open-form.ts'

/** Puts text in as a paste does: in one piece, at the caret. */
const paste = async (page: Page, field: Locator, text: string) => {
  await field.focus()
  await page.keyboard.insertText(text)
}
const caretOf = (field: Locator) =>
  field.evaluate((input) => (input instanceof HTMLInputElement ? input.selectionStart : null))
const putCaret = (field: Locator, at: number) =>
  field.evaluate((input, place) => {
    if (input instanceof HTMLInputElement) input.setSelectionRange(place, place)
  }, at)

test.describe('a card number', () => {
  test('put in at once is shown in the groups of its scheme', async ({ form, page }) => {
    for (const [text, shown] of [
      ['4242-4242-4242-4242', '4242 4242 4242 4242'],
      ['Card no: 4242 4242 4242 4242.', '4242 4242 4242 4242'],
      ['4242\u00a04242\u00a04242\u00a04242', '4242 4242 4242 4242'],
      ['４２４２４２４２４２４２４２４２', '4242 4242 4242 4242'],
      ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', '4242 4242 4242 4242'],
      ['42424242424242424242424242', '4242 4242 4242 4242 4242424242'],
      ['five one one one', '5111'],
      ['371449635398431', '3714 496353 98431'],
      ['30569309025904', '3056 930902 5904'],
      ['6759649826438453123', '6759 6498 2643 8453 123'],
    ] as const) {
      await form.number.fill('')
      await paste(page, form.number, text)
      await expect(form.number, text).toHaveValue(shown)
    }
  })

  test('can be edited in the middle, with the caret where a person expects it', async ({ form, page }) => {
    await form.number.pressSequentially('4242424242')
    await putCaret(form.number, 7)
    await page.keyboard.type('9')
    await expect(form.number).toHaveValue('4242 4294 242')
    expect(await caretOf(form.number)).toBe(8)
    await page.keyboard.press('Backspace')
    await expect(form.number).toHaveValue('4242 4242 42')
    expect(await caretOf(form.number)).toBe(7)
  })

  test('loses the digit before a gap by Backspace, and the one after it by Delete', async ({
    form,
    page,
  }) => {
    await form.number.pressSequentially('42424')
    await putCaret(form.number, 5)
    await page.keyboard.press('Backspace')
    await expect(form.number).toHaveValue('4244')
    await form.number.fill('')
    await form.number.pressSequentially('42421')
    await putCaret(form.number, 4)
    await page.keyboard.press('Delete')
    await expect(form.number).toHaveValue('4242')
  })

  test('undo and redo restore only values that the field has had', async ({ form, page }) => {
    await form.number.pressSequentially('42424242')
    for (let i = 0; i < 20; i += 1) {
      await page.keyboard.press('Control+z')
      expect('4242 4242'.startsWith(await form.number.inputValue())).toBe(true)
    }
    await expect(form.number).toHaveValue('')
    for (let i = 0; i < 20; i += 1) await page.keyboard.press('Control+Shift+z')
    await expect(form.number).toHaveValue('4242 4242')
  })
})

test.describe('an expiry date', () => {
  test('put in at once is understood in the usual ways to write it', async ({ form, page }) => {
    for (const [text, shown] of [
      ['1/30', '01 / 30'],
      ['0130', '01 / 30'],
      ['01/2030', '01 / 30'],
      ['2030-01', '01 / 30'],
      ['Jan 2030', '01 / 30'],
      ['01 / 30', '01 / 30'],
      ['exp 01/30', '01 / 30'],
      ['0130.', '01 / 30'],
      ['130', '01 / 30'],
      ['oh one thirty', '01 / 30'],
    ] as const) {
      await form.expiry.fill('')
      await paste(page, form.expiry, text)
      await form.expiry.blur()
      await expect(form.expiry, text).toHaveValue(shown)
      await expect(form.expiry, text).toHaveAttribute('aria-invalid', 'false')
    }
  })

  test('typed in the usual ways is understood', async ({ form }) => {
    for (const [typed, shown] of [
      ['1/30', '01 / 30'],
      ['0130', '01 / 30'],
      ['01/2030', '01 / 30'],
      ['139', '01 / 39'],
      ['430', '04 / 30'],
    ] as const) {
      await form.expiry.fill('')
      await form.expiry.pressSequentially(typed)
      await form.expiry.blur()
      await expect(form.expiry, typed).toHaveValue(shown)
    }
  })

  for (const typed of someOf(['13', '00', '1330', '0030'], 2)) {
    test(`with the month ${typed} is reported as wrong and not changed`, async ({ form }) => {
      await form.expiry.pressSequentially(typed)
      await form.expiry.blur()
      expect((await form.expiry.inputValue()).replace(/\D/g, '')).toBe(typed)
      await expect(form.expiry).toHaveAttribute('aria-invalid', 'true')
    })
  }
})

test('an error shows when a field is left, not while typing, and goes once corrected', async ({ form }) => {
  await form.number.pressSequentially('4242')
  await expect(form.number).toHaveAttribute('aria-invalid', 'false')
  await form.number.blur()
  await expect(form.number).toHaveAttribute('aria-invalid', 'true')
  await form.number.pressSequentially('424242424242')
  await expect(form.number).toHaveAttribute('aria-invalid', 'false')
})

test('a browser that fills everything at once fills a form that can be sent', async ({ form, page }) => {
  await form.name.fill('Grace Hopper')
  await form.number.fill('5111111111111118')
  await form.expiry.fill('01/2039')
  await form.code.fill('100')
  await form.submit.click()
  await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
})

test('the code of an amex has four digits, in front', async ({ form }) => {
  await form.number.pressSequentially('371449635398431')
  await expect(form.code).toHaveAccessibleDescription(/4 digits.*front/)
  await form.code.pressSequentially('12345')
  await expect(form.code).toHaveValue('1234')
})

test('a press on the button counts although leaving the field moves it', async ({ form, page }) => {
  await page.setViewportSize({ width: 320, height: 900 })
  await form.number.pressSequentially('5111111111111119')
  const box = await form.submit.boundingBox()
  if (box === null) throw new Error('no button')
  await page.mouse.click(box.x + box.width / 2, box.y + 4)
  const events = () => page.evaluate<string[]>('events.map(({ event }) => event)')
  await expect.poll(events).toContain('validationError')
})
