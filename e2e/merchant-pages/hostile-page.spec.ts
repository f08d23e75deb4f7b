import { expect, test } from '@playwright/test'
import type { Page } from '@playwright/test'
import { LONG } from '../long-form.ts'
import { PROTOCOL } from '../../src/contract/page/widget-channel.ts'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { PAGE_URL, SERVICE_URL } from '../world/addresses.ts'
import { welcomeAll } from '../pages/welcome-all.ts'
import { demoKeys, serveMerchantPage, widgetPage, widgetScript } from '../world/merchant-page.ts'

const eventsOf = (page: Page) =>
  page.evaluate<{ event: string; payment_source?: string; widget_id: string }[]>('events')
const ready = (page: Page) =>
  expect.poll(async () => (await eventsOf(page)).map(({ event }) => event)).toContain('afterLoad')

let end: (() => Promise<void>) | undefined
test.afterEach(async () => {
  await end?.()
  end = undefined
})

/** Opens a merchant's page with a card form, and beside it a frame of the page's own. */
async function openBesideOtherFrame(page: Page): Promise<void> {
  end = await serveMerchantPage({
    files: {
      '/': widgetPage.replace('</body>', '<iframe src="/other" title="other"></iframe></body>'),
      '/page.js': widgetScript(demoKeys().public_key),
      '/other': '<!doctype html><title>other</title>',
    },
  })
  await page.goto(PAGE_URL)
  await ready(page)
}

test('a forged finish from the page, or from another frame, does nothing', async ({ page }) => {
  await openBesideOtherFrame(page)
  const [{ widget_id: id } = { widget_id: '' }] = await eventsOf(page)
  const forged = {
    event: 'finish',
    purpose: 'payment_source',
    message_source: 'widget.svc',
    ref_id: '',
    widget_id: id,
    payment_source: '11111111-1111-4111-8111-111111111111',
  }
  const forge = (message: object) => {
    for (const data of [message, JSON.stringify(message)]) {
      window.postMessage(data, '*')
      window.parent.postMessage(data, '*', [new MessageChannel().port2])
      window.dispatchEvent(
        new MessageEvent('message', { data, source: window, origin: window.location.origin }),
      )
      const frames = Array.from({ length: window.parent.length }, (_, index) => window.parent[index])
      for (const frame of frames) frame?.postMessage(data, '*', [new MessageChannel().port2])
    }
  }
  for (const frame of page.frames()) await frame.evaluate(forge, forged)

  const form = new CardForm(page)
  await form.type(GOOD_CARD)
  await form.submit.click()
  await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
  const finished = (await eventsOf(page)).filter(({ event }) => event === 'finish')
  expect(finished).toHaveLength(1)
  expect(finished[0]?.payment_source).not.toBe(forged.payment_source)
  await expect(page.getByLabel('token')).not.toHaveValue(forged.payment_source)
})

test('a second welcome or hello from another frame is ignored; the form talks to its page alone', async ({
  page,
}) => {
  await openBesideOtherFrame(page)
  const stranger = page.frames().find((one) => one.url().endsWith('/other'))
  const forged = { hello: 'widget.svc', document: 'forged', address: '/sdk/v1.0.0/frame?', is_taken: true }
  await stranger?.evaluate((hello) => window.parent.postMessage(hello, '*'), forged)
  await page.evaluate((hello) => window.postMessage(hello, '*'), forged)
  const address = await page.locator('#card iframe').getAttribute('src')
  const heard = await stranger?.evaluate(welcomeAll, { address: address ?? '', protocol: PROTOCOL })
  await page.evaluate("widget.setTexts({ submit_button: 'Pay now' })")
  await expect(new CardForm(page).submit).toHaveText('Pay now')
  expect(await stranger?.evaluate('heard')).toEqual([])
  expect(heard, 'the same welcome, to a card form of its own').toContain('afterLoad')
})

