import { describe, expect, it, vi } from 'vitest'
import type { HtmlWidget } from './html-widget.ts'
import { FakeFrame } from './testing/fake-frame.ts'
import { watchListeners } from './testing/listener-count.ts'
import { loadedWidget, makeWidget, useWidgetPage } from './testing/widget-page.ts'

useWidgetPage()

describe('the container’s attributes', () => {
  const container = () => document.querySelector('#card') ?? document.body

  it('say texts and styles, and calls win over them', () => {
    container().setAttribute('submit-button', 'Pay')
    container().setAttribute('finish-text', 'Thanks: bye')
    container().setAttribute('widget-style', 'text-color: #333; font-family: A, "B"; ;border-color:red')
    void makeWidget().setText('finish_text', 'Done').load()
    expect(new FakeFrame().load().greeting.welcome.settings).toMatchObject({
      texts: { submit_button: 'Pay', finish_text: 'Done' },
      styles: { text_color: '#333', font_family: 'A, "B"', border_color: 'red' },
    })
  })

  it('that name no style are left out with a warning', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    container().setAttribute('widget-style', 'colour: red')
    void makeWidget().load()
    expect(warn.mock.calls[0]?.[0]).toMatch(/colour.*text_color/)
  })
})

describe('the colour scheme of the page', () => {
  it.each([
    ['normal', undefined, 'light'],
    ['light', undefined, 'light'],
    ['dark', undefined, 'dark'],
    ['only dark', undefined, 'dark'],
    ['dark light', undefined, 'light dark'],
    ['normal', 'light dark', 'light dark'],
    ['normal', 'dark', 'dark'],
    ['light', 'dark', 'light'],
  ])('%s, and by its meta element %s, is %s', (styled, named, scheme) => {
    vi.spyOn(window, 'getComputedStyle').mockImplementation(() =>
      Object.assign(document.createElement('i').style, { colorScheme: styled }),
    )
    const meta = document.createElement('meta')
    Object.assign(meta, { name: 'color-scheme', content: named ?? '' })
    if (named) document.head.append(meta)
    void makeWidget().load()
    const { settings } = new FakeFrame().load().greeting.welcome
    meta.remove()
    expect(settings.color_scheme).toBe(scheme)
  })

  it('is told again when the device turns dark', async () => {
    const lists: MediaQueryList[] = []
    const real = window.matchMedia.bind(window)
    vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
      const list = real(query)
      lists.push(list)
      return list
    })
    const { frame } = await loadedWidget()
    for (const list of lists) list.dispatchEvent(new Event('change'))
    await vi.waitFor(() =>
      expect(frame.commands).toEqual([{ command: 'set', settings: { color_scheme: 'light' } }]),
    )
  })
})

describe('the place of the form', () => {
  it('is kept free for the fields that will come, and pictured until they are there', async () => {
    const widget = makeWidget().hideElements(['submit_button']).setFormFields(['card_name', 'email', 'phone'])
    void widget.load()
    const frame = new FakeFrame()
    expect(frame.element.style.height).toBe('455px')
    expect(frame.element.style.cssText).toContain('gradient')
    frame.load()
    expect(frame.element.style.cssText).toContain('gradient')
    frame.emit({ event: 'afterLoad' })
    await vi.waitFor(() => expect(frame.element.style.cssText).not.toContain('gradient'))
  })

  it('is pictured only until the document is there, where that looks as it was built', () => {
    void makeWidget().setLanguage('fr').load()
    const frame = new FakeFrame()
    expect(frame.element.style.cssText).toContain('gradient')
    frame.load()
    expect(frame.element.style.cssText).not.toContain('gradient')
  })

  it.each([
    ['light', (widget: HtmlWidget) => widget, ''],
    ['dark', (widget: HtmlWidget) => widget, '#dark'],
    ['light dark', (widget: HtmlWidget) => widget.setRefId('1').setLanguage('de'), '#both'],
    ['light', (widget: HtmlWidget) => widget.setTheme('soft'), '#late'],
    ['dark', (widget: HtmlWidget) => widget.setText('title', 'Pay'), '#late-dark'],
    ['light dark', (widget: HtmlWidget) => widget.hideElements(['submit_button']), '#late-both'],
  ] as const)('in a %s page the document knows by its address how to begin', (scheme, set, fragment) => {
    const meta = document.createElement('meta')
    Object.assign(meta, { name: 'color-scheme', content: scheme })
    document.head.append(meta)
    void set(makeWidget()).load()
    meta.remove()
    expect(new URL(new FakeFrame().element.src).hash).toBe(fragment)
  })
})

describe('after destroy', () => {
  it('no listener of the widget is left anywhere in the page', async () => {
    const listening = watchListeners()
    const stop = new AbortController()
    const widget = makeWidget().interceptSubmitForm('form').onFinishInsert('input', 'payment_source')
    const loaded = widget.useAutoResize().load({ signal: stop.signal })
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await loaded
    expect(listening()).toEqual(
      expect.arrayContaining(['submit', 'load', 'securitypolicyviolation', 'abort']),
    )
    const reloaded = widget.reload()
    widget.destroy()
    await reloaded.catch(() => undefined)
    expect(listening()).toEqual([])
  })
})
