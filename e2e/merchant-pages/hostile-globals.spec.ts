import { expect, test } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage, widgetScript } from '../world/merchant-page.ts'
import { takesKeys } from '../pages/takes-keys.ts'

let end: (() => Promise<void>) | undefined
test.afterEach(async () => {
  await end?.()
  end = undefined
})

const HOSTILE_GLOBALS = [
  ['an enumerable property on every object', "Object.prototype.foo = 'x'"],
  ['properties named as those of an event', "Object.prototype.event = 'finish'; Object.prototype.kind = 'x'"],
  ['an own toJSON on every object', "Object.prototype.toJSON = () => 'x'"],
  ['no Array.from', 'Array.from = undefined'],
  ['a loader of AMD modules', 'window.define = () => undefined; define.amd = {}'],
  ['an element called exports', "document.documentElement.id = 'exports'"],
  [
    'elements called exports and module',
    "document.documentElement.id = 'exports'; document.head.id = 'module'",
  ],
  [
    'an old Prototype.js',
    `Array.prototype.toJSON = Object.prototype.toJSON = () => 'x'; Array.from = (list) => list.toArray();
    Array.prototype.reduce = function () { return this[0] }; Array.prototype.entries = function () { return this };
    Element.prototype.remove = function () { this.parentNode.removeChild(this); return this };
    Function.prototype.bind = function (self) { const own = this; return () => own.call(self) }`,
  ],
  ['promises of its own', 'Promise.allSettled = Promise.withResolvers = Promise.try = undefined'],
  ['a JSON of its own', 'JSON.stringify = ((own) => (value) => own(value))(JSON.stringify)'],
  ['CommonJS globals', 'window.module = { exports: {} }; window.exports = module.exports'],
] as const

for (const [name, before] of someOf(HOSTILE_GLOBALS, 3)) {
  test(`a page with ${name} pays all the same`, async ({ page }) => {
    const faults: unknown[] = []
    page.on('pageerror', (error) => faults.push(error))
    end = await serveMerchantPage({
      files: {
        '/': widgetPage.replace('<script', '<script src="/before.js"></script><script'),
        '/before.js': before,
        '/page.js': widgetScript(demoKeys().public_key),
      },
    })
    await page.goto(PAGE_URL)
    const form = new CardForm(page)
    await form.type(GOOD_CARD)
    await form.submit.click()
    await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
    expect(faults).toEqual([])
  })
}

test('a page and a form without https, where browsers make no UUIDs, can pay', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'))
  end = await serveMerchantPage({
    files: { '/': widgetPage, '/page.js': widgetScript(demoKeys().public_key) },
  })
  await page.goto(PAGE_URL)
  const form = new CardForm(page)
  await form.type(GOOD_CARD)
  await form.submit.click()
  await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
})

test(
  'markup named currentScript does not move the card form to another origin',
  { tag: LONG },
  async ({ page }) => {
    end = await serveMerchantPage({
      files: {
        '/': widgetPage.replace(
          '<div',
          `<img name="currentScript" src="http://127.0.0.1:1/evil.js" alt=""><div`,
        ),
        '/page.js': widgetScript(demoKeys().public_key),
      },
    })
    await page.goto(PAGE_URL)
    const told = () => page.evaluate<{ event: string; error?: { code: string } }[]>('events')
    await expect
      .poll(async () => (await told()).map(({ event, error }) => `${event} ${error?.code ?? ''}`))
      .toEqual(['systemError widget_origin_unknown'])
    await expect(page.locator('iframe')).toHaveCount(0)
  },
)

test('a page that draws its container anew can load the form anew', { tag: LONG }, async ({ page }) => {
  end = await serveMerchantPage({
    files: { '/': widgetPage, '/page.js': widgetScript(demoKeys().public_key) },
  })
  await page.goto(PAGE_URL)
  const form = new CardForm(page)
  await takesKeys(form.number)
  await page.evaluate(
    "document.querySelector('#card').replaceWith(Object.assign(document.createElement('div'), { id: 'card' }))",
  )
  await page.evaluate('widget.load()')
  await form.type(GOOD_CARD)
  await form.submit.click()
  await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
})

test('the script that the page loads is the one that is published, by its hash', async ({
  page,
  request,
}) => {
  const integrity = await (await request.get(`${SERVICE_URL}/sdk/latest/integrity.json`)).text()
  const hash = /"widget\.umd\.min\.js":\s*"(sha384-[^"]+)"/.exec(integrity)?.[1] ?? 'none'
  const tag = `<script integrity="${hash}" crossorigin src="${SERVICE_URL}`
  end = await serveMerchantPage({
    files: {
      '/': widgetPage.replace(`<script src="${SERVICE_URL}`, tag),
      '/page.js': widgetScript(demoKeys().public_key),
    },
  })
  await page.goto(PAGE_URL)
  await takesKeys(new CardForm(page).number)
})
