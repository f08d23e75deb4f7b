import { describe, expect, it, vi } from 'vitest'
import { Checkout } from './checkout.ts'
import { FakeFrame } from './testing/fake-frame.ts'
import { loadedWidget, makeWidget, ORIGIN, useWidgetPage } from './testing/widget-page.ts'

useWidgetPage()
const container = () => document.querySelector('#card') ?? document.body
const iframes = () => container().querySelectorAll('iframe')

describe('a second form in a container', () => {
  it('takes the place of the first, which hears of it', async () => {
    const { widget: first } = await loadedWidget()
    const told = first.on('systemError')
    const finished = first.submit()
    const second = makeWidget()
    const loaded = second.load()
    expect(iframes()).toHaveLength(1)
    await expect(told).resolves.toMatchObject({ error: { code: 'form_replaced', retryable: false } })
    await expect(finished).rejects.toMatchObject({ code: 'form_replaced' })
    await expect(first.submit()).rejects.toMatchObject({ code: 'form_replaced' })
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await expect(loaded).resolves.toBeUndefined()
  })

  it('ends a load of the first that is under way', async () => {
    const first = makeWidget().on('systemError', () => undefined)
    const loaded = first.load()
    void makeWidget().load()
    await expect(loaded).rejects.toMatchObject({ code: 'form_replaced' })
    expect(iframes()).toHaveLength(1)
  })

  it('may be that of a checkout', async () => {
    const { widget } = await loadedWidget()
    const told = widget.on('systemError')
    const checkout = new Checkout('#card', 'token').setEnv('sandbox', ORIGIN)
    await expect(told).resolves.toMatchObject({ error: { code: 'form_replaced' } })
    expect(iframes()).toHaveLength(1)
    void makeWidget().load()
    expect(iframes()).toHaveLength(1)
    checkout.destroy()
    expect(iframes()).toHaveLength(1)
  })

  it('of another origin takes the place of the first, too', async () => {
    const { widget: first } = await loadedWidget()
    const told = first.on('systemError')
    void makeWidget().setEnv('sandbox', 'https://cards.shop.example').load()
    expect(iframes()).toHaveLength(1)
    await expect(told).resolves.toMatchObject({ error: { code: 'form_replaced' } })
  })

  it('of a widget that was destroyed before is a form as any', async () => {
    const { widget: first } = await loadedWidget()
    const heard = vi.fn()
    first.on('systemError', heard)
    first.destroy()
    void makeWidget().load()
    expect(iframes()).toHaveLength(1)
    expect(heard).not.toHaveBeenCalled()
  })

  it('in another container is a form beside it', async () => {
    await loadedWidget()
    const other = document.body.appendChild(document.createElement('div'))
    void makeWidget(other).load()
    expect([iframes().length, other.querySelectorAll('iframe').length]).toEqual([1, 1])
  })
})

describe('what stands in the container already', () => {
  it.each([
    ['a copy of a form', `${ORIGIN}/sdk/v1.0.0/frame?public_key=pk_1#late`, 1],
    ['a copy of a checkout', `${ORIGIN}/sdk/v${__SVC_VERSION__}/checkout?intent_id=1`, 1],
    ['a frame of the page', 'https://shop.example/frame?sdk=1', 2],
    ['a form of another service', 'https://other.example/sdk/v1.0.0/frame?public_key=pk_1', 1],
    ['a frame whose address names a form', `https://shop.example/?of=${ORIGIN}/sdk/v1.0.0/frame?`, 2],
    ['a form of an origin that begins alike', `${ORIGIN}.shop.example/sdk/v1.0.0/checkout?intent_id=1`, 1],
    ['another page of the service', `${ORIGIN}/docs/sdk/v1.0.0/frame?`, 2],
    ['an empty frame', '', 2],
  ])('is gone only if it is a form: %s', (_, address, count) => {
    container().innerHTML = `<p>Loading</p><iframe src="${address}"></iframe>`
    void makeWidget().load()
    expect(iframes()).toHaveLength(count)
    expect(container().querySelector('p')).not.toBeNull()
  })

  it('is adopted when a page that was kept as HTML is shown again, and the widget loads again', async () => {
    const { widget } = await loadedWidget()
    const kept = document.body.innerHTML
    document.body.innerHTML = kept
    expect(iframes()).toHaveLength(1)
    const copy = iframes()[0]
    const loaded = widget.load()
    expect(iframes()).toHaveLength(1)
    expect(iframes()[0]).toBe(copy)
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await expect(loaded).resolves.toBeUndefined()
  })
})

describe('a frame whose document comes again', () => {
  it('after something was typed, is told that it was', async () => {
    const { widget, frame } = await loadedWidget()
    frame.load()
    expect(frame.greeting.welcome).not.toHaveProperty('is_reloaded')
    frame.say(true)
    await frame.heardBy(widget)
    frame.load()
    expect(frame.greeting.welcome).toMatchObject({ is_reloaded: true })
    frame.load()
    expect(frame.greeting.welcome).not.toHaveProperty('is_reloaded')
  })

  it('tells the page by afterLoad, as a form that was loaded does', async () => {
    const { widget, frame } = await loadedWidget()
    const told = widget.on('afterLoad')
    frame.load().emit({ event: 'afterLoad' })
    await expect(told).resolves.toMatchObject({ event: 'afterLoad' })
  })
})

it('destroy() does not throw where a library has an own Element.prototype.remove', async () => {
  const { widget, frame } = await loadedWidget()
  frame.element.remove()
  const own = function (this: Element) {
    if (this.parentNode === null) throw new TypeError('no parent')
    this.parentNode.removeChild(this)
  }
  vi.spyOn(Element.prototype, 'remove').mockImplementation(own)
  expect(() => widget.destroy()).not.toThrow()
})
