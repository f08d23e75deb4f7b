import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys } from '../world/merchant-page.ts'
import { GOOD_CARD } from '../pages/card-form.ts'
import type { CardPage } from '../pages/card-page.ts'
import { test, TOKEN } from '../pages/card-page.ts'
import { takesKeys } from '../pages/takes-keys.ts'

const built = (path: string) => readFileSync(`dist/npm/${path}`, 'utf8')

/** A page that loads the package's `element` entry as it is built and puts the element into `place`. */
async function openElement(card: CardPage, place: string): Promise<void> {
  await card.serve({
    '/': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title>
<link rel="icon" href="/favicon.js"></head><body><main><h1>Pay</h1><section id="host"></section></main>
<script>const events = []</script><script type="module" src="/page.mjs"></script></body></html>`,
    '/page.mjs': `import '/element.mjs'
      const host = document.querySelector('#host')
      const element = document.createElement('svc-card-widget')
      element.setAttribute('public-key', '${demoKeys().public_key}')
      element.setAttribute('origin', '${SERVICE_URL}')
      for (const name of ['afterLoad', 'submit', 'finish', 'validationError', 'systemError', 'validation', 'focus']) {
        element.addEventListener(name, (event) => {
          if (event instanceof CustomEvent) events.push(event.detail)
        })
      }
      Object.assign(globalThis, { element, place: ${place} })
      place.append(element)`,
    '/element.mjs': built('element.mjs'),
    '/html-widget.mjs': built('html-widget.mjs'),
  })
  await card.page.goto(PAGE_URL)
}

for (const [where, place] of [
  ['in a page', 'host'],
  ['in a shadow root', "host.attachShadow({ mode: 'open' })"],
] as const) {
  test.describe(`<svc-card-widget> ${where}`, () => {
    test('pays, and its events are CustomEvents', async ({ card }) => {
      await openElement(card, place)
      await card.form.type(GOOD_CARD)
      await card.form.submit.click()
      await expect.poll(() => card.events('finish')).toHaveLength(1)
      expect((await card.events('finish'))[0]?.payment_source).toMatch(TOKEN)
      for (const name of ['afterLoad', 'submit']) expect(await card.events(name), name).toHaveLength(1)
    })

    test('follows its language attribute while it is typed into', async ({ card }) => {
      await openElement(card, place)
      await card.form.number.pressSequentially('4242')
      await card.act("element.setAttribute('language', 'fr')")
      await expect(card.form.frame.getByLabel('Numéro de carte')).toHaveValue('4242')
    })

    test('leaves nothing when it is removed, and is whole when it comes back', async ({ card, page }) => {
      await openElement(card, place)
      await takesKeys(card.form.number)
      await card.form.number.focus()
      await expect.poll(() => card.events('focus')).not.toEqual([])
      await card.act('events.splice(0), element.remove()')
      await expect(page.locator('iframe')).toHaveCount(0)
      expect(await card.ask('element.widget === undefined && element.childNodes.length === 0')).toBe(true)
      expect(await card.events()).toEqual([])
      await card.act('place.append(element)')
      await takesKeys(card.form.number)
      await expect(page.locator('iframe')).toHaveCount(1)
      await expect.poll(() => card.events('afterLoad')).toHaveLength(1)
    })
  })
}
