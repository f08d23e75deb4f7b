import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Checkout } from './checkout.ts'
import { FakeFrame } from './testing/fake-frame.ts'
import { loadedWidget, makeWidget, ORIGIN, useWidgetPage } from './testing/widget-page.ts'

useWidgetPage()
const lines: unknown[] = []
const asked: [address: string, method: string | undefined][] = []
const answerWith = { policy: '' }
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  vi.stubGlobal('fetch', (address: string, { method }: RequestInit) => {
    asked.push([address, method])
    return Promise.resolve(new Response('', { headers: { 'content-security-policy': answerWith.policy } }))
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  lines.length = 0
  asked.length = 0
})

const iframes = () => document.querySelectorAll('iframe').length
const fault = { code: 'unauthorized', message: 'This key is not known.', retryable: false }
const failing = { event: 'systemError', error: fault }

describe('a fault that nobody listens to', () => {
  it('of a load is one line in the console', async () => {
    const loaded = makeWidget().load()
    new FakeFrame().load().emit(failing)
    await loaded.catch(() => undefined)
    expect(lines).toEqual(['[svc] This key is not known. (unauthorized)'])
  })

  it('of a submit is one line, too', async () => {
    const { widget, frame } = await loadedWidget()
    const finished = widget.submit()
    frame.emit({ event: 'systemError', error: { ...fault, code: 'offline', message: 'No network.' } })
    await finished.catch(() => undefined)
    await makeWidget()
      .submit()
      .catch(() => undefined)
    expect(lines).toEqual([
      '[svc] No network. (offline)',
      '[svc] There is no form to submit. Call load(), and submit after afterLoad. (form_not_loaded)',
    ])
  })

  it('of a checkout is one line, too', async () => {
    const checkout = new Checkout('#card', 'token').setEnv('sandbox', ORIGIN)
    const loaded = checkout.load()
    new FakeFrame().load().emit(failing)
    await loaded.catch(() => undefined)
    checkout.destroy()
    expect(lines).toEqual(['[svc] This key is not known. (unauthorized)'])
  })

  it('of a destroyed widget is one line when it is loaded again, and none when it was under way', async () => {
    const widget = makeWidget()
    void widget.load()
    widget.destroy()
    expect(lines).toEqual([])
    await widget.load().catch(() => undefined)
    expect(lines).toEqual(['[svc] This widget was destroyed. Make a new one. (widget_destroyed)'])
  })

  it('is no line when somebody does', async () => {
    const told = vi.fn()
    const loaded = makeWidget().on('systemError', told).load()
    new FakeFrame().load().emit(failing)
    await loaded.catch(() => undefined)
    expect([told.mock.calls.length, lines]).toEqual([1, []])
  })
})

describe('a key that must not be in a page, or is none', () => {
  it.each([
    ['sk_sandbox_1', 'secret_key', /That is a secret key\. Remove it from the page, replace it/],
    [' sk_sandbox_1', 'secret_key', /secret key/],
    [undefined, 'unauthorized', /The public key is undefined/],
    ['', 'unauthorized', /The public key is ""/],
  ])('%j is refused at once and sent nowhere', async (key, code, words) => {
    const widget = makeWidget('#card', key)
    await expect(widget.load()).rejects.toMatchObject({ code, retryable: false })
    expect(lines).toEqual([expect.stringMatching(words)])
    expect([iframes(), asked]).toEqual([0, []])
  })
})

