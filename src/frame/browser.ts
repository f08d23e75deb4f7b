import type { BrowserFacts } from '../contract/api/charges/authentication.ts'
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
  /** What the card holder's bank may want to know of it. */
  facts: () => BrowserFacts
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
    facts: () => factsOf(frameWindow),
    online: () => frameWindow.navigator.onLine,
    // oxlint-disable-next-line no-console -- the only message to the merchant's developer
    warn: (message: string) => console.warn(message),
  }
}

/** None is refused, whatever a browser says of itself: no card may fail for it. */
function factsOf({ navigator, screen }: Window & typeof globalThis): BrowserFacts {
  const { width, height, colorDepth } = screen
  return {
    language: /^[A-Za-z0-9-]{1,35}/.exec(navigator.language)?.[0] ?? 'en',
    time_zone_offset: new Date().getTimezoneOffset(),
    screen_width: Math.floor(width),
    screen_height: Math.floor(height),
    color_depth: colorDepth || 24,
  }
}
