import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeFrame } from '../testing/fake-frame.ts'
import { ORIGIN, useWidgetPage } from '../testing/widget-page.ts'
import './index.ts'

useWidgetPage()
const turn = () => new Promise((resolve) => setTimeout(resolve))
const iframes = () => document.querySelectorAll('iframe').length

function makeElement(attributes: Record<string, string> = {}) {
  const element = document.createElement('svc-card-challenge')
  const all = { 'authentication-id': 'auth_1', token: 'secret', origin: ORIGIN, ...attributes }
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value)
  return element
}

describe('<svc-card-challenge>', () => {
  beforeEach(() => () => {
    document.body.innerHTML = ''
  })

  it('shows the bank’s step by its attributes, and tells each event as a CustomEvent', async () => {
    const element = makeElement({ language: 'de' })
    const heard: unknown[] = []
    element.addEventListener('chargeAuthSuccess', ({ detail }) => heard.push(detail.status))
    element.addEventListener('challengeError', ({ detail }) => heard.push(detail.error.code))
    document.body.append(element)
    await turn()
    const frame = new FakeFrame().load()
    expect(frame.element.src).toContain('authentication_id=auth_1&language=de')
    expect(frame.greeting.token).toBe('secret')
    frame.emit({ event: 'systemError', error: { code: 'timeout', message: 'm', retryable: true } })
    frame.emit({ event: 'chargeAuthSuccess', authentication_id: 'auth_1', status: 'attempted' })
    await vi.waitFor(() => expect(heard).toEqual(['timeout', 'attempted']))
  })

  it('waits for both of its attributes, and another token is another step', async () => {
    const element = document.createElement('svc-card-challenge')
    element.setAttribute('origin', ORIGIN)
    document.body.append(element)
    element.setAttribute('authentication-id', 'auth_1')
    await turn()
    expect([element.canvas, iframes()]).toEqual([undefined, 0])
    element.setAttribute('token', 'one')
    await turn()
    const { canvas } = element
    element.setAttribute('token', 'two')
    await turn()
    expect([element.canvas !== canvas, iframes()]).toEqual([true, 1])
  })

  it('keeps the bank’s step as it is in another language', async () => {
    const element = makeElement()
    document.body.append(element)
    await turn()
    const frame = new FakeFrame().load()
    const { canvas } = element
    element.setAttribute('language', 'de')
    await vi.waitFor(() => expect(frame.commands).toEqual([{ command: 'set', settings: { language: 'de' } }]))
    expect(element.canvas).toBe(canvas)
  })

  it('is gone with the element', async () => {
    const element = makeElement()
    document.body.append(element)
    await turn()
    element.remove()
    await turn()
    expect([element.canvas, iframes()]).toEqual([undefined, 0])
  })
})
