import { describe, expect, it, vi } from 'vitest'
import { FakeFrame } from './testing/fake-frame.ts'
import { loadedWidget, makeWidget, ORIGIN, TOKEN, useWidgetPage } from './testing/widget-page.ts'

useWidgetPage()
const iframes = () => document.querySelectorAll('iframe').length

describe('a policy of the page that blocks the frame', () => {
  function violate(blockedURI: string, disposition: 'enforce' | 'report') {
    const event = Object.assign(new Event('securitypolicyviolation'), { blockedURI, disposition })
    document.dispatchEvent(event)
  }

  it.each([ORIGIN, `${ORIGIN}/sdk/v1.0.0/frame`])('is a fault with the words to add: %s', async (blocked) => {
    const widget = makeWidget()
    const told = widget.on('systemError')
    const loaded = widget.load()
    violate(blocked, 'enforce')
    await expect(loaded).rejects.toMatchObject({ code: 'blocked_by_csp', retryable: false })
    expect((await told).error.message).toContain(`frame-src ${ORIGIN}`)
    expect(iframes()).toBe(0)
  })

  it.each([
    ['reports only', ORIGIN, 'report'],
    ['blocks something else', 'https://other.example', 'enforce'],
    ['blocks what only begins alike', `${ORIGIN}.evil.example/`, 'enforce'],
  ] as const)('means nothing where it %s', async (_, blocked, disposition) => {
    const widget = makeWidget()
    const loaded = widget.load()
    violate(blocked, disposition)
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await expect(loaded).resolves.toBeUndefined()
  })
})

describe('a document that takes the place of another, as of a frame that the page moves', () => {
  it.each([
    ['before anybody turned to it', [], undefined],
    ['while it had the focus and nothing was typed', [{ event: 'focus', field: 'card_number' }], undefined],
    ['while something was typed', [{ event: 'focus', field: 'card_number' }, true], true],
    ['after what was typed was deleted', [true, false], undefined],
    ['after it was done', [true, { event: 'finish', payment_source: TOKEN }], undefined],
    [
      'after it was done, and the page was not',
      [true, { event: 'finish', payment_source: TOKEN }, true],
      true,
    ],
  ])('%s, is welcomed as such, and the page hears of it', async (_when, said, is_reloaded) => {
    const loads = vi.fn()
    const { widget, frame } = await loadedWidget((widget) => widget.on('afterLoad', loads))
    for (const one of said) {
      if (typeof one === 'boolean') frame.say(one)
      else frame.emit(one)
    }
    await frame.heardBy(widget)
    frame.load().emit({ event: 'afterLoad' })
    await frame.heardBy(widget)
    expect(frame.greetings.map(({ welcome }) => welcome.is_reloaded)).toEqual([undefined, is_reloaded])
    expect(loads).toHaveBeenCalledTimes(2)
  })
})

describe('reload', () => {
  it('brings a new frame with the same settings and listeners, and doubles nothing', async () => {
    const heard = vi.fn()
    const { widget } = await loadedWidget((widget) => widget.setText('title', 'Pay').on('finish', heard))
    for (let time = 0; time < 3; time += 1) {
      const reloaded = widget.reload()
      const frame = new FakeFrame().load()
      frame.emit({ event: 'afterLoad' })
      await reloaded
      expect(frame.greeting.welcome.settings.texts).toEqual({ title: 'Pay' })
      frame.emit({ event: 'finish', payment_source: TOKEN })
      await frame.heardBy(widget)
      expect(heard).toHaveBeenCalledTimes(time + 1)
      expect(iframes()).toBe(1)
    }
  })

  it('while the form is coming, settles the first promise by the new frame', async () => {
    const widget = makeWidget()
    const loaded = widget.load()
    expect(widget.reload()).toBe(loaded)
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await expect(loaded).resolves.toBeUndefined()
  })

  it('from an origin that is known by now brings the form, and tells of no fault', async () => {
    const widget = makeWidget().setEnv('sandbox')
    const told = vi.fn()
    widget.on('systemError', told)
    const loaded = widget.load()
    expect(widget.setEnv('sandbox', ORIGIN).reload()).toBe(loaded)
    await Promise.resolve()
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await expect(loaded).resolves.toBeUndefined()
    expect(told).not.toHaveBeenCalled()
  })
})

describe('destroy', () => {
  it('right after a load that is refused leaves no line in the console', async () => {
    const lines = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const widget = makeWidget('#card', 'sk_sandbox_1')
    const loaded = widget.load()
    widget.destroy()
    await expect(loaded).rejects.toMatchObject({ code: 'widget_destroyed' })
    expect(lines).not.toHaveBeenCalled()
  })
})
