import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { PreviewSettings } from '../contract/dashboard/templates/template-preview.ts'
import { TestWidget } from '../sdk/test-double/testing.ts'
import { startPreview } from './start-preview.ts'

const DASHBOARD = 'http://localhost:8070'
const channel = 'preview.svc'

const told = vi.spyOn(window.parent, 'postMessage').mockImplementation(() => undefined)
let widgets: TestWidget[] = []

function start() {
  document.body.innerHTML = '<div id="form"></div>'
  // The previews of earlier tests still listen, and add to their own lists.
  const mine: TestWidget[] = []
  widgets = mine
  startPreview({
    window,
    dashboard: DASHBOARD,
    createWidget: () => {
      const widget = new TestWidget('#form', 'preview')
      mine.push(widget)
      return widget
    },
  })
}

function send(settings: unknown, { origin = DASHBOARD, source = window.parent } = {}) {
  window.dispatchEvent(new MessageEvent('message', { data: { channel, settings }, origin, source }))
}
const show = (settings: PreviewSettings) => send(settings)

beforeEach(() => {
  told.mockClear()
  start()
})

describe('the preview', () => {
  it('says to the dashboard alone that it is ready, and how high it is once the form is shown', async () => {
    expect(told).toHaveBeenCalledWith({ channel, state: 'ready' }, DASHBOARD)
    show({})
    const shown: unknown = expect.objectContaining({ channel, state: 'shown' })
    await vi.waitFor(() => expect(told).toHaveBeenCalledWith(shown, DASHBOARD))
  })

  it.each([
    ['another origin', { theme: 'soft' }, { origin: 'https://evil.example' }],
    ['no settings of a template', { ref_id: 'x' }, {}],
    ['a theme that is not known', { theme: 'loud' }, {}],
  ])('passes over a message of %s', (_, settings, from) => {
    send(settings, from)
    expect(widgets).toHaveLength(0)
  })

  it('passes over a message that is not of the window around it', () => {
    send({}, { source: new Window() })
    expect(widgets).toHaveLength(0)
  })

  it('changes the form that is shown, and makes another one for what is taken away', () => {
    show({ texts: { title: 'Pay' }, styles: { text_color: 'red' } })
    show({ texts: { title: 'Pay Acme' }, styles: { text_color: 'red' } })
    expect(widgets[0]?.shown).toMatchObject({ texts: { title: 'Pay Acme' } })
    expect(widgets).toHaveLength(1)
    show({ texts: { title: 'Pay Acme' } })
    expect(widgets).toHaveLength(2)
  })
})
