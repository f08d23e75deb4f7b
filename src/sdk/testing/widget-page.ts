import nodeConsole from 'node:console'
import { afterEach, beforeEach, vi } from 'vitest'
import { HtmlWidget } from '../html-widget.ts'
import { FakeFrame } from './fake-frame.ts'

export const ORIGIN = 'https://cards.example'
export const TOKEN = '0b0a4d0e-6f0b-4b43-9d3b-0e1c6f7e2a11'

const made: HtmlWidget[] = []

/** A page with a place for the form, for each test of a file; no widget outlives its test. */
export function useWidgetPage(): void {
  beforeEach(() => {
    // A worker may have run a test of a form in another language in this document.
    for (const name of ['lang', 'dir']) document.documentElement.removeAttribute(name)
    document.body.innerHTML = '<div id="card"></div><form><input name="payment_source" /></form>'
    // The simulated browser says there that it loads no page into an iframe: the test speaks for the frame.
    vi.spyOn(nodeConsole, 'error').mockReturnValue(undefined)
  })
  afterEach(() => {
    for (const widget of made.splice(0)) widget.destroy()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}

/** With another `key`, as a page without types may pass anything. */
export function makeWidget(container: unknown = '#card', ...keys: readonly unknown[]): HtmlWidget {
  const widget: unknown = Reflect.construct(HtmlWidget, [
    container,
    ...(keys.length > 0 ? keys : ['pk_1', 'gw_1']),
  ])
  if (!(widget instanceof HtmlWidget)) throw new Error('This is no widget.')
  made.push(widget.setEnv('sandbox', ORIGIN))
  return widget
}

/** A widget whose form is there. */
export async function loadedWidget(prepare: (widget: HtmlWidget) => void = () => undefined) {
  const widget = makeWidget()
  prepare(widget)
  const loaded = widget.load()
  const frame = new FakeFrame().load()
  frame.emit({ event: 'afterLoad' })
  await loaded
  return { widget, frame }
}

/** Calls a method as a page without types may: with whatever it likes. */
export function callLoosely<Owner extends object>(
  widget: Owner,
  method: keyof Owner & string,
  ...parameters: unknown[]
): unknown {
  const called: unknown = Reflect.get(widget, method)
  if (typeof called !== 'function') throw new Error(`There is no method ${method}.`)
  return Reflect.apply(called, widget, parameters)
}
