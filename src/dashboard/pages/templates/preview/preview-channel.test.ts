import { afterEach, expect, it, vi } from 'vitest'
import { openPreviewChannel } from './template-preview.tsx'

const ORIGIN = 'https://cards.example'
const ready = { channel: 'preview.svc', state: 'ready' }

const frame = document.createElement('iframe')
const shown = { postMessage: vi.fn() }
Object.defineProperty(frame, 'contentWindow', { value: Object.assign(new Window(), shown) })
const heard = vi.fn()
const channel = openPreviewChannel({ window, frame, origin: ORIGIN, hear: heard })
afterEach(() => heard.mockReset())

const receive = (data: unknown, { origin = ORIGIN, source = frame.contentWindow } = {}) =>
  window.dispatchEvent(new MessageEvent('message', { data, origin, source }))

it('hears the document in its frame', () => {
  receive(ready)
  expect(heard).toHaveBeenCalledWith(ready)
})

it.each([
  ['of another origin', ready, { origin: 'https://evil.example' }],
  ['of another window', ready, { source: null }],
  ['that is no report', { ...ready, state: 'stolen' }, {}],
  ['with more in it', { ...ready, key: 1 }, {}],
])('passes over a message %s', (_, data, from) => {
  receive(data, from)
  expect(heard).not.toHaveBeenCalled()
})

it('sends settings to that origin alone', () => {
  channel.show({ theme: 'soft' })
  expect(shown.postMessage).toHaveBeenCalledWith(
    { channel: 'preview.svc', settings: { theme: 'soft' } },
    ORIGIN,
  )
})
