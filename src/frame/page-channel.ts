import * as v from 'valibot'
import type { FrameEvent, FrameEventContent } from '../contract/page/checkout-event.ts'
import { randomUuid } from '../contract/page/random-uuid.ts'
import type { Hello } from '../contract/page/widget-channel.ts'
import type { Browser } from './browser.ts'
import { ASK_FOR_HELLO, Command, PROTOCOL, Welcome } from '../contract/page/widget-channel.ts'

/** Sends an event to the page; the channel adds the fields of every event. */
export type Emit = (event: FrameEventContent) => void

/** The frame's end of the message channel to its page. */
interface PageChannel {
  emit: Emit
  /** Sends the frame's title to the page, as a string. */
  setTitle: (title: string) => void
  /** Sends whether something that a person has typed stands in the form, as a boolean. */
  tellTyped: (isTyped: boolean) => void
}

interface ChannelListeners<Expected> {
  /** The page has welcomed the frame; events reach it from now on. */
  welcomed: (welcome: Expected) => void
  /** No page has welcomed the frame in time: it may be a copy of one, or its page's script is gone or busy. A welcome may still come. */
  late: () => void
  /** No page has welcomed the frame for so long that hardly any will. */
  abandoned: () => void
  /** The page uses another version of the protocol. It can only be told so. */
  mismatched: () => void
  commanded: (command: Command) => void
  /** The merchant's current `ref_id`. */
  reference: () => string
}

/** The fields that a welcome of any protocol version has: enough to answer it. */
const AnyWelcome = v.object({
  channel: Welcome.entries.channel,
  protocol: Welcome.entries.protocol,
  widget_id: Welcome.entries.widget_id,
})

/** A page that has put the frame there welcomes it at once, or once its other scripts have let it. */
const USUAL_WAIT_MS = 8000
const LONGEST_WAIT_MS = 60_000

/**
 * Says hello to the parent window, whoever that is, and waits for one welcome from it that matches the schema, with one port. Says hello
 * again whenever the parent asks for it, and ignores every other window message. Events before the welcome are dropped.
 */
export function openPageChannel<Expected extends Welcome>(
  frameWindow: Window,
  schema: v.GenericSchema<unknown, Expected>,
  after: Browser['after'],
  listeners: ChannelListeners<Expected>,
): PageChannel {
  let channel: PageChannel = { emit: () => undefined, setTitle: () => undefined, tellTyped: () => undefined }
  const { location, parent } = frameWindow
  const name = randomUuid()
  let isTaken = false
  const sayHello = () => {
    const address = location.pathname + location.search
    parent.postMessage(
      { hello: 'widget.svc', document: name, address, is_taken: isTaken } satisfies Hello,
      '*',
    )
  }
  const listen = ({ source, data, ports }: MessageEvent<unknown>): void => {
    if (source !== parent) return
    if (data === ASK_FOR_HELLO) sayHello()
    if (isTaken) return
    const [port, ...others] = ports
    if (port === undefined || others.length > 0) return
    const any = v.safeParse(AnyWelcome, data)
    const expected = v.safeParse(schema, data)
    if (!any.success || (any.output.protocol === PROTOCOL && !expected.success)) return
    isTaken = true
    for (const stopWaiting of waits) stopWaiting()
    channel = createChannel(port, any.output.widget_id, listeners)
    if (any.output.protocol !== PROTOCOL) listeners.mismatched()
    else if (expected.success) listeners.welcomed(expected.output)
  }
  frameWindow.addEventListener('message', listen)
  const waits = [
    after(USUAL_WAIT_MS, () => listeners.late()),
    after(LONGEST_WAIT_MS, () => listeners.abandoned()),
  ]
  // Not within the script: browsers note where a message comes from, and would read all of it again to know the line.
  queueMicrotask(sayHello)
  return {
    emit: (event) => channel.emit(event),
    setTitle: (title) => channel.setTitle(title),
    tellTyped: (isTyped) => channel.tellTyped(isTyped),
  }
}

function createChannel(
  port: MessagePort,
  widget_id: string,
  { commanded, reference }: ChannelListeners<never>,
): PageChannel {
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { success, output } = v.safeParse(Command, data)
    if (success) commanded(output)
  }
  return {
    emit: (event) =>
      port.postMessage({
        ...event,
        purpose: 'payment_source',
        message_source: 'widget.svc',
        ref_id: reference(),
        widget_id,
      } satisfies FrameEvent),
    setTitle: (title) => port.postMessage(title),
    tellTyped: (isTyped) => port.postMessage(isTyped),
  }
}
