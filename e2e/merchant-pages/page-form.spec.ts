import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import type { CardPage } from '../pages/card-page.ts'
import { test, TOKEN } from '../pages/card-page.ts'
import { takesKeys } from '../pages/takes-keys.ts'

test.describe('submit() of a form without a button of its own', () => {
  test('resolves with the event that the page hears', async ({ card }) => {
    await card.open({ script: "widget.hideElements(['submit_button'])" })
    await card.form.fill(GOOD_CARD)
    await expect(card.form.frame.locator('button')).toBeHidden()
    const finish = await card.ask<{ event: string; payment_source: string }>('widget.submit()')
    expect(finish.payment_source).toMatch(TOKEN)
    await expect(card.token).toHaveValue(finish.payment_source)
    expect(await card.events('finish')).toEqual([finish])
  })

  test('rejects with a WidgetError when a field is wrong, and puts the focus there', async ({ card }) => {
    await card.open({ script: "widget.hideElements(['submit_button'])" })
    await card.form.fill({ ...GOOD_CARD, expiry: '1339' })
    const refused = 'widget.submit().catch((error) => [error instanceof svc.WidgetError, error.code])'
    expect(await card.ask(refused)).toEqual([true, 'validation_error'])
    await expect(card.form.expiry).toBeFocused()
    expect(await card.events('validationError')).toHaveLength(1)
  })
})

test.describe('interceptSubmitForm', () => {
  const order = {
    form: `<form id="order"><input name="mail" aria-label="Mail" required>
      <input name="payment_source" aria-label="token"><button name="pressed" value="order">Order</button></form>`,
    script: `const sent = []
      order.addEventListener('submit', (event) => {
        event.preventDefault()
        sent.push(Object.fromEntries(new FormData(order, event.submitter)))
      })
      widget.interceptSubmitForm('#order')`,
  }
  const press = ({ page }: CardPage) => page.getByRole('button', { name: 'Order' }).click()
  const sentBy = (card: CardPage) => card.ask<Record<string, string>[]>('sent')

  test("lets the page's form go on once, with the token, by its own handler", async ({ card }) => {
    await card.open(order)
    await card.form.fill(GOOD_CARD)
    await card.page.getByLabel('Mail').fill('grace@example.com')
    await press(card)
    await expect.poll(() => sentBy(card)).toHaveLength(1)
    const token = await card.token.inputValue()
    expect(token).toMatch(TOKEN)
    expect(await sentBy(card)).toEqual([
      { mail: 'grace@example.com', payment_source: token, pressed: 'order' },
    ])
    expect(await card.events('finish')).toHaveLength(1)
  })

  test('goes on even if the pressed button is gone by then; the next submit takes another card', async ({
    card,
  }) => {
    await card.open(order)
    await card.form.fill(GOOD_CARD)
    await card.page.getByLabel('Mail').fill('grace@example.com')
    await press(card)
    await card.act("order.querySelector('button').type = 'button'")
    await expect.poll(() => sentBy(card)).toHaveLength(1)
    // The second press of a double click is none.
    await card.act('order.requestSubmit()')
    await card.ask('new Promise((done) => setTimeout(done, 600))')
    await expect(card.form.frame.locator('#received')).toBeVisible()
    // The form holds no card any more: it asks for one.
    await card.act('order.requestSubmit()')
    await expect(card.form.number).toBeFocused()
    await card.form.fill(GOOD_CARD)
    await card.act('order.requestSubmit()')
    await expect.poll(() => sentBy(card)).toHaveLength(2)
    const tokens = (await sentBy(card)).map(({ payment_source: token }) => token)
    expect(new Set(tokens).size).toBe(2)
  })

  test('holds the form while the card is wrong', async ({ card }) => {
    await card.open(order)
    await card.form.fill({ ...GOOD_CARD, number: '5111111111111119' })
    await card.page.getByLabel('Mail').fill('grace@example.com')
    await press(card)
    await expect(card.form.number).toBeFocused()
    expect(await card.events('validationError')).toHaveLength(1)
    expect(await sentBy(card)).toEqual([])
  })

  test("sends no card while the page's own field is empty", async ({ card }) => {
    await card.open(order)
    await card.form.fill(GOOD_CARD)
    await press(card)
    await expect(card.page.getByLabel('Mail')).toBeFocused()
    expect(await card.events('submit')).toEqual([])
    expect(await sentBy(card)).toEqual([])
  })

  test(
    'goes by the form also where its controls are named like its methods',
    { tag: LONG },
    async ({ card }) => {
      const names = ['addEventListener', 'removeEventListener', 'requestSubmit', 'submit', 'elements']
      const controls = names.map((name) => `<input type="hidden" name="${name}">`).join('')
      await card.open({
        form: order.form.replace('</form>', `${controls}</form>`),
        script: order.script.replace('order.addEventListener', 'addEventListener'),
      })
      await card.form.fill(GOOD_CARD)
      await card.page.getByLabel('Mail').fill('grace@example.com')
      await press(card)
      await expect.poll(() => sentBy(card)).toMatchObject([{ mail: 'grace@example.com', pressed: 'order' }])
      await card.act('widget.destroy()')
      await press(card)
      expect(await sentBy(card)).toHaveLength(2)
    },
  )

  test('is over once the widget is destroyed', async ({ card }) => {
    await card.open(order)
    await takesKeys(card.form.number)
    await card.act('widget.destroy()')
    await card.page.getByLabel('Mail').fill('grace@example.com')
    await press(card)
    expect(await sentBy(card)).toEqual([{ mail: 'grace@example.com', payment_source: '', pressed: 'order' }])
  })
})

