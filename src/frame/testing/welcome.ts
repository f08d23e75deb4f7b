import { PROTOCOL } from '../../contract/page/widget-channel.ts'
import type { Welcome } from '../../contract/page/widget-channel.ts'
import type { WidgetEvent } from '../../contract/page/widget-event.ts'

export const WELCOME = {
  channel: 'widget.svc',
  protocol: PROTOCOL,
  widget_id: '6b2f3c1e-8a57-4d0e-9a5f-0d6b1f6c1a22',
  settings: { ref_id: 'order-1' },
} as const satisfies Welcome

interface Sending {
  source?: MessageEventSource | null
  ports?: MessagePort[]
}

/**
 * A merchant's page around the frame: says welcome, then hears events and gives commands by the port. Unless told otherwise, it
 * is done with each token at once.
 */
export function createPage(frameWindow: Window, { settles = true } = {}) {
  const { port1, port2 } = new MessageChannel()
  const events: WidgetEvent[] = []
  const names: string[] = []
  const typed: boolean[] = []
  port1.onmessage = ({ data }: MessageEvent<WidgetEvent | string | boolean>) => {
    if (typeof data === 'string') names.push(data)
    else if (typeof data === 'boolean') typed.push(data)
    else {
      events.push(data)
      if (data.event === 'finish' && settles) port1.postMessage({ command: 'settle', is_done: true })
    }
  }
  const say = (data: unknown, { source = frameWindow.parent, ports = [port2] }: Sending = {}) =>
    frameWindow.dispatchEvent(new MessageEvent('message', { data, source, ports }))
  return {
    events,
    /** What the frame wanted to be called, one after the other. */
    names,
    /** Whether the frame said that something typed stands in it, one time after the other. */
    typed,
    say,
    command: (command: unknown) => port1.postMessage(command),
    close: () => port1.close(),
  }
}

/** Lets everything that is on its way through a port arrive. */
export async function messagesDelivered(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((done) => setTimeout(done, 2))
}
