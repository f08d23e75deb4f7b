import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG, someOf } from '../long-form.ts'
import { CARD_FORM_HEIGHT, frameHtml } from '../../src/contract/page/frame-html.ts'
import { PROTOCOL } from '../../src/contract/page/widget-channel.ts'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { takesKeys } from '../pages/takes-keys.ts'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { BUILT_RELEASE } from '../world/pinned-release.ts'
import { demoKeys, serveMerchantPage, widgetScript } from '../world/merchant-page.ts'

const TOKEN = /^[0-9a-f-]{36}$/
const STRICT = `default-src 'none'; script-src 'self' ${SERVICE_URL}; frame-src ${SERVICE_URL}; img-src 'self'; require-trusted-types-for 'script'`

const EARLY = {
  origin: SERVICE_URL,
  release: BUILT_RELEASE,
  document: 'frame',
  query: { public_key: demoKeys().public_key, gateway_id: 'default', language: 'en' },
  height: CARD_FORM_HEIGHT,
  isCustomised: false,
} as const

/** Keeps the SDK's script away until the function that it returns is called. */
async function holdSdk(page: Page): Promise<() => void> {
  let release: () => void = () => undefined
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/widget.umd.min.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

let end: (() => Promise<void>) | undefined
test.afterEach(async () => {
  await end?.()
  end = undefined
})

/** What the browser complains of, and each document of a form that it asks for. */
interface Watched {
  complaints: string[]
  documents: string[]
}

/** Opens a page whose HTML holds a form before its scripts. */
async function open(
  page: Page,
  markup: string,
  script = widgetScript(demoKeys().public_key),
): Promise<Watched> {
  const watched: Watched = { complaints: [], documents: [] }
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('favicon'))
      watched.complaints.push(message.text())
  })
  page.on('pageerror', (error) => watched.complaints.push(String(error)))
  page.on('request', (request) => {
    if (/\/sdk\/[^/]+\/(?:frame|checkout)\?/.test(request.url())) watched.documents.push(request.url())
  })
  end = await serveMerchantPage({
    files: {
      '/': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title><link rel="icon" href="/favicon.js">
        </head><body><h1>Pay</h1><div id="card">${markup}</div><p>Below</p><form><input name="payment_source" aria-label="token"></form>
        <script src="/watch.js"></script><script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script></body></html>`,
      '/favicon.js': '',
      '/watch.js': `let shift = 0, violations = [], said = []
        addEventListener('message', ({ data }) => said.push(JSON.stringify(data)))
        new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) shift += one.value }).observe({ type: 'layout-shift', buffered: true })
        document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI))`,
      '/page.js': script,
    },
    headers: { 'content-security-policy': STRICT },
  })
  return watched
}

const pays = (page: Page) => expect(page.getByLabel('token')).toHaveValue(TOKEN)

test('is there before the SDK, keeps what is typed, and is paid by the press that came first', async ({
  page,
}) => {
  // What the page is done with becomes lower: until then nothing may move.
  const script = widgetScript(demoKeys().public_key, "let moved; widget.on('submit', () => (moved = shift))")
  const watched = await open(page, frameHtml(EARLY), script)
  const release = await holdSdk(page)
  await page.goto(PAGE_URL, { waitUntil: 'commit' })
  const form = new CardForm(page)
  await takesKeys(form.number)
  await form.fill(GOOD_CARD)
  await form.submit.click()
  await page.locator('iframe').evaluate((frame) => (frame.dataset['mark'] = 'early'))
  release()
  await pays(page)
  await expect(page.locator('iframe')).toHaveAttribute('data-mark', 'early')
  expect(watched.documents).toHaveLength(1)
  expect(watched.complaints).toEqual([])
  expect(await page.evaluate('[moved, violations.filter((one) => !one.includes("favicon"))]')).toEqual([
    0,
    [],
  ])
})

test('takes the language and the looks that the page sets', async ({ page }) => {
  const script = widgetScript(demoKeys().public_key, "widget.setLanguage('de').setTexts({ title: 'Karte' })")
  const watched = await open(page, frameHtml({ ...EARLY, isCustomised: true }), script)
  await page.goto(PAGE_URL)
  const { frame } = new CardForm(page)
  await expect(frame.getByRole('heading', { name: 'Karte' })).toBeVisible()
  await expect(frame.getByLabel('Kartennummer')).toBeVisible()
  expect([watched.documents.length, watched.complaints]).toEqual([1, []])
})

const OTHERS = [
  ['another release', { release: 'v1.1.0' }],
  ['another key', { query: { ...EARLY.query, public_key: 'pk_sandbox_other' } }],
  ['another gateway', { query: { ...EARLY.query, gateway_id: 'other' } }],
] as const

for (const [what, change] of someOf(OTHERS, 2))
  test(`one of ${what} is replaced, with a line in the console, and the form works`, async ({ page }) => {
    const watched = await open(page, frameHtml({ ...EARLY, ...change }))
    await page.goto(PAGE_URL)
    const form = new CardForm(page)
    await takesKeys(form.number)
    await form.fill(GOOD_CARD)
    await form.submit.click()
    await pays(page)
    await expect(page.locator('iframe')).toHaveCount(1)
    expect(watched.complaints).toEqual([expect.stringContaining('(frame_not_adopted)')])
  })

test(
  'who types into one that is replaced is told to begin again, in the new one',
  { tag: LONG },
  async ({ page }) => {
    await open(page, frameHtml({ ...EARLY, release: 'v1.2.0' }))
    const release = await holdSdk(page)
    await page.goto(PAGE_URL, { waitUntil: 'commit' })
    const form = new CardForm(page)
    await takesKeys(form.number)
    await form.number.focus()
    await page.keyboard.type('5111')
    release()
    await expect(form.alert).toHaveText(/form has been reset/)
    await expect(form.name).toBeFocused()
    await page.keyboard.type('Grace')
    await expect(form.name).toHaveValue('Grace')
  },
)

test('one that its sandbox robs of its origin is replaced at once', { tag: LONG }, async ({ page }) => {
  const markup = frameHtml(EARLY).replace('allow-scripts allow-same-origin', 'allow-scripts')
  const watched = await open(page, markup)
  await page.goto(PAGE_URL)
  await expect
    .poll(() => watched.complaints.some((text) => text.includes('frame_not_adopted')), { timeout: 15_000 })
    .toBe(true)
  const form = new CardForm(page)
  await takesKeys(form.number)
  await form.fill(GOOD_CARD)
  await form.submit.click()
  await pays(page)
})

test('one that another script has welcomed first is replaced: that script gets no token', async ({
  page,
}) => {
  const thief = `const stolen = []
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => stolen.push(data.event ?? data)
    const steal = () => document.querySelector('iframe').contentWindow.postMessage({ channel: 'widget.svc', protocol: ${PROTOCOL},
      widget_id: '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a22', settings: {} }, '${SERVICE_URL}', [port2])
    addEventListener('message', ({ data }) => { if (data.hello) { steal(); setTimeout(start, 200) } }, { once: true })
    const start = () => { ${widgetScript(demoKeys().public_key).replaceAll('const ', 'window.')} }`
  const watched = await open(page, frameHtml(EARLY), thief)
  await page.route('**/frame?*', async (route) => {
    await new Promise((done) => setTimeout(done, 500))
    await route.continue()
  })
  await page.goto(PAGE_URL)
  await expect.poll(() => watched.complaints.length).toBe(1)
  expect(watched.complaints[0]).toContain('(welcomed by another script)')
  const form = new CardForm(page)
  await takesKeys(form.number)
  await form.fill(GOOD_CARD)
  await form.submit.click()
  await pays(page)
  expect(await page.evaluate("stolen.includes('finish')")).toBe(false)
})

test('a page that is left and shown again has one form that pays', { tag: LONG }, async ({ page }) => {
  const watched = await open(page, frameHtml(EARLY))
  await page.goto(PAGE_URL)
  await takesKeys(new CardForm(page).number)
  await page.goto(`${SERVICE_URL}/docs`)
  await page.goBack()
  const form = new CardForm(page)
  await takesKeys(form.number)
  await form.fill(GOOD_CARD)
  await form.submit.click()
  await pays(page)
  expect(watched.complaints).toEqual([])
})

test(
  'who types while the SDK comes, 10 s late, keeps each key, the caret and the focus',
  { tag: LONG },
  async ({ page }) => {
    const watched = await open(page, frameHtml(EARLY))
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.frame() !== page.mainFrame() && !request.url().includes('/frame?')) sent.push(request.url())
    })
    const release = await holdSdk(page)
    await page.goto(PAGE_URL, { waitUntil: 'commit' })
    const form = new CardForm(page)
    await takesKeys(form.number)
    await form.number.focus()
    await page.keyboard.type('5111', { delay: 20 })
    await expect(form.alert).toBeVisible({ timeout: 12_000 })
    await page.waitForTimeout(1500)
    release()
    let typed = '5111'
    const isAlive = () => page.evaluate<boolean>("typeof events === 'object' && events.length > 1")
    for (const digit of '11111111111') {
      await page.keyboard.press(digit)
      typed += digit
      if (typed.length === 12) await expect.poll(isAlive).toBe(true)
    }
    await expect(form.number).toHaveValue('5111 1111 1111 111')
    await expect(form.number).toBeFocused()
    await expect(form.alert).toHaveText('')
    const [start] = await form.number.evaluate((input: HTMLInputElement) => [input.selectionStart])
    expect([start, sent, watched.documents.length, watched.complaints]).toEqual([18, [], 1, []])
    const hello =
      /^{"hello":"widget.svc","document":"[\da-f-]{36}","address":"[^"]+","is_taken":(?:true|false)}$/
    const said = await page.evaluate<string[]>('said')
    expect(said.filter((message) => !hello.test(message))).toEqual([])
  },
)

test('a text that is still composed when the SDK comes is not touched', { tag: LONG }, async ({ page }) => {
  await open(page, frameHtml(EARLY))
  const release = await holdSdk(page)
  await page.goto(PAGE_URL, { waitUntil: 'commit' })
  const form = new CardForm(page)
  await takesKeys(form.name)
  const compose = (text: string) =>
    form.name.evaluate((input: HTMLInputElement, data) => {
      input.focus()
      if (input.value === '') input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
      input.value = data
      input.dispatchEvent(
        new InputEvent('input', {
          data,
          inputType: 'insertCompositionText',
          isComposing: true,
          bubbles: true,
        }),
      )
    }, text)
  await compose('か')
  release()
  await expect.poll(() => page.evaluate("typeof events === 'object' && events.length > 1")).toBe(true)
  await expect(form.name).toHaveValue('か')
  await compose('かな')
  await form.name.evaluate((input) =>
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: 'かな' })),
  )
  await expect(form.name).toHaveValue('かな')
})

test('a screen reader finds one frame, with one title', async ({ page }) => {
  await open(page, frameHtml(EARLY))
  await page.goto(PAGE_URL)
  await takesKeys(new CardForm(page).number)
  await expect(page.getByTitle('Card details')).toHaveCount(1)
  await expect(page.locator('iframe')).toHaveCount(1)
})

/** A page whose head defines the element, so that the browser makes it before it has read what stands in it. */
test('<svc-card-widget> adopts what stands in it, also where it is defined before it is read', async ({
  page,
}) => {
  const { public_key } = demoKeys()
  const watched = await open(page, frameHtml(EARLY))
  await end?.()
  end = await serveMerchantPage({
    files: {
      '/': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title><link rel="icon" href="/favicon.js">
        <script type="module" async src="/element.mjs"></script><script src="/defined.js"></script></head>
        <body><svc-card-widget public-key="${public_key}" origin="${SERVICE_URL}">${frameHtml(EARLY)}</svc-card-widget>
        <script src="/page.js"></script></body></html>`,
      '/favicon.js': '',
      '/defined.js': '',
      '/page.js': `const tokens = []
        document.querySelector('svc-card-widget').addEventListener('finish', ({ detail }) => tokens.push(detail.payment_source))
        document.querySelector('iframe').id = 'early'`,
      '/element.mjs': readFileSync('dist/npm/element.mjs', 'utf8'),
      '/html-widget.mjs': readFileSync('dist/npm/html-widget.mjs', 'utf8'),
    },
  })
  await page.route('**/defined.js', async (route) => {
    await new Promise((done) => setTimeout(done, 500))
    await route.continue()
  })
  await page.goto(PAGE_URL)
  const form = new CardForm(page)
  await takesKeys(form.number)
  await form.fill(GOOD_CARD)
  await form.submit.click()
  await expect.poll(() => page.evaluate('tokens')).toEqual([expect.stringMatching(TOKEN)])
  await expect(page.locator('#early')).toHaveCount(1)
  expect([watched.documents.length, watched.complaints]).toEqual([1, []])
})
