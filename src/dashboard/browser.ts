import { passkeysOf } from './session/passkeys.ts'
import type { Passkeys } from './session/passkeys.ts'

/** A stream of server-sent events: the part of `EventSource` that the dashboard uses. */
export interface EventStream {
  addEventListener: (type: string, listener: (event: MessageEvent<unknown>) => void) => void
  close: () => void
  readonly readyState: number
}

/** What the dashboard uses of its browser. Passed in, so that tests control time, network and chance. */
export interface Browser {
  window: Window
  document: Document
  /** The device's date, in ms since 1970. */
  now: () => number
  send: typeof globalThis.fetch
  /** Listens to a path that sends events. */
  openEvents: (path: string) => EventStream
  /** A new idempotency key. */
  createKey: () => string
  /** Whether the device has a network connection. */
  online: () => boolean
  /** The person's languages, the best first. */
  languages: readonly string[]
  /** The device's time zone, such as `Australia/Sydney`. It takes a while to find out, as does the list of all. */
  timeZone: () => string
  /** Every time zone that the device knows. */
  timeZones: () => readonly string[]
  copy: (text: string) => Promise<void>
  passkeys: Passkeys
}

/** The parts of a real browser that this code uses. */
export function browserOf(window: Window & typeof globalThis): Browser {
  return {
    window,
    document: window.document,
    now: Date.now,
    send: window.fetch.bind(window),
    openEvents: (path) => new window.EventSource(path),
    createKey: () => window.crypto.randomUUID(),
    online: () => window.navigator.onLine,
    languages: window.navigator.languages,
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    timeZones: () => Intl.supportedValuesOf('timeZone'),
    copy: (text) => window.navigator.clipboard.writeText(text),
    passkeys: passkeysOf(window),
  }
}
