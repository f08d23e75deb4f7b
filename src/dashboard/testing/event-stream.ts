import type { EventStream } from '../browser.ts'

/** A stream that was opened, and what it is told by. */
interface Opened {
  target: EventTarget
  isOpen: boolean
  readyState: number
}

/** Streams of events that a test sends, in place of the service's. The one that was opened last hears them. */
export function createEventStream() {
  const paths: string[] = []
  let current: Opened | null = null
  const send = (type: string, data: string) => {
    if (current?.isOpen === true) current.target.dispatchEvent(new MessageEvent(type, { data }))
  }
  return {
    openEvents: (path: string): EventStream => {
      paths.push(path)
      const opened: Opened = { target: new EventTarget(), isOpen: true, readyState: 1 }
      current = opened
      return {
        addEventListener: (type, listener) =>
          opened.target.addEventListener(type, (event) => {
            if (event instanceof MessageEvent) listener(event)
          }),
        close: () => void (opened.isOpen = false),
        get readyState() {
          return opened.readyState
        },
      }
    },
    /** Each path that was opened. */
    paths,
    isOpen: () => current?.isOpen === true,
    /** Something happens to `subject`. */
    tell: (type: string, subject: string) =>
      send('happened', JSON.stringify({ id: '1', type, subject, created_at: '2026-11-21T10:00:00.000Z' })),
    /** A message as it is. */
    sendText: (text: string) => send('happened', text),
    reset: () => send('reset', ''),
    /** The service refuses to tell anything more. */
    refuse: () => {
      if (current !== null) current.readyState = 2
      send('error', '')
    },
  }
}