for (const more of ['', "; require-trusted-types-for 'script'"]) {
  test(`a page with the strictest policy${more} works without a violation`, async ({ page }) => {
    const policy = `default-src 'none'; script-src 'self' ${SERVICE_URL}; frame-src ${SERVICE_URL}${more}`
    end = await serveMerchantPage({
      files: {
        '/': widgetPage,
        '/favicon.js': '',
        '/page.js': `const violations = []
          document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI))
          ${widgetScript(demoKeys().public_key, "widget.setStyles({ button_color: '#0a7' }); widget.setTexts({ title: 'Card, please' })")}`,
      },
      headers: {
        'content-security-policy': policy,
        'cross-origin-embedder-policy': 'require-corp',
        'cross-origin-opener-policy': 'same-origin',
      },
    })
    const complaints: string[] = []
    const complain = (text: string) => {
      if (!text.includes('favicon')) complaints.push(text)
    }
    page.on('console', (message) => {
      if (message.type() === 'error') complain(message.text())
    })
    page.on('pageerror', (error) => complain(String(error)))
    await page.goto(PAGE_URL)
    const form = new CardForm(page)
    await form.type(GOOD_CARD)
    await form.submit.click()
    await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
    const violations = await page.evaluate<string[]>('violations')
    expect(violations.filter((text) => !text.includes('favicon'))).toEqual([])
    expect(complaints).toEqual([])
  })
}

test('the frame document loads nothing, and may not', async ({ request }) => {
  const answer = await request.get(`${SERVICE_URL}/sdk/latest/frame?public_key=${demoKeys().public_key}`)
  const html = await answer.text()
  expect(html).not.toMatch(/<(?:link|img)\b|\bsrc=|@import|url\(/)
  expect(answer.headers()['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'sha256-[^;]+; style-src 'sha256-/,
  )
})

test('a key that is refused ends in a systemError that says so', { tag: LONG }, async ({ page }) => {
  end = await serveMerchantPage({ files: { '/': widgetPage, '/page.js': widgetScript('pk_sandbox_wrong') } })
  await page.goto(PAGE_URL)
  await expect
    .poll(() => eventsOf(page))
    .toContainEqual(
      expect.objectContaining({
        event: 'systemError',
        error: expect.objectContaining({ code: 'unauthorized', retryable: false }),
      }),
    )
})

test(
  'a frame that cannot be loaded ends in a systemError, and nothing is thrown',
  { tag: LONG },
  async ({ page }) => {
    end = await serveMerchantPage({
      files: { '/': widgetPage, '/page.js': widgetScript(demoKeys().public_key) },
    })
    const thrown: unknown[] = []
    page.on('pageerror', (error) => thrown.push(error))
    await page.route('**/frame?*', (route) => route.abort())
    await page.goto(PAGE_URL)
    await expect
      .poll(() => eventsOf(page), { timeout: 20_000 })
      .toContainEqual(
        expect.objectContaining({
          event: 'systemError',
          error: expect.objectContaining({ code: 'not_the_service' }),
        }),
      )
    expect(thrown).toEqual([])
  },
)

test('what was typed stays when the network is lost, and the next press works', async ({ page }) => {
  end = await serveMerchantPage({
    files: { '/': widgetPage, '/page.js': widgetScript(demoKeys().public_key) },
  })
  await page.goto(PAGE_URL)
  const form = new CardForm(page)
  await form.type(GOOD_CARD)
  await page.route('**/payment_sources/tokens', (route) => route.abort('connectionreset'))
  await form.submit.click()
  await expect(form.alert).toContainText('connection')
  await expect
    .poll(() => eventsOf(page))
    .toContainEqual(
      expect.objectContaining({
        event: 'systemError',
        error: expect.objectContaining({ code: 'network_error', retryable: true }),
      }),
    )
  await expect(form.number).toHaveValue('5111 1111 1111 1118')
  await page.unroute('**/payment_sources/tokens')
  await form.submit.click()
  await expect(page.getByLabel('token')).toHaveValue(/^[0-9a-f-]{36}$/)
})
