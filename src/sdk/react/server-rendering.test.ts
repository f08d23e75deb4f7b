import { act, createElement, StrictMode } from 'react'
import type { ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FakeFrame } from '../testing/fake-frame.ts'
import { ORIGIN } from '../testing/widget-page.ts'
import { CardWidget } from './card-widget.ts'
import { Checkout } from './checkout.ts'

const RELEASE = `/sdk/v${__SVC_VERSION__}`
const TOKEN = `h.${btoa(JSON.stringify({ sub: 'intent1', shape: { description: 5, language: 'fr' } }))}.s`

let root: Root | undefined
const page = document.body.appendChild(document.createElement('main'))
const lines: unknown[] = []
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', undefined)
  vi.spyOn(console, 'error').mockImplementation((...words) => void lines.push(words))
})
afterEach(async () => {
  await act(() => {
    root?.unmount()
    return Promise.resolve()
  })
  page.replaceChildren()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  lines.length = 0
})

const strict = (node: ReactNode) => createElement(StrictMode, null, node)
const frames = () => [...page.querySelectorAll('iframe')]

/** Shows what a server has rendered, with the document in its frame already there, and lets the browser's React take it over. */
async function takeOver(node: ReactNode): Promise<FakeFrame> {
  page.innerHTML = renderToString(strict(node))
  const frame = new FakeFrame(page).come()
  await act(async () => {
    root = hydrateRoot(page, strict(node))
    await Promise.resolve()
  })
  return frame
}

it('a server renders the form’s frame, which the component adopts, also under StrictMode', async () => {
  const props = { publicKey: 'pk_1', origin: ORIGIN, className: 'card' }
  const frame = await takeOver(createElement(CardWidget, props))
  expect(frame.element.src).toBe(`${ORIGIN}${RELEASE}/frame?public_key=pk_1&gateway_id=default`)
  expect([frames(), frame.greetings.length, lines]).toEqual([[frame.element], 1, []])
})

it('a new look leaves the frame where it is; another key brings another form', async () => {
  const props = { publicKey: 'pk_1', origin: ORIGIN }
  const { element } = await takeOver(createElement(CardWidget, props))
  const show = (more: object) =>
    act(async () => {
      root?.render(strict(createElement(CardWidget, { ...props, ...more })))
      await Promise.resolve()
    })
  await show({ language: 'de', theme: 'soft' })
  expect(frames()).toEqual([element])
  await show({ publicKey: 'pk_2' })
  expect(frames().map(({ src }) => new URL(src).searchParams.get('public_key'))).toEqual(['pk_2'])
  expect(lines).toEqual([])
})

it('a form whose look is set shows nothing before it has it', async () => {
  const { element } = await takeOver(
    createElement(CardWidget, {
      publicKey: 'pk_1',
      origin: ORIGIN,
      language: 'ar',
      texts: { title: 'Card' },
    }),
  )
  expect(element.src).toMatch(/language=ar#late$/)
  expect(Number(element.getAttribute('height'))).toBeGreaterThan(339)
})

it('a checkout is rendered from its token', async () => {
  const frame = await takeOver(createElement(Checkout, { token: TOKEN, origin: ORIGIN }))
  expect(frame.element.src).toBe(`${ORIGIN}${RELEASE}/checkout?intent_id=intent1&language=fr`)
  expect([frame.greeting.token, frames(), lines]).toEqual([TOKEN, [frame.element], []])
})

it('a page that is rendered in the browser gets its frame without a text of HTML, which Trusted Types refuse', async () => {
  const refuse = vi.spyOn(Element.prototype, 'innerHTML', 'set')
  await act(async () => {
    root = createRoot(page)
    root.render(strict(createElement(CardWidget, { publicKey: 'pk_1', origin: ORIGIN })))
    await Promise.resolve()
  })
  expect([frames().length, refuse.mock.calls, lines]).toEqual([1, [], []])
})

it('a secret key stands in nothing that a server renders', () => {
  expect(renderToString(createElement(CardWidget, { publicKey: 'sk_live_1', origin: ORIGIN }))).toBe(
    '<div></div>',
  )
})

it('without an origin a server renders no frame, as it can’t know what serves the SDK', () => {
  expect(renderToString(createElement(CardWidget, { publicKey: 'pk_1' }))).toBe('<div></div>')
  expect(renderToString(createElement(Checkout, { token: null, origin: ORIGIN }))).toBe('<div></div>')
})
