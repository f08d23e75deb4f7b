import type { CheckoutWelcome } from '../../contract/page/checkout-channel.ts'
import type { FrameEvent } from '../../contract/page/checkout-event.ts'
import { isFrameEvent } from '../../contract/page/is-frame-event.ts'
import { ASK_FOR_HELLO } from '../../contract/page/widget-channel.ts'
import type { Command, Welcome } from '../../contract/page/widget-channel.ts'

/** The page's end of the message channel to one frame document. */
export interface FrameChannel {
  send: (command: Command) => void
  close: () => void
}

interface ChannelListeners {
  receive: (event: FrameEvent) => void
  rename: (title: string) => void
  noteTyped: (isTyped: boolean) => void
}

/**
 * Welcomes a frame whose document is there: one window message to the exact widget origin, with a port. All later messages
 * use the port, so no other window can interfere. Accepts by the port an event of this widget with exactly its fields, a string: the
 * frame's title in its language, or a boolean: whether something that a person has typed stands in the form. Drops everything else.
 */
export function openFrameChannel(
  frame: Window,
  origin: string,
  welcome: Welcome | CheckoutWelcome,
  { receive, rename, noteTyped }: ChannelListeners,
): FrameChannel {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = (message: MessageEvent<unknown>) => {
    const { data } = message
    if (typeof data === 'string') rename(data)
    else if (typeof data === 'boolean') noteTyped(data)
    else if (isFrameEvent(data) && data.widget_id === welcome.widget_id) receive(data)
  }
  frame.postMessage(welcome, origin, [port2])
  return {
    send: (command) => port1.postMessage(command),
    close: () => {
      port1.onmessage = null
      port1.close()
    },
  }
}

/** Asks whatever document is in a frame for its hello. */
export function askForHello({ contentWindow }: HTMLIFrameElement): void {
  contentWindow?.postMessage(ASK_FOR_HELLO, '*')
}
