import { describe, expect, it, vi } from 'vitest'
import { Checkout } from '../checkout.ts'
import { HtmlWidget } from '../html-widget.ts'
import { FakeFrame } from '../testing/fake-frame.ts'
import { makeWidget, ORIGIN, useWidgetPage } from '../testing/widget-page.ts'

useWidgetPage()
const RELEASE = `/sdk/v${__SVC_VERSION__}`
const ADDRESS = `${ORIGIN}${RELEASE}/frame?public_key=pk_1&gateway_id=gw_1&language=en`

const container = () => document.querySelector('#card') ?? document.body
const frames = () => [...container().querySelectorAll('iframe')]

/** The page's markup holds a form before the SDK is there. */
function putEarly(address = ADDRESS): { frame: FakeFrame; lines: unknown[] } {
  container().innerHTML = `<iframe src="${address.replaceAll('&', '&amp;')}" width="100%" height="400"></iframe>`
  const lines: unknown[] = []
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  return { frame: new FakeFrame(), lines }
}

describe('a form that stands in the container already', () => {
  it.each([
    ['was there before the SDK', (frame: FakeFrame) => frame.come(), () => undefined],
    ['comes after the SDK', () => undefined, (frame: FakeFrame) => frame.come().sayHello().endLoad()],
    [
      'has said hello and loads after the SDK',
      (frame: FakeFrame) => frame.come(),
      (frame: FakeFrame) => frame.endLoad(),
    ],
  ])('and %s is adopted, and greeted once', async (_, before, after) => {
    const { frame, lines } = putEarly()
    before(frame)
    const widget = makeWidget()
    const loaded = widget.load()
    after(frame)
    expect(frames()).toEqual([frame.element])
    expect(frame.greetings).toHaveLength(1)
    frame.emit({ event: 'afterLoad' })
    await expect(loaded).resolves.toBeUndefined()
    expect([frame.element.style.display, frame.element.lang, lines]).toEqual(['block', 'en', []])
  })

  it('stays in the page when its load event comes long after it was greeted', async () => {
    vi.useFakeTimers()
    const { frame } = putEarly()
    frame.come()
    const loaded = makeWidget().load()
    frame.emit({ event: 'afterLoad' })
    await loaded
    frame.endLoad()
    vi.advanceTimersByTime(60_000)
    expect(frames()).toEqual([frame.element])
  })

  it('is told the language of the page where its address names another', () => {
    const { frame } = putEarly(ADDRESS.replace('language=en', 'language=de'))
    frame.come()
    void makeWidget().load()
    expect(frame.greeting.welcome.settings.language).toBe('en')
  })

  it('is asked for at once, though its markup says that it may wait', () => {
    const { frame } = putEarly()
    frame.element.loading = 'lazy'
    void makeWidget().load()
    expect(frame.element.loading).toBe('eager')
  })

  it('may be that of a checkout', async () => {
    const token = `h.${btoa(JSON.stringify({ sub: 'intent1', shape: {} }))}.s`
    const { frame, lines } = putEarly(`${ORIGIN}${RELEASE}/checkout?intent_id=intent1&language=en`)
    frame.come()
    const checkout = new Checkout('#card', token).setEnv('sandbox', ORIGIN)
    await Promise.resolve()
    expect(frame.greeting.token).toBe(token)
    expect([frames(), lines]).toEqual([[frame.element], []])
    checkout.destroy()
  })

  it('is replaced once a document of another form has come into it, and the card is asked for again', async () => {
    const { frame, lines } = putEarly()
    frame.come()
    const widget = makeWidget()
    const loaded = widget.load()
    frame.emit({ event: 'afterLoad' })
    await loaded
    frame.say(true)
    await frame.heardBy(widget)
    frame.sayHello({ data: { ...frame.come().hello, address: `${RELEASE}/frame?public_key=pk_2` } })
    expect([frame.greetings.length, frames().length, lines.length]).toEqual([1, 1, 1])
    expect(new FakeFrame().sayHello().greeting.welcome.is_reloaded).toBe(true)
  })

  it('goes with the widget that adopted it', () => {
    const { frame } = putEarly()
    frame.come()
    const widget = makeWidget()
    void widget.load().catch(() => undefined)
    widget.destroy()
    expect(frames()).toEqual([])
  })

  it('belongs to its widget: a second one takes its place by a frame of its own', async () => {
    const { frame } = putEarly()
    frame.come()
    const first = makeWidget()
    const told = first.on('systemError')
    void first.load().catch(() => undefined)
    frame.emit({ event: 'afterLoad' })
    void makeWidget().load()
    await expect(told).resolves.toMatchObject({ error: { code: 'form_replaced' } })
    expect(frames()).toHaveLength(1)
    expect(frames()[0]).not.toBe(frame.element)
  })
})

