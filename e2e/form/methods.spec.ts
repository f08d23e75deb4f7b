import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test, TOKEN } from '../pages/card-page.ts'
import { demoKeys } from '../world/merchant-page.ts'
import { takesKeys } from '../pages/takes-keys.ts'

test.describe('setLanguage', () => {
  test('changes every word at once; what is typed stays, and so does the focus', async ({ card }) => {
    await card.open()
    await card.form.number.pressSequentially('424242')
    for (const [code, label, title, direction] of [
      ['fr', 'Numéro de carte', 'Données de la carte', 'ltr'],
      ['ar', 'رقم البطاقة', 'بيانات البطاقة', 'rtl'],
    ] as const) {
      await card.act(`widget.setLanguage('${code}')`)
      const number = card.form.frame.getByLabel(label)
      await expect(number).toHaveValue('4242 42')
      await expect(number).toBeFocused()
      await expect(number).toHaveCSS('direction', 'ltr')
      const html = card.form.frame.locator('html')
      await expect(html).toHaveAttribute('lang', code)
      await expect(html).toHaveAttribute('dir', direction)
      expect(await html.evaluate(() => document.title)).toBe(title)
      await expect(card.page.locator('iframe')).toHaveAttribute('title', title)
    }
  })

  test('loads one file for a language, when it is first asked for', { tag: LONG }, async ({ card, page }) => {
    const files: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/languages/')) files.push(request.url().replace(/.*\//, ''))
    })
    await card.open()
    await takesKeys(card.form.number)
    expect(files).toEqual([])
    for (const [code, words] of [
      ['fr', 'Payer'],
      ['en', 'Pay'],
      ['fr-CA', 'Payer'],
    ] as const) {
      await card.act(`widget.setLanguage('${code}')`)
      await expect(card.form.submit).toHaveText(words)
    }
    expect(files).toEqual(['fr.json'])
  })

  test(
    'before load gives a document in that language, and no file',
    { tag: LONG },
    async ({ card, page }) => {
      const requests: string[] = []
      page.on('request', (request) => requests.push(request.url()))
      await card.open({ script: "widget.setLanguage('ar')" })
      await takesKeys(card.form.frame.getByLabel('رقم البطاقة'))
      const html = card.form.frame.locator('html')
      await expect(html).toHaveAttribute('lang', 'ar')
      await expect(html).toHaveAttribute('dir', 'rtl')
      expect(await html.evaluate(() => document.title)).toBe('بيانات البطاقة')
      expect(requests.filter((url) => url.includes('/languages/'))).toEqual([])
    },
  )
})

test('two widgets on a page are two forms: each has its own language, values and token', async ({
  card,
  page,
}) => {
  await card.open({
    container: '<div id="card"></div><div id="other"></div>',
    script: `
const other = new svc.HtmlWidget('#other', widget_key, 'default').setLanguage('fr')
window.otherFinish = other.on('finish')
other.load()`.replace('widget_key', JSON.stringify(demoKeys().public_key)),
  })
  await card.act("widget.setText('submit_button', 'Pay this one')")
  const own = page.locator('#card iframe').contentFrame()
  const other = page.locator('#other iframe').contentFrame()
  await takesKeys(other.getByLabel('Numéro de carte'))
  await other.locator('#card_name').fill('Grace Hopper')
  await other.locator('#card_number').fill(GOOD_CARD.number)
  await other.locator('#expiry').fill('0139')
  await other.locator('#card_ccv').fill(GOOD_CARD.code)
  await other.getByRole('button').click()
  const { payment_source: token } = await card.ask<{ payment_source: string }>('otherFinish')
  expect(token).toMatch(TOKEN)
  await expect(own.getByRole('button')).toHaveText('Pay this one')
  await expect(own.locator('#card_number')).toHaveValue('')
  expect(await card.events('finish')).toEqual([])
})

test('setFormFields shows another field, and one with a star has to be filled', async ({ card }) => {
  await card.open({
    script:
      "widget.setFormFields(['email*', 'phone', 'card_name', 'card_number', 'expire_month', 'expire_year', 'card_ccv'])",
  })
  await card.form.fill(GOOD_CARD)
  await card.form.submit.click()
  const email = card.form.frame.getByLabel('Email')
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  expect((await card.events('validationError')).map((one) => one.invalid_fields)).toEqual([['email']])
  await email.fill('grace@example.com')
  await card.form.submit.click()
  await expect(card.token).toHaveValue(TOKEN)
})

