import { describe, expect, it, vi } from 'vitest'
import { FakeFrame } from './testing/fake-frame.ts'
import { loadedWidget, makeWidget, ORIGIN, TOKEN, useWidgetPage } from './testing/widget-page.ts'

useWidgetPage()
const fault = { code: 'unauthorized', message: 'This key is not known.', retryable: false }
const iframes = () => document.querySelectorAll('iframe').length

describe('load', () => {
  it('greets the frame once with a port, to the exact origin of the widget', async () => {
    const { frame } = await loadedWidget()
    expect(frame.greetings).toHaveLength(1)
    expect(frame.greeting.origin).toBe(ORIGIN)
    expect(frame.greeting.welcome).toMatchObject({ channel: 'widget.svc', protocol: 2 })
    expect(frame.greeting.welcome.settings).toEqual({ color_scheme: 'light' })
  })

  it.each(['#nowhere', '???'])('throws at once when "%s" matches nothing', (selector) => {
    expect(() => makeWidget(selector).load()).toThrow()
  })

  it('answers a second call with the same promise', () => {
    const widget = makeWidget()
    expect(widget.load()).toBe(widget.load())
    expect(iframes()).toBe(1)
  })

  it('rejects with what the frame says is wrong, and leaves the frame to say it to the shopper', async () => {
    const widget = makeWidget()
    const told = widget.on('systemError')
    const loaded = widget.load()
    new FakeFrame().load().emit({ event: 'systemError', error: fault })
    await expect(loaded).rejects.toMatchObject({ ...fault, name: 'WidgetError', event: { error: fault } })
    await expect(told).resolves.toMatchObject({ error: fault })
    expect(iframes()).toBe(1)
  })

  it('tries again after a fault', async () => {
    const widget = makeWidget()
    const first = widget.load()
    new FakeFrame().load().emit({ event: 'systemError', error: fault })
    await expect(first).rejects.toThrow()
    const second = widget.load()
    expect(iframes()).toBe(1)
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await expect(second).resolves.toBeUndefined()
  })

  it('is not undone by a fault that comes later', async () => {
    const { widget, frame } = await loadedWidget()
    const loaded = widget.load()
    frame.emit({ event: 'systemError', error: fault })
    await frame.heardBy(widget)
    expect(widget.load()).toBe(loaded)
  })

  it.each([
    [15_000, 'no document came', false],
    [5_000, 'the document did not answer', true],
  ])('gives up after %i ms when %s', async (milliseconds, _, comes) => {
    vi.useFakeTimers()
    const widget = makeWidget()
    const heard = vi.fn()
    const loaded = widget.on('systemError', heard).load()
    if (comes) new FakeFrame().load()
    vi.advanceTimersByTime(milliseconds - 1)
    expect(heard).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    await expect(loaded).rejects.toMatchObject({ code: 'frame_not_loaded', retryable: true })
    expect(heard).toHaveBeenCalledOnce()
    expect(heard.mock.calls[0]?.[0]).toMatchObject({
      event: 'systemError',
      message_source: 'widget.svc',
      error: { code: 'frame_not_loaded' },
    })
    vi.advanceTimersByTime(60_000)
    expect(heard).toHaveBeenCalledOnce()
    expect(iframes()).toBe(0)
  })

  it('says what to do when nothing tells where the form comes from', async () => {
    const widget = makeWidget().setEnv('sandbox')
    const told = widget.on('systemError')
    await expect(widget.load()).rejects.toMatchObject({ code: 'widget_origin_unknown' })
    await expect(told).resolves.toMatchObject({ error: { code: 'widget_origin_unknown' } })
  })
})

describe('a signal', () => {
  it('stops a load that is under way, for its own reason', async () => {
    const stop = new AbortController()
    const loaded = makeWidget().load({ signal: stop.signal })
    stop.abort(new Error('the shopper left'))
    await expect(loaded).rejects.toThrow('the shopper left')
    expect(iframes()).toBe(0)
  })

  it('that fired before shows nothing', async () => {
    const loaded = makeWidget().load({ signal: AbortSignal.abort(new Error('too late')) })
    await expect(loaded).rejects.toThrow('too late')
    expect(iframes()).toBe(0)
  })

  it('means nothing once the form is there', async () => {
    const stop = new AbortController()
    const widget = makeWidget()
    const loaded = widget.load({ signal: stop.signal })
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await loaded
    stop.abort()
    expect(iframes()).toBe(1)
  })
})

describe('a frame that loads again', () => {
  it('gets a line of its own, and the old one is dead', async () => {
    const { widget, frame } = await loadedWidget()
    const heard = vi.fn()
    widget.on('finish', heard)
    const old = frame.greeting.port
    frame.load()
    expect(frame.greetings).toHaveLength(2)
    old.postMessage({ ...frame.base, event: 'finish', payment_source: TOKEN })
    frame.emit({ event: 'afterLoad' })
    await frame.heardBy(widget)
    expect(heard).not.toHaveBeenCalled()
  })

  it('and does not answer is a fault', async () => {
    const { widget, frame } = await loadedWidget()
    vi.useFakeTimers()
    const told = widget.on('systemError')
    frame.load()
    vi.advanceTimersByTime(5_000)
    await expect(told).resolves.toMatchObject({ error: { code: 'frame_not_loaded' } })
  })
})

describe('destroy', () => {
  it('takes out the iframe and emits nothing any more', async () => {
    const { widget, frame } = await loadedWidget()
    const heard = vi.fn()
    widget.on('finish', heard)
    const { port } = frame.greeting
    widget.destroy()
    expect(iframes()).toBe(0)
    port.postMessage({ ...frame.base, event: 'finish', payment_source: TOKEN })
    frame.load()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(heard).not.toHaveBeenCalled()
    expect(frame.greetings).toHaveLength(1)
  })

  it('ends a load under way, leaves no timer, and refuses another', async () => {
    vi.useFakeTimers()
    const widget = makeWidget()
    const loaded = widget.load()
    widget.destroy()
    expect(vi.getTimerCount()).toBe(0)
    await expect(loaded).rejects.toMatchObject({ code: 'widget_destroyed' })
    await expect(widget.load()).rejects.toMatchObject({ code: 'widget_destroyed' })
    expect(iframes()).toBe(0)
  })
})
