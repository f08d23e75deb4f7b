import { describe, expect, it, vi } from 'vitest'
import { HtmlWidget } from './html-widget.ts'
import { FakeFrame } from './testing/fake-frame.ts'
import { callLoosely, loadedWidget, makeWidget, ORIGIN, TOKEN, useWidgetPage } from './testing/widget-page.ts'

useWidgetPage()
const finish = { event: 'finish', payment_source: TOKEN }

describe('the iframe', () => {
  it('comes from the frame address, with the key, the gateway, the language and nothing else', () => {
    void makeWidget().load()
    expect(new FakeFrame().element.src).toBe(
      `${ORIGIN}/sdk/v${__SVC_VERSION__}/frame?public_key=pk_1&gateway_id=gw_1&language=en`,
    )
  })

  it.each([
    ['title', 'Card details'],
    ['sandbox', 'allow-scripts allow-same-origin allow-forms'],
    ['allow', ''],
    ['referrerpolicy', 'no-referrer'],
  ])('%s is "%s"', (attribute, value) => {
    void makeWidget().load()
    expect(new FakeFrame().element.getAttribute(attribute)).toBe(value)
  })

  it('is called what the frame says it is called, in the language that it speaks', async () => {
    const { widget, frame } = await loadedWidget()
    frame.say('Données de la carte')
    await frame.heardBy(widget)
    expect(frame.element.title).toBe('Données de la carte')
  })

  it('has room reserved, grows with its content, and shrinks with it only when asked to', async () => {
    const { widget, frame } = await loadedWidget()
    const reserved = frame.element.style.height
    expect(Number.parseInt(reserved)).toBeGreaterThan(200)
    const heightAfter = async (height: number) => {
      frame.emit({ event: 'resize', height, width: 300 })
      await frame.heardBy(widget)
      return frame.element.style.height
    }
    expect(await heightAfter(250)).toBe(reserved)
    expect(frame.element.hasAttribute('scrolling')).toBe(false)
    expect(await heightAfter(411.2)).toBe('412px')
    expect(frame.element.getAttribute('scrolling')).toBe('no')
    expect(await heightAfter(300)).toBe('412px')
    widget.useAutoResize()
    expect(frame.element.style.height).toBe('300px')
    expect(await heightAfter(500)).toBe('500px')
  })

  it('goes into an element as well as into what a selector finds', () => {
    const place = document.body.appendChild(document.createElement('section'))
    void makeWidget(place).load()
    expect(place.querySelector('iframe')).not.toBeNull()
  })
})

describe('the constructor', () => {
  it.each([
    ['payment type', ['wallet', 'payment_source']],
    ['purpose', ['card', 'vault']],
  ])('names what it knows when it is asked for another %s', (what, [type, purpose]) => {
    const make = () => void Reflect.construct(HtmlWidget, ['#card', 'pk', 'gw', type, purpose])
    expect(make).toThrow(`Unknown ${what}`)
  })
})

describe('on and off', () => {
  it('gives the callback the event, and chains', async () => {
    const heard = vi.fn()
    const { widget, frame } = await loadedWidget((widget) => expect(widget.on('finish', heard)).toBe(widget))
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(heard).toHaveBeenCalledExactlyOnceWith({ ...frame.base, ...finish })
  })

  it('promises the first event without a callback', async () => {
    const { widget, frame } = await loadedWidget()
    const first = widget.on('finish')
    frame.emit(finish)
    await expect(first).resolves.toMatchObject(finish)
  })

  it.each(['on', 'off'] as const)('%s throws at once on an unknown name, naming the known', (method) => {
    const call = () => callLoosely(makeWidget(), method, 'finsh', () => undefined)
    expect(call).toThrow(/Unknown event "finsh".*afterLoad.*finish/)
  })

  it('off takes back one callback, or all of an event, and none of the widget’s own doings', async () => {
    const [one, other] = [vi.fn(), vi.fn()]
    const { widget, frame } = await loadedWidget((widget) =>
      widget.onFinishInsert('input', 'payment_source').on('finish', one).on('finish', other),
    )
    widget.off('finish', one)
    frame.emit(finish)
    await frame.heardBy(widget)
    widget.off('finish')
    frame.emit(finish)
    await frame.heardBy(widget)
    expect([one.mock.calls.length, other.mock.calls.length]).toEqual([0, 1])
    expect(document.querySelector('input')?.value).toBe(TOKEN)
  })

  it('a callback that throws is reported as the page’s fault; the others are still called', async () => {
    const { widget, frame } = await loadedWidget()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const other = vi.fn()
    widget.on('finish', () => {
      throw new Error('of the shop')
    })
    widget.on('finish', other)
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(other).toHaveBeenCalledOnce()
    expect(() => vi.runAllTimers()).toThrow('of the shop')
  })
})

describe('onFinishInsert', () => {
  it('fills every matching input before callbacks run, and fires input and change on each', async () => {
    document.body.innerHTML += '<input name="payment_source" id="second" />'
    const fired: string[] = []
    for (const name of ['input', 'change'])
      document.body.addEventListener(name, (event) => fired.push(event.type), { once: false })
    const seen = vi.fn(() => document.querySelector<HTMLInputElement>('#second')?.value)
    const { widget, frame } = await loadedWidget((widget) =>
      widget.on('finish', seen).onFinishInsert('input[name="payment_source"]', 'payment_source'),
    )
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(seen).toHaveReturnedWith(TOKEN)
    expect(fired).toEqual(['input', 'change', 'input', 'change'])
  })

  it('warns of a key that the event has not, and throws on a selector that is none', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const widget = makeWidget()
    callLoosely(widget, 'onFinishInsert', 'input', 'payment_sorce')
    expect(warn.mock.calls[0]?.[0]).toMatch(/payment_sorce.*payment_source/)
    expect(() => widget.onFinishInsert('input[', 'payment_source')).toThrow()
  })
})
