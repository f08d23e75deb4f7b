import { replaceForms } from '../test-double/replace-forms.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeFrame } from '../testing/fake-frame.ts'
import { ORIGIN, TOKEN, useWidgetPage } from '../testing/widget-page.ts'
import './index.ts'

useWidgetPage()
const turn = () => new Promise((resolve) => setTimeout(resolve))
const iframes = () => document.querySelectorAll('iframe').length

function makeElement(attributes: Record<string, string> = {}) {
  const element = document.createElement('svc-card-widget')
  const all = { 'public-key': 'pk_1', 'gateway-id': 'gw_1', origin: ORIGIN, ...attributes }
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value)
  return element
}

describe('<svc-card-widget>', () => {
  beforeEach(() => () => {
    document.body.innerHTML = ''
  })

  it('loads by its attributes, and what is set in the same breath', async () => {
    const element = makeElement({
      language: 'fr',
      theme: 'soft',
      layout: 'line',
      'submit-button': 'Payer',
      'auto-advance': 'off',
    })
    document.body.append(element)
    element.widget?.setFormFields(['email'])
    await turn()
    const frame = new FakeFrame().load()
    expect(frame.element.parentElement).toBe(element)
    expect(frame.element.src).toContain('public_key=pk_1&gateway_id=gw_1&language=fr')
    expect(frame.greeting.welcome.settings).toMatchObject({
      theme: 'soft',
      layout: 'line',
      auto_advance: false,
      texts: { submit_button: 'Payer' },
      fields: [{ field: 'email' }],
    })
  })

  it.each([
    ['off', false],
    ['false', false],
    ['on', true],
    ['', true],
  ])('lets the focus go on by itself or not: auto-advance="%s"', async (value, isOn) => {
    document.body.append(makeElement({ 'auto-advance': value }))
    await turn()
    expect(new FakeFrame().load().greeting.welcome.settings).toMatchObject({ auto_advance: isOn })
  })

  it('waits for the form between its tags while the page is still being read', async () => {
    const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading')
    const element = makeElement({ language: 'en' })
    document.body.append(element)
    await turn()
    element.innerHTML = `<iframe src="${ORIGIN}/sdk/v${__SVC_VERSION__}/frame?public_key=pk_1&amp;gateway_id=gw_1"></iframe>`
    const frame = new FakeFrame().come()
    expect(frame.greetings).toEqual([])
    state.mockRestore()
    document.dispatchEvent(new Event('DOMContentLoaded'))
    expect([frame.greetings.length, iframes()]).toEqual([1, 1])
  })

  it('loads at once where the page goes on behind it', async () => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading')
    document.body.textContent = 'more'
    document.body.prepend(makeElement())
    await turn()
    vi.restoreAllMocks()
    expect(iframes()).toBe(1)
  })

  it('tells each event as a CustomEvent that stays its own', async () => {
    const element = makeElement()
    const heard = vi.fn<(event: Event, token: string) => void>()
    element.addEventListener('finish', (event) => heard(event, event.detail.payment_source))
    document.body.append(element)
    await turn()
    const frame = new FakeFrame().load()
    frame.emit({ event: 'finish', payment_source: TOKEN })
    if (element.widget) await frame.heardBy(element.widget)
    const [event, token] = heard.mock.calls[0] ?? []
    expect([event?.bubbles, token]).toEqual([false, TOKEN])
  })

  it('an attribute that changes is told to the form; another key is another widget', async () => {
    const element = makeElement()
    document.body.append(element)
    await turn()
    const frame = new FakeFrame().load()
    const { widget } = element
    element.setAttribute('language', 'de')
    await vi.waitFor(() => expect(frame.commands).toEqual([{ command: 'set', settings: { language: 'de' } }]))
    element.setAttribute('public-key', 'pk_2')
    await turn()
    expect(element.widget).not.toBe(widget)
    expect([iframes(), new FakeFrame().element.src]).toEqual([1, expect.stringContaining('pk_2')])
  })

  it('comes as soon as an attribute that named no service is right', async () => {
    const faults: unknown[] = []
    const note = (event: ErrorEvent) => void faults.push(event.error)
    addEventListener('error', note)
    const element = makeElement({ origin: 'https://' })
    try {
      document.body.append(element)
    } catch (fault) {
      faults.push(fault)
    }
    removeEventListener('error', note)
    expect([faults[0], iframes()]).toEqual([expect.any(TypeError), 0])
    element.setAttribute('origin', ORIGIN)
    await turn()
    expect(iframes()).toBe(1)
  })

  it('is gone with the element, and stays when the element only moves', async () => {
    const element = makeElement()
    document.body.append(element)
    await turn()
    const { widget } = element
    document.body.appendChild(document.createElement('section')).append(element)
    await turn()
    expect(element.widget).toBe(widget)
    element.remove()
    await turn()
    expect([element.widget, iframes()]).toEqual([undefined, 0])
  })

  it('works in a shadow root', async () => {
    const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
    root.append(makeElement())
    await turn()
    expect(root.querySelectorAll('svc-card-widget > iframe')).toHaveLength(1)
  })
})

it('comes into a test’s page without a frame, as the double replaces every form', async () => {
  vi.stubGlobal('matchMedia', undefined)
  const forms = replaceForms()
  document.body.innerHTML = '<svc-card-widget public-key="pk_1"></svc-card-widget>'
  await vi.waitFor(() => expect(document.querySelectorAll('svc-card-widget input').length).toBeGreaterThan(3))
  expect(document.querySelector('iframe')).toBeNull()
  document.body.innerHTML = ''
  forms.restore()
  vi.unstubAllGlobals()
})
