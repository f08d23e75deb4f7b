import { HELLO } from '../../contract/page/widget-channel.ts'

/**
 * Calls back once for each document that comes into a frame, also for one that replaces another. A document of the service says hello
 * and then has loaded, or the other way round: the first of the two signs counts. One that the browser or a proxy shows in its place
 * only loads. The hello is a sign from the frame's own window and origin, and nothing more: what a form says comes by its port.
 */
export function onEachDocument(
  frame: HTMLIFrameElement,
  origin: string,
  come: () => void,
  signal: AbortSignal,
): void {
  /** The type of the event that the last document was greeted at, until its other sign comes. */
  let greetedAt = ''
  const seeSign = ({ type }: Event) => {
    const isGreeted = greetedAt !== '' && greetedAt !== type
    greetedAt = isGreeted ? '' : type
    if (!isGreeted) come()
  }
  const hear = (message: MessageEvent<unknown>) => {
    const { source, data } = message
    if (source === frame.contentWindow && message.origin === origin && data === HELLO) seeSign(message)
  }
  addEventListener('message', hear, { signal })
  frame.addEventListener('load', seeSign, { signal })
}
