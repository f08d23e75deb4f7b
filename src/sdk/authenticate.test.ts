import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authenticate } from './authenticate.ts'
import type { Canvas3ds } from './canvas-3ds.ts'
import { hostOf } from './iframe-host/frame-host.ts'
import { replaceForms } from './test-double/replace-forms.ts'
import type { TestForms } from './test-double/replace-forms.ts'
import { TestBankStep } from './test-double/test-bank-step.ts'
import { FakeFrame } from './testing/fake-frame.ts'
import { ORIGIN } from './testing/widget-page.ts'

const ASKED = { id: '6b01799184f819f4cecbe1b2', token: 'secret-of-the-step' }
let forms: TestForms
beforeEach(() => {
  document.body.innerHTML = '<button id="pay">Pay</button>'
  vi.stubGlobal('matchMedia', undefined)
  forms = replaceForms()
})
afterEach(() => {
  forms.restore()
  vi.unstubAllGlobals()
})

const dialog = () => document.querySelector('dialog')
const button = (text: string) =>
  vi.waitFor(() => {
    const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text)
    if (found === undefined) throw new Error(`There is no button ${text}.`)
    return found
  })

describe('svc.authenticate', () => {
  it.each([
    ['Confirm', { succeeded: true, status: 'authenticated' }],
    ['Refuse', { succeeded: false, status: 'failed' }],
    ['Cancel', { succeeded: false, status: 'cancelled' }],
  ])('shows the bank’s step in a dialog, and resolves after %s', async (text, result) => {
    document.documentElement.style.overflow = 'clip'
    const ended = authenticate(ASKED)
    const press = await button(text)
    expect([dialog()?.open, document.documentElement.style.overflow]).toEqual([true, 'hidden'])
    press.click()
    await expect(ended).resolves.toEqual({ authentication_id: ASKED.id, ...result })
    expect([dialog(), document.documentElement.style.overflow]).toEqual([null, 'clip'])
    document.documentElement.style.overflow = ''
  })

  it('asks before it closes by Escape, however often that is pressed', async () => {
    const ended = authenticate(ASKED)
    await button('Confirm')
    const escape = new Event('cancel', { cancelable: true })
    dialog()?.dispatchEvent(escape)
    expect(escape.defaultPrevented).toBe(true)
    await expect(ended).resolves.toMatchObject({ status: 'cancelled' })
  })

  it('asks after an Escape that came before the document', async () => {
    forms.restore()
    const stop = new AbortController()
    const prepare = (canvas: Canvas3ds) => canvas.setEnv('sandbox', ORIGIN)
    const ended = authenticate(ASKED, { prepare, signal: stop.signal })
    dialog()?.dispatchEvent(new Event('cancel', { cancelable: true }))
    const frame = new FakeFrame().load()
    frame.emit({ event: 'afterLoad' })
    await vi.waitFor(() => expect(frame.commands).toEqual([{ command: 'cancel' }, { command: 'focus' }]))
    stop.abort(new Error('left'))
    await expect(ended).rejects.toThrow('left')
  })

  it.each([
    ['dialog', 1200, 900],
    ['screen', 390, 800],
  ])('lets the document reach the edge of the %s, with a padding of its own', async (room, width, height) => {
    vi.stubGlobal('innerWidth', width)
    vi.stubGlobal('innerHeight', height)
    const opened = vi.fn<(path: string) => void>()
    const prepare = (canvas: Canvas3ds) =>
      hostOf(canvas).openWith((target, callbacks) => {
        opened(target.path)
        return new TestBankStep(target, callbacks, 'cancelled')
      }, ORIGIN)
    const ended = authenticate(ASKED, { prepare })
    expect(opened).toHaveBeenCalledWith(expect.stringContaining(`room=${room}`))
    expect(dialog()?.querySelector('div')?.style.padding).toBe('')
    await ended
  })

  it('opens again where a browser has closed it without asking', async () => {
    const ended = authenticate(ASKED, { prepare: (canvas) => vi.spyOn(canvas, 'cancel').mockReturnThis() })
    await button('Confirm')
    dialog()?.close()
    dialog()?.dispatchEvent(new Event('close'))
    expect(dialog()?.open).toBe(true)
    ;(await button('Confirm')).click()
    await ended
  })

  it('ends with the reason of a signal, and leaves nothing in the page', async () => {
    const stop = new AbortController()
    const ended = authenticate(ASKED, { signal: stop.signal })
    await button('Confirm')
    stop.abort(new Error('left'))
    await expect(ended).rejects.toThrow('left')
    expect(dialog()).toBeNull()
  })

  it('lets the page scroll again once the last of several dialogs is closed', async () => {
    const { style } = document.documentElement
    const stop = new AbortController()
    const first = authenticate(ASKED, { signal: stop.signal })
    const second = authenticate({ ...ASKED, id: '6b01799184f819f4cecbe1b3' })
    const buttons = await vi.waitFor(() => {
      const found = [...document.querySelectorAll('button')].filter(
        ({ textContent }) => textContent === 'Confirm',
      )
      expect(found).toHaveLength(2)
      return found
    })
    stop.abort(new Error('left'))
    await expect(first).rejects.toThrow('left')
    buttons.at(-1)?.click()
    await second
    expect(style.overflow).toBe('')
  })

  it.each<[string, string, (canvas: Canvas3ds | undefined) => void]>([
    ['the dialog', 'form_not_in_page', () => dialog()?.remove()],
    ['all that it shows', 'form_not_in_page', () => document.body.replaceChildren()],
    [
      'what is in the dialog',
      'form_not_in_page',
      () => document.querySelector('[data-testid="svc-bank-step"]')?.remove(),
    ],
    ['the Canvas3ds', 'widget_destroyed', (canvas) => canvas?.destroy()],
  ])('rejects where the page takes %s away, which can scroll again', async (_, code, take) => {
    let canvas: Canvas3ds | undefined
    const ended = authenticate(ASKED, { prepare: (made) => (canvas = made) })
    await button('Confirm')
    take(canvas)
    await expect(ended).rejects.toMatchObject({ code })
    expect([dialog(), document.documentElement.style.overflow]).toEqual([null, ''])
  })

  it('takes no looks of the page around it, for its dialog or what is in that, but light or dark', async () => {
    const ended = authenticate(ASKED)
    await button('Confirm')
    for (const one of [dialog(), dialog()?.querySelector('div')])
      expect(one?.getAttribute('style')).toMatch(/^all: ?initial; ?color-scheme: ?inherit/)
    ;(await button('Confirm')).click()
    await ended
  })

  it('rejects where the service no longer tells of it, and stays open after its own fault', async () => {
    forms.restore()
    const ended = authenticate(ASKED, { prepare: (canvas) => canvas.setEnv('sandbox', ORIGIN) })
    const frame = new FakeFrame().load()
    frame.emit({ event: 'afterLoad' })
    const emit = (code: string) =>
      frame.emit({ event: 'systemError', error: { code, message: 'No more.', retryable: false } })
    emit('system_error')
    await Promise.race([ended, new Promise((wait) => setTimeout(wait, 50))])
    expect(dialog()?.open).toBe(true)
    emit('unauthorized')
    await expect(ended).rejects.toMatchObject({ code: 'unauthorized', message: 'No more.' })
    expect(dialog()).toBeNull()
  })

  it('rejects where it can’t be shown', async () => {
    forms.restore()
    const prepare = vi.fn()
    await expect(authenticate(ASKED, { prepare })).rejects.toMatchObject({ code: 'widget_origin_unknown' })
    expect([prepare.mock.calls.length, dialog()]).toEqual([1, null])
  })

  it('ends by itself in a test that says so', async () => {
    forms.endStepsWith('timed_out')
    await expect(authenticate(ASKED)).resolves.toMatchObject({ succeeded: false, status: 'timed_out' })
  })
})
