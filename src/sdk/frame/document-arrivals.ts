import { HELLO } from '../../contract/page/widget-channel.ts'

/**
 * Calls back once for each document that comes into a frame, also for one that replaces another. A form says hello and then has
 * loaded, or the other way round: the first of the two counts. A fault in its place says no hello. The hello is a sign from the frame's
 * own window and origin, and nothing more: what a form says comes by its port.
 */
export function onEachDocument(
  frame: HTMLIFrameElement,
  origin: string,
  come: () => void,
  signal: AbortSignal,
): void {
  /** The event that the last document was known by, until its other one comes. */
  let knownBy = ''
  const take = ({ type }: Event) => {
    const isKnown = knownBy !== '' && knownBy !== type
    knownBy = isKnown ? '' : type
    if (!isKnown) come()
  }
  const hear = (message: MessageEvent<unknown>) => {
    const { source, data } = message
    if (source === frame.contentWindow && message.origin === origin && data === HELLO) take(message)
  }
  addEventListener('message', hear, { signal })
  frame.addEventListener('load', take, { signal })
}