test(
  'reload shows one empty form with the same settings, and each event is sent once',
  { tag: LONG },
  async ({ card, page }) => {
    await card.open({
      script: "widget.setText('title', 'Card, please').setStyle('button_color', 'rgb(0, 110, 70)')",
    })
    await card.form.name.fill('Ada King')
    await card.act('events.splice(0)')
    await card.ask('widget.reload()')
    await expect(page.locator('iframe')).toHaveCount(1)
    await expect(card.form.frame.getByRole('heading')).toHaveText('Card, please')
    await expect(card.form.submit).toHaveCSS('background-color', 'rgb(0, 110, 70)')
    await expect(card.form.name).toHaveValue('')
    await card.form.fill(GOOD_CARD)
    await card.form.submit.click()
    await expect(card.token).toHaveValue(TOKEN)
    for (const name of ['afterLoad', 'submit', 'finish'])
      expect(await card.events(name), name).toHaveLength(1)
  },
)

test('destroy removes the iframe, and no more events come', { tag: LONG }, async ({ card, page }) => {
  await card.open()
  await card.form.fill(GOOD_CARD)
  const pending =
    'Promise.all([widget.submit().catch(({ code }) => code), widget.destroy(), events.splice(0)])'
  expect(await card.ask(pending)).toContain('widget_destroyed')
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(await card.ask('widget.load().catch(({ code }) => code)')).toBe('widget_destroyed')
  expect(await card.ask('widget.submit().catch(({ name }) => name)')).toBe('WidgetError')
  expect(await card.events()).toEqual([])
  await expect(card.token).toHaveValue('')
})

test('an AbortSignal stops a load that is under way', { tag: LONG }, async ({ card, page }) => {
  await page.route('**/frame?*', () => undefined)
  await card.open({
    script: `const stop = new AbortController()
      const loading = widget.load({ signal: stop.signal }).catch(({ name }) => name)`,
    until: 'domcontentloaded',
  })
  await expect(page.locator('iframe')).toHaveCount(1)
  expect(await card.ask('stop.abort(), loading')).toBe('AbortError')
  await expect(page.locator('iframe')).toHaveCount(0)
  expect(await card.events()).toEqual([])
  await page.unroute('**/frame?*')
  await card.ask('widget.load()')
  await takesKeys(card.form.number)
})
