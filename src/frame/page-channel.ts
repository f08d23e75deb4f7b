import * as v from 'valibot'
import type { FrameEvent } from '../contract/page/checkout-event.ts'
import { Command, PROTOCOL, Welcome } from '../contract/page/widget-channel.ts'
import type { EventBase } from '../contract/page/widget-event.ts'

type WithoutBase<Event> = Event extends FrameEvent ? Omit<Event, keyof EventBase> : never

/** An event before the channel has put the widget's name on it. */
export type Emission = WithoutBase<FrameEvent>
export type Emit = (emission: Emission) => void

/** The frame's end of the line to its page. */
interface PageChannel {
  emit: Emit
  /** Says what the page shall call the frame, as a text and no event. */
  nameFrame: (title: string) => void
}

interface Listeners<Ours> {
  /** The page that embeds this frame is known; from now on what is emitted arrives. */
  welcomed: (welcome: Ours) => void
  /** The page speaks another version of the protocol; it can be told, and nothing else will work. */
  mismatched: () => void
  commanded: (command: Command) => void
  /** The merchant's own reference, as it is now. */
  reference: () => string
}

/** What a welcome of any version holds: enough to answer it. */
const AnyWelcome = v.object({
  channel: Welcome.entries.channel,
  protocol: Welcome.entries.protocol,
  widget_id: Welcome.entries.widget_id,
})

/**
 * Waits for the one welcome that this frame takes: by its schema, from its parent, with one port. Everything else that arrives at the
 * window, and everything after it, is dropped in silence. What speaks to the page
 * speaks to nobody until the welcome.
 */
export function openPageChannel<Ours extends Welcome>(
  frameWindow: Window,
  schema: v.GenericSchema<unknown, Ours>,
  listeners: Listeners<Ours>,
): PageChannel {
  let channel: PageChannel = { emit: () => undefined, nameFrame: () => undefined }
  const listen = ({ source, data, ports }: MessageEvent<unknown>): void => {
    const [port, ...others] = ports
    if (source !== frameWindow.parent || port === undefined || others.length > 0) return
    const any = v.safeParse(AnyWelcome, data)
    const ours = v.safeParse(schema, data)
    if (!any.success || (any.output.protocol === PROTOCOL && !ours.success)) return
    frameWindow.removeEventListener('message', listen)
    channel = speakBy(port, any.output.widget_id, listeners)
    if (any.output.protocol !== PROTOCOL) listeners.mismatched()
    else if (ours.success) listeners.welcomed(ours.output)
  }
  frameWindow.addEventListener('message', listen)
  return {
    emit: (emission) => channel.emit(emission),
    nameFrame: (title) => channel.nameFrame(title),
  }
}

function speakBy(
  port: MessagePort,
  widget_id: string,
  { commanded, reference }: Listeners<never>,
): PageChannel {
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    const { success, output } = v.safeParse(Command, data)
    if (success) commanded(output)
  }
  return {
    emit: (emission) =>
      port.postMessage({
        ...emission,
        purpose: 'payment_source',
        message_source: 'widget.svc',
        ref_id: reference(),
        widget_id,
      } satisfies FrameEvent),
    nameFrame: (title) => port.postMessage(title),
  }
}
