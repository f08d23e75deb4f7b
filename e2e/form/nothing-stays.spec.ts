import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import type { CardForm } from '../pages/card-form.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import { test, TOKEN } from '../pages/card-page.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const DIGITS = /5111|1111|\b100\b|01 \/ 39/
const EMPTY = ['', '', '', '']
const RESET = 'This form has been reset. Enter your card details again.'

/** What stands in the inputs, and what they would be reset to. */
const valuesOf = (form: CardForm) =>
  form.frame
    .locator('input')
    .evaluateAll((inputs) =>
      inputs.map((input) => (input instanceof HTMLInputElement ? input.value + input.defaultValue : '')),
    )
/** All that stands in the document but its own script. */
const everythingIn = (form: CardForm) => form.frame.locator('#frame').evaluate((frame) => frame.outerHTML)

test(
  'a finished form shows the scheme and last digits of the card, and no other',
  { tag: LONG },
  async ({ card, page }) => {
    await card.open({ script: "widget.on('finish', () => new Promise((done) => (window.done = done)))" })
    await card.form.type(GOOD_CARD)
    await card.form.submit.click()
    await expect(card.token).toHaveValue(TOKEN)
    await expect(card.form.number).toHaveValue('5111 1111 1111 1118')
    await card.act('window.done()')
    await expect(card.form.submit).toHaveText('Card details received')
    await expect(card.form.submit).toBeFocused()
    await expect(card.form.frame.locator('input')).toHaveCount(0)
    await expect(card.form.frame.getByRole('status')).toHaveText(
      /Card details received.*Mastercard ending in 1118/,
    )
    for (const key of ['Control+z', 'Control+y', 'Control+Shift+z']) await page.keyboard.press(key)
    expect(await everythingIn(card.form)).not.toMatch(DIGITS)
    expect(await card.form.frame.locator('body').ariaSnapshot()).not.toMatch(DIGITS)
    await card.form.frame.getByRole('button', { name: 'Change card' }).click()
    await expect(card.form.number).toBeFocused()
    for (const key of ['Control+z', 'Control+y', 'Control+Shift+z']) await page.keyboard.press(key)
    expect(await valuesOf(card.form)).toEqual(['Grace Hopper', '', '', ''])
  },
)

test('a form sent by Enter gives its focus to what was received', async ({ card, page }) => {
  await card.open()
  await card.form.fill(GOOD_CARD)
  await page.keyboard.press('Enter')
  await expect(card.form.frame.getByRole('group')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(card.form.number).toBeFocused()
})

test('a card that the page could not use stays, and the form says what to do', async ({ card }) => {
  await card.open({ script: "widget.on('finish', () => Promise.resolve(false))" })
  await card.form.fill(GOOD_CARD)
  await card.form.submit.click()
  await expect(card.form.alert).toHaveText(/Press Pay to try again, or use another card\.$/)
  await expect(card.form.number).toHaveValue('5111 1111 1111 1118')
  await card.form.submit.click()
  await expect.poll(async () => (await card.events('finish')).length).toBe(2)
})

test('clear() also empties what was set without an event, and no undo brings it back', async ({
  card,
  page,
}) => {
  await card.open()
  await card.form.type(GOOD_CARD)
  await card.form.code.evaluate((input: HTMLInputElement) => {
    input.value = '4242'
    input.setAttribute('value', '4242')
  })
  await card.act('widget.clear()')
  await expect.poll(() => valuesOf(card.form)).toEqual(EMPTY)
  const undoOrRedo = ['Control+z', 'Control+z', 'Control+y', 'Control+Shift+z']
  for (const place of [card.form.code, card.form.number, card.form.submit]) {
    await place.focus()
    for (const key of undoOrRedo) await page.keyboard.press(key)
    // oxlint-disable-next-line typescript/no-deprecated -- as a browser's menu does it
    await place.evaluate(() => ['undo', 'redo'].map((name) => document.execCommand(name)))
    expect(await valuesOf(card.form)).toEqual(EMPTY)
  }
  expect(await everythingIn(card.form)).not.toMatch(/4242/)
})

test('a page that is loaded again, or returned to by Back, shows an empty form', async ({ card, page }) => {
  await card.open()
  await card.form.type(GOOD_CARD)
  await page.reload()
  await takesKeys(card.form.number)
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)))
  expect(await valuesOf(card.form)).toEqual(EMPTY)
  await card.form.type(GOOD_CARD)
  await page.goto('about:blank')
  await page.goBack()
  await takesKeys(card.form.number)
  expect(await valuesOf(card.form)).toEqual(EMPTY)
})

test(
  'a page that is left or frozen holds nothing, while it can still be shown again',
  { tag: LONG },
  async ({ card }) => {
    await card.open()
    for (const [name, words] of [
      ['pagehide', ''],
      ['freeze', RESET],
    ] as const) {
      await card.form.type(GOOD_CARD)
      await card.form.frame.locator('html').evaluate((_, event) => {
        if (event === 'freeze') document.dispatchEvent(new Event(event))
        else window.dispatchEvent(new PageTransitionEvent(event, { persisted: true }))
      }, name)
      expect(await valuesOf(card.form)).toEqual(EMPTY)
      expect(await everythingIn(card.form)).not.toMatch(DIGITS)
      await expect(card.form.alert).toHaveText(words)
    }
  },
)

test('a form that the page moves while it is used comes back empty and says so', async ({ card, page }) => {
  await card.open()
  await card.form.number.pressSequentially('5111')
  await card.act("document.body.prepend(document.querySelector('#card'))")
  await expect(card.form.alert).toHaveText(RESET)
  expect(await valuesOf(card.form)).toEqual(EMPTY)
  expect(await card.events('afterLoad')).toHaveLength(2)
  await card.form.type(GOOD_CARD)
  await expect(card.form.alert).toHaveText('')
  await page.keyboard.press('Enter')
  await expect(card.token).toHaveValue(TOKEN)
})
