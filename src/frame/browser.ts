import { randomUuid } from '../contract/page/random-uuid.ts'

/** What a frame's document uses of its browser. Passed in, so that tests control time, network and chance. */
export interface Browser {
  /** Ms since an arbitrary moment. Unlike the device's date it is never set back. */
  elapsed: () => number
  wait: (ms: number) => Promise<void>
  /** Does work after some ms, unless it is cancelled by the function returned. */
  after: (ms: number, work: () => void) => () => void
  /** 0 to 1. */
  random: () => number
  send: typeof globalThis.fetch
  /** A new idempotency key. */
  createKey: () => string
  /** Whether the device has a network connection. */
  online: () => boolean
  /** Warns the merchant's developer. */
  warn: (message: string) => void
}

/** The frame's window, the element that holds its prerendered content, and what the code uses of the browser. */
export function browserOf(
  frameWindow: Window & typeof globalThis,
): Browser & { frameWindow: Window; content: HTMLElement } {
  return {
    frameWindow,
    content: frameWindow.document.getElementById('frame') ?? frameWindow.document.body,
    elapsed: () => performance.now(),
    send: frameWindow.fetch.bind(frameWindow),
    wait: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
    after: (ms, work) => {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
    random: Math.random,
    createKey: randomUuid,
    online: () => frameWindow.navigator.onLine,
    // oxlint-disable-next-line no-console -- the only message to the merchant's developer
    warn: (message: string) => console.warn(message),
  }
}
