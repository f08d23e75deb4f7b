import { expect } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { test } from '../pages/card-page.ts'

/** What a person does by hand, told apart from what a script does. */
function countHands(): void {
  const hands = { taps: 0, keys: 0 }
  const count = (name: keyof typeof hands) => (event: Event) => {
    if (event.isTrusted) hands[name] += 1
    document.documentElement.dataset['hands'] = JSON.stringify(hands)
  }
  document.addEventListener('pointerdown', count('taps'), true)
  document.addEventListener('keydown', count('keys'), true)
}

test('a purchase on a small phone takes three taps and 32 keys', { tag: LONG }, async ({ card }) => {
  await card.page.setViewportSize({ width: 320, height: 640 })
  await card.open()
  const { form, page } = card
  const frame = page.frames()[1]
  await frame?.evaluate(countHands)
  await form.name.click()
  await page.keyboard.type('Ada Byron')
  await form.number.click()
  await page.keyboard.type('4012000033330026' + '0139' + '100')
  await form.submit.click()
  await expect.poll(() => card.events('finish')).toHaveLength(1)
  const hands = await frame?.evaluate(() => document.documentElement.dataset['hands'])
  expect(JSON.parse(hands ?? '{}')).toEqual({ taps: 3, keys: 32 })
})
