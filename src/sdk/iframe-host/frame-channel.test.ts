import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { FakeFrame } from '../testing/fake-frame.ts'
import { loadedWidget, makeWidget, ORIGIN, TOKEN, useWidgetPage } from '../testing/widget-page.ts'

useWidgetPage()
const HELLO = { hello: 'widget.svc', document: 'd', address: '/sdk/v1/frame?', is_taken: false }
const finish = { event: 'finish', payment_source: TOKEN }

async function watched() {
  const heard = vi.fn()
  const loaded = await loadedWidget((widget) =>
    widget.onFinishInsert('input', 'payment_source').on('finish', heard).on('systemError', heard),
  )
  return { ...loaded, heard }
}

describe('what is not from the frame', () => {
  it('a forged finish by the window does nothing, however well it is made', async () => {
    const { widget, frame, heard } = await watched()
    const data = { ...frame.base, ...finish }
    window.dispatchEvent(new MessageEvent('message', { data, origin: 'https://evil.example' }))
    window.dispatchEvent(new MessageEvent('message', { data, origin: frame.greeting.origin }))
    await frame.heardBy(widget)
    expect(heard).not.toHaveBeenCalled()
    expect(document.querySelector('input')?.value).toBe('')
  })

  it.each([
    ['another window', { source: window }],
    ['no window', { source: null }],
    ['another origin in the frame', { origin: 'https://evil.example' }],
    ['the origin of a document without one', { origin: 'null' }],
    ['the frame that says something else', { data: { event: 'afterLoad' } }],
    ['the frame that says more', { data: { ...HELLO, settings: {} } }],
    ['the frame that names no document', { data: { ...HELLO, document: 7 } }],
  ])('no form is greeted at a message of %s', (_, wrong) => {
    void makeWidget().load()
    const frame = new FakeFrame().sayHello(wrong)
    expect(frame.greetings).toEqual([])
    expect(frame.sayHello().greetings).toHaveLength(1)
  })
})

describe('a document', () => {
  it.each([
    ['says hello and then has loaded', (frame: FakeFrame) => frame.come().sayHello().endLoad()],
    ['has loaded before its hello comes', (frame: FakeFrame) => frame.load().sayHello()],
    ['says hello again and again', (frame: FakeFrame) => frame.come().sayHello().sayHello().sayHello()],
  ])('that %s is greeted once, and so is one that replaces it', (_, come) => {
    void makeWidget().load()
    const frame = new FakeFrame()
    expect(come(frame).greetings).toHaveLength(1)
    expect(come(frame).greetings).toHaveLength(2)
  })

  it('of a fault in the place of a form is greeted, and so is the next form at its hello', () => {
    void makeWidget().load()
    const frame = new FakeFrame().sayHello()
    expect(frame.come().sayHello().endLoad().greetings).toHaveLength(2)
    expect(frame.come().sayHello().greetings).toHaveLength(3)
  })

  it('is greeted at its hello, without a wait for all of it', () => {
    void makeWidget().load()
    expect(new FakeFrame().sayHello().greeting.origin).toBe(ORIGIN)
  })
})

describe('what comes by the port', () => {
  it.each([
    ['another widget’s id', { widget_id: '00000000-0000-4000-8000-000000000000' }],
    ['an id that is none', { widget_id: 'x' }],
    ['another source', { message_source: 'evil' }],
    ['another purpose', { purpose: 'theft' }],
    ['a token that is none', { payment_source: '<img>' }],
    ['one field too many', { card_number: '5111111111111118' }],
    ['an unknown event', { event: 'finsh' }],
  ])('is dropped in silence with %s', async (_, wrong) => {
    const { widget, frame, heard } = await watched()
    frame.say({ ...frame.base, ...finish, ...wrong })
    await frame.heardBy(widget)
    expect(heard).not.toHaveBeenCalled()
  })

  it('is an event of the contract, or dropped, never thrown', async () => {
    const { widget, frame, heard } = await watched()
    const field = fc.constantFrom('event', 'widget_id', 'payment_source', 'error', 'height', '__proto__')
    const value = fc.oneof(fc.anything(), fc.constantFrom('finish', 'resize', 'systemError', TOKEN))
    const message = fc.oneof(fc.anything(), fc.dictionary(field, value), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(message, fc.boolean(), async (data, withBase) => {
        const whole =
          withBase && typeof data === 'object' ? { ...frame.base, ...data, event: 'finish' } : data
        try {
          frame.say(whole)
        } catch {
          return // What cannot be cloned never gets to the page.
        }
        await frame.heardBy(widget)
        for (const [event] of heard.mock.calls)
          expect(event).toHaveProperty('widget_id', frame.base.widget_id)
      }),
      { numRuns: 200 },
    )
  })
})