describe('a frame in the container that is replaced, with a line in the console', () => {
  it.each([
    ['of another release', ADDRESS.replace(RELEASE, '/sdk/v1.0.0')],
    ['of another origin', ADDRESS.replace(ORIGIN, 'https://evil.example')],
    ['of another key', ADDRESS.replace('pk_1', 'pk_2')],
    ['of another gateway', ADDRESS.replace('gw_1', 'gw_2')],
    ['of more than a form’s address', `${ADDRESS}&more=1`],
    ['of an address that is none', `https://YOUR SERVICE${RELEASE}/frame?public_key=pk_1`],
  ])('one %s', (_, address) => {
    const { frame, lines } = putEarly(address)
    void makeWidget().load()
    expect(frames()).toHaveLength(1)
    expect(frames()[0]).not.toBe(frame.element)
    expect(lines).toEqual([expect.stringMatching(/was replaced: .*frameHtml\(\)\. \(frame_not_adopted\)$/)])
  })

  it.each([
    ['another script has welcomed', { is_taken: true }],
    [
      'the browser has filled with the form of an earlier visit',
      { address: '/sdk/v1.0.0/frame?public_key=pk_1' },
    ],
  ])('one that %s', (_, hello) => {
    const { frame, lines } = putEarly()
    void makeWidget().load()
    frame.sayHello({ data: { ...frame.come().hello, ...hello } })
    expect([frame.greetings, frames().length, lines.length]).toEqual([[], 1, 1])
    expect(frames()[0]).not.toBe(frame.element)
    const own = new FakeFrame()
    expect(own.come().sayHello().greetings).toHaveLength(1)
  })

  it('one whose sandbox robs it of its origin, at its hello', () => {
    const { frame, lines } = putEarly()
    void makeWidget().load()
    frame.come().sayHello({ origin: 'null' })
    expect(frames()[0]).not.toBe(frame.element)
    expect([frame.greetings, lines]).toEqual([[], [expect.stringContaining('(whose origin is null)')]])
  })

  it('one that does not answer for 5 s; what the page has hidden stays hidden', () => {
    vi.useFakeTimers()
    const { frame, lines } = putEarly()
    const widget = makeWidget().hide(true)
    void widget.load()
    vi.advanceTimersByTime(4999)
    expect(frames()).toEqual([frame.element])
    vi.advanceTimersByTime(1)
    expect(frames()[0]).not.toBe(frame.element)
    expect(frames()[0]?.style.visibility).toBe('hidden')
    expect([frame.greetings, lines.length]).toEqual([[], 1])
  })

  it('one of two that are alike: the first is adopted', () => {
    const { frame, lines } = putEarly()
    container().append(frame.element.cloneNode())
    frame.come()
    void makeWidget().load()
    expect([frames(), lines]).toEqual([[frame.element], []])
  })
})

it.each([
  ['at once, as it is of another release', ADDRESS.replace(RELEASE, '/sdk/v1.0.0'), () => undefined],
  ['later', ADDRESS, (frame: FakeFrame) => frame.come().sayHello({ origin: 'null' })],
])('who is in a frame that is replaced %s is told so, and led into the new one', async (_, address, say) => {
  const { frame } = putEarly(address)
  frame.element.focus()
  const loaded = makeWidget().load()
  say(frame)
  const own = new FakeFrame().sayHello()
  expect(own.greeting.welcome.is_reloaded).toBe(true)
  own.emit({ event: 'afterLoad' })
  await loaded
  expect(document.activeElement).toBe(own.element)
  await vi.waitFor(() => expect(own.commands).toEqual([{ command: 'focus' }]))
})

it('who is in a frame that is adopted stays where they are, and hears nothing', async () => {
  const { frame } = putEarly()
  frame.element.focus()
  frame.come()
  const widget = makeWidget()
  const loaded = widget.load()
  expect(frame.greeting.welcome).not.toHaveProperty('is_reloaded')
  frame.emit({ event: 'afterLoad' })
  await loaded
  await frame.heardBy(widget)
  expect(frame.commands).toEqual([])
})

it('no form stays to be typed into where none will come, and the line about it repeats no key', async () => {
  const { lines } = putEarly(ADDRESS.replace('pk_1', 'sk_live_1'))
  const widget = new HtmlWidget('#card', 'sk_live_1').setEnv('sandbox', ORIGIN)
  await expect(widget.load()).rejects.toMatchObject({ code: 'secret_key' })
  expect([frames(), lines]).toEqual([[], [expect.not.stringContaining('sk_live')]])
})

it('a new frame whose address a proxy has changed is not replaced', () => {
  const lines = vi.spyOn(console, 'error').mockReturnValue()
  void makeWidget().load()
  const frame = new FakeFrame()
  frame.sayHello({ data: { ...frame.come().hello, address: '/behind/proxy/frame?' } })
  expect([frame.greetings.length, frames(), lines.mock.calls]).toEqual([1, [frame.element], []])
})