test('setSupportedCardIcons with validate refuses another scheme, and says which one to use', async ({
  card,
}) => {
  await card.open({ script: "widget.setSupportedCardIcons(['visa'], true)" })
  await card.form.fill(GOOD_CARD)
  await card.form.submit.click()
  await expect(card.form.number).toHaveAttribute('aria-invalid', 'true')
  await expect(card.form.number).toHaveAccessibleDescription(/Visa/)
  await expect(card.token).toHaveValue('')
  await card.form.number.fill('4242424242424242')
  await expect(card.form.number).toHaveAttribute('aria-invalid', 'false')
})

test('setFormValues fills a name, never the card number or code', async ({ card }) => {
  const values = "{ card_name: 'Ada King', card_number: '4242424242424242', card_ccv: '123' }"
  await card.open({ script: `widget.setFormValues(${values})` })
  await expect(card.form.name).toHaveValue('Ada King')
  await card.act(`widget.updateFormValues(${values.replace('King', 'Lovelace')})`)
  await expect(card.form.name).toHaveValue('Ada Lovelace')
  await expect(card.form.number).toHaveValue('')
  await expect(card.form.code).toHaveValue('')
})

test('focus goes to the field that is named, and clear empties the form', { tag: LONG }, async ({ card }) => {
  await card.open()
  await card.form.fill(GOOD_CARD)
  await card.act("widget.focus('card_number')")
  await expect(card.form.number).toBeFocused()
  await card.act('widget.clear()')
  for (const field of [card.form.name, card.form.number, card.form.expiry, card.form.code]) {
    await expect(field).toHaveValue('')
    await expect(field).toHaveAttribute('aria-invalid', 'false')
  }
})

test("the container's attributes set texts and styles", { tag: LONG }, async ({ card }) => {
  await card.open({
    container: '<div id="card" submit-button="Give" widget-style="button-color: rgb(0, 110, 70)"></div>',
  })
  await expect(card.form.submit).toHaveText('Give')
  await expect(card.form.submit).toHaveCSS('background-color', 'rgb(0, 110, 70)')
})

test('a style that is more than a colour changes nothing', { tag: LONG }, async ({ card }) => {
  await card.open({ script: "widget.setStyles({ button_color: 'rgb(0, 110, 70)' })" })
  const given = card.form.frame.locator('html')
  await expect(card.form.submit).toHaveCSS('background-color', 'rgb(0, 110, 70)')
  const before = await given.getAttribute('style')
  for (const value of [
    'url(javascript:alert(1))',
    'red; display: none',
    'red} * { display: none',
    'red !important',
    'expression(alert(1))',
  ]) {
    await card.act(`widget.setStyles({ button_color: '${value}', font_family: '${value}' })`)
  }
  await card.act("widget.setText('title', 'All heard')")
  await expect(card.form.frame.getByRole('heading')).toHaveText('All heard')
  expect(await given.getAttribute('style')).toBe(before)
  await expect(card.form.submit).toHaveCSS('background-color', 'rgb(0, 110, 70)')
})

test('the page can read which fields are valid, and which errors the shopper sees', async ({ card }) => {
  await card.open()
  await card.form.number.pressSequentially('511111111111111')
  const told = () => card.ask<boolean>("widget.isFieldErrorShowed('card_number')")
  const wrong = "widget.isInvalidFieldByValidator('card_number', 'cardNumberValidator')"
  await expect.poll(() => card.ask(wrong)).toBe(true)
  expect(await told()).toBe(false)
  await card.form.number.press('9')
  await expect.poll(told).toBe(true)
  await card.form.number.fill('')
  await card.form.fill(GOOD_CARD)
  await expect.poll(() => card.ask('widget.isValidForm()')).toBe(true)
  expect(await card.ask('widget.getValidationState()')).toMatchObject({
    invalid_fields: [],
    invalid_showed_fields: [],
  })
})