describe('a form that does not come', () => {
  const blocked = async (policy: string) => {
    answerWith.policy = policy
    vi.useFakeTimers()
    const loaded = makeWidget().load()
    new FakeFrame().load()
    const outcome = loaded.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1500)
    return { outcome, isGone: () => iframes() === 0 }
  }

  it('in a page outside the merchant’s origins is that fault as soon as the service says so', async () => {
    const { outcome, isGone } = await blocked("default-src 'none'; frame-ancestors https://shop.example")
    expect(await outcome).toMatchObject({ code: 'origin_not_allowed', retryable: false })
    expect(isGone()).toBe(true)
    expect(asked).toEqual([[expect.stringMatching(/^https:\/\/cards\.example\/sdk\/v/), 'HEAD']])
    expect(lines).toEqual([expect.stringContaining(`${location.origin} is not among the merchant's origins`)])
  })

  it('in a page from the disk, whose origin browsers take for any page of the web', async () => {
    vi.stubGlobal('location', { protocol: 'file:', origin: 'file://' })
    const { outcome, isGone } = await blocked('frame-ancestors *')
    expect(await outcome).toMatchObject({ code: 'page_from_disk', retryable: false })
    expect(isGone()).toBe(true)
    expect(lines).toEqual([expect.stringContaining('Serve it by http')])
    expect(asked).toEqual([])
  })

  it('in a sandboxed page names what its sandbox lacks', async () => {
    vi.stubGlobal('origin', 'null')
    const { outcome } = await blocked('frame-ancestors *')
    expect(await outcome).toMatchObject({ code: 'page_sandboxed', retryable: false })
    expect(lines).toEqual([expect.stringContaining('allow-same-origin')])
  })

  it('in an allowed page within one that is not names that one', async () => {
    const { origin, protocol } = location
    const ancestorOrigins = [origin, 'https://portal.example']
    vi.stubGlobal('location', { origin, protocol, ancestorOrigins })
    const { outcome } = await blocked(`frame-ancestors ${origin}`)
    expect(await outcome).toMatchObject({ code: 'origin_not_allowed' })
    expect(lines).toEqual([expect.stringContaining('https://portal.example is not among')])
  })

  it.each([
    ['another policy', `frame-ancestors *, frame-ancestors 'self'`, {}, 'origin_not_allowed'],
    ['X-Frame-Options', "default-src 'none'", { 'x-frame-options': 'DENY' }, 'blocked_by_header'],
  ])('since a proxy has added %s says so', async (_, policy, headers, code) => {
    vi.stubGlobal('fetch', () =>
      Promise.resolve(new Response('', { headers: { 'content-security-policy': policy, ...headers } })),
    )
    const { outcome } = await blocked(policy)
    expect(await outcome).toMatchObject({ code, retryable: false })
  })

  it.each([
    ['is another server', (mode?: string) => mode === 'no-cors' && new Response('')],
    ['has nothing there', () => new Response('', { status: 404 })],
  ])('as the address %s says so in the end, as it may yet come', async (_, answerTo) => {
    vi.stubGlobal('fetch', (__: string, { mode }: RequestInit) => {
      const answer = answerTo(mode)
      return answer ? Promise.resolve(answer) : Promise.reject(new TypeError('Failed to fetch'))
    })
    const { outcome, isGone } = await blocked('')
    expect(isGone()).toBe(false)
    await vi.advanceTimersByTimeAsync(3500)
    expect(await outcome).toMatchObject({ code: 'not_the_service', retryable: true })
  })

  it('as its container is not in the page says so', async () => {
    vi.useFakeTimers()
    const loaded = makeWidget(document.createElement('div')).load()
    const outcome = loaded.catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await outcome).toMatchObject({ code: 'form_not_in_page', retryable: true })
  })

  it.each([
    'frame-ancestors *',
    `frame-ancestors ${location.origin} https://b.example`,
    `frame-ancestors ${location.origin.replace('//', '//*')}`,
    '',
  ])('may still come where the service says %j', async (policy) => {
    const { outcome, isGone } = await blocked(policy)
    expect(isGone()).toBe(false)
    await vi.advanceTimersByTimeAsync(3500)
    expect(await outcome).toMatchObject({ code: 'frame_not_loaded', retryable: true })
  })

  it('and the service can’t be asked, is a time-out', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    const { outcome } = await blocked('')
    await vi.advanceTimersByTimeAsync(3500)
    expect(await outcome).toMatchObject({ code: 'frame_not_loaded' })
  })

  it.each([
    ['http://cards.example', 'mixed_content'],
    ['http://localhost:8080', null],
    ['http://127.0.0.1:8080', null],
    ['http://[::1]:8080', null],
    ['https://cards.example', null],
  ])('on a page of https from %s: %s', async (origin, code) => {
    vi.stubGlobal('location', { protocol: 'https:', origin: 'https://shop.example' })
    const widget = makeWidget().setEnv('sandbox', origin)
    const outcome = widget.load().catch((error: unknown) => error)
    await Promise.resolve()
    if (code === null) expect(iframes()).toBe(1)
    else expect(await outcome).toMatchObject({ code, retryable: false })
    widget.destroy()
  })
})

it.each([undefined, null, 7])('a checkout whose token is %j says so at once', (token) => {
  expect(() => {
    Reflect.construct(Checkout, ['#card', token])
  }).toThrow(`token of the checkout is ${String(token)}. Pass the one`)
  expect(iframes()).toBe(0)
})

it('a container that matches nothing is named, with what to do', () => {
  expect(() => makeWidget('#crad').load()).toThrow(
    "No element matches '#crad'. Check the selector, or run this after the element.",
  )
})

describe('a container of another window', () => {
  it('is refused in words', () => {
    const other = document.implementation.createHTMLDocument()
    const container = { tagName: 'DIV', ownerDocument: other }
    expect(() => makeWidget(container).load()).toThrow('That element is in another window.')
  })

  it.each([[document.createTextNode('x')], [{}], [null], [7]])('is none that is %s', (given) => {
    expect(() => makeWidget(given).load()).toThrow('No element matches')
  })
})
