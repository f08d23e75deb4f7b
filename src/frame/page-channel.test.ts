import fc from 'fast-check'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ASK_FOR_HELLO, PROTOCOL, Welcome } from '../contract/page/widget-channel.ts'
import { openPageChannel } from './page-channel.ts'
import { messagesDelivered, createPage, WELCOME } from './testing/welcome.ts'

const ignore = () => undefined
const DEAF = { welcomed: ignore, late: ignore, abandoned: ignore, mismatched: ignore, commanded: ignore }
const never = () => ignore
const NAME: unknown = expect.stringMatching(/^[\da-f-]{36}$/)

describe('the channel to the page', () => {
  let page: ReturnType<typeof createPage>
  let heard: unknown[]
  let channel: ReturnType<typeof openPageChannel>

  beforeEach(() => {
    page = createPage(window)
    heard = []
    channel = openPageChannel(window, Welcome, never, {
      late: ignore,
      abandoned: ignore,
      welcomed: ({ settings }) => heard.push({ welcomed: settings }),
      mismatched: () => heard.push('mismatched'),
      commanded: (command) => heard.push(command),
      reference: () => 'order-1',
    })
  })
  afterEach(() => {
    page.say(WELCOME) // a channel that still waits would hear the next test
    page.close()
  })

  it('says hello to the page around it, and nothing but that', async () => {
    const say = vi.spyOn(window.parent, 'postMessage')
    onTestFinished(() => say.mockRestore())
    openPageChannel(window, Welcome, never, { ...DEAF, reference: () => '' })
    await Promise.resolve()
    const hello = {
      hello: 'widget.svc',
      document: NAME,
      address: location.pathname + location.search,
      is_taken: false,
    }
    expect(say.mock.calls).toEqual([[hello, '*']])
  })

  it('says hello again when its page asks, by the same name, and whether it has a page', async () => {
    const say = vi.spyOn(window.parent, 'postMessage')
    onTestFinished(() => say.mockRestore())
    page.say(ASK_FOR_HELLO, { ports: [] })
    page.say(ASK_FOR_HELLO, { ports: [], source: null })
    page.say(WELCOME)
    page.say(ASK_FOR_HELLO, { ports: [] })
    await Promise.resolve()
    const said = say.mock.calls.map(([hello]) =>
      v.parse(v.object({ document: v.string(), is_taken: v.boolean() }), hello),
    )
    // Channels of other tests answer, too: they have their page by now.
    const [first] = said.filter(({ is_taken }) => !is_taken)
    expect(said.filter((one) => one.document === first?.document).map((one) => one.is_taken)).toEqual([
      false,
      true,
    ])
  })

  it('names the widget on every event', async () => {
    page.say(WELCOME)
    channel.emit({ event: 'focus', field: 'card_name' })
    await messagesDelivered()
    expect(page.events).toEqual([
      {
        event: 'focus',
        field: 'card_name',
        purpose: 'payment_source',
        message_source: 'widget.svc',
        ref_id: 'order-1',
        widget_id: WELCOME.widget_id,
      },
    ])
  })

  it('says by a text what the frame is called, once there is a page to hear it', async () => {
    channel.setTitle('too early')
    page.say(WELCOME)
    channel.setTitle('Card details')
    await messagesDelivered()
    expect(page.names).toEqual(['Card details'])
    expect(page.events).toEqual([])
  })

  it('takes one welcome only', () => {
    page.say({ ...WELCOME, settings: { texts: { title: 'first' } } })
    createPage(window).say({ ...WELCOME, settings: { texts: { title: 'second' } } })
    expect(heard).toEqual([{ welcomed: { texts: { title: 'first' } } }])
  })

  it.each([
    ['no welcome', { hello: 'world' }],
    ['another channel', { ...WELCOME, channel: 'other' }],
    ['a name that is no UUID', { ...WELCOME, widget_id: 'x' }],
    ['an unknown text', { ...WELCOME, settings: { texts: { onclick: 'x' } } }],
    ['something more', { ...WELCOME, card_number: '5' }],
  ])('drops %s in silence and still listens', (_what, message) => {
    page.say(message)
    expect(heard).toEqual([])
    page.say(WELCOME)
    expect(heard).toEqual([{ welcomed: WELCOME.settings }])
  })

  it('drops whatever else arrives, and never throws', () => {
    const near = fc.record({
      channel: fc.constantFrom('widget.svc', 'other'),
      protocol: fc.constantFrom(PROTOCOL, '2', null),
      widget_id: fc.constantFrom(WELCOME.widget_id, 7),
      settings: fc.oneof(
        fc.anything(),
        fc.dictionary(fc.constantFrom('texts', 'fields', '__proto__'), fc.anything()),
      ),
    })
    fc.assert(
      fc.property(fc.oneof(fc.anything(), near), (message) => {
        fc.pre(!v.safeParse(Welcome, message).success)
        page.say(message)
      }),
    )
    expect(heard).toEqual([])
  })

  it('drops a welcome from any window but its parent', () => {
    page.say(WELCOME, { source: new MessageChannel().port1 })
    page.say(WELCOME, { source: null })
    expect(heard).toEqual([])
  })

  it('drops a welcome without exactly one port', () => {
    page.say(WELCOME, { ports: [] })
    const { port1, port2 } = new MessageChannel()
    page.say(WELCOME, { ports: [port1, port2] })
    expect(heard).toEqual([])
  })

  it('can answer a page of another version, whatever else its welcome holds', async () => {
    page.say({ ...WELCOME, protocol: 3, settings: { themes: ['new'] } })
    expect(heard).toEqual(['mismatched'])
    channel.emit({
      event: 'systemError',
      error: { code: 'version_mismatch', message: 'm', retryable: false },
    })
    await messagesDelivered()
    expect(page.events).toMatchObject([{ event: 'systemError', widget_id: WELCOME.widget_id }])
  })

  it('hears commands that are ones, and drops the rest', async () => {
    page.say(WELCOME)
    page.command({ command: 'set', settings: { texts: { title: 'Card' } } })
    page.command({ command: 'set', settings: { texts: { title: 7 } } })
    page.command({ command: 'read_card' })
    page.command({ command: 'submit' })
    page.command({ command: 'submit', card_number: '5' })
    await messagesDelivered()
    expect(heard.slice(1)).toEqual([
      { command: 'set', settings: { texts: { title: 'Card' } } },
      { command: 'submit' },
    ])
  })
})
