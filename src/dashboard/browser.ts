import type { PasskeyCreation } from '../contract/dashboard/people/passkey-creation.ts'
import type { PasskeyOptions } from '../contract/dashboard/people/passkey.ts'

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

/**
 * The result of asking a device for a passkey: its response, or that the person stopped, or already has one for this account.
 */
type PasskeyResult = { kind: 'given'; response: unknown } | { kind: 'stopped' } | { kind: 'exists' }

/** The device's passkeys. */
interface Passkeys {
  /** Whether this browser can use them. */
  isSupported: boolean
  /** Asks for one that was made before. */
  ask: (options: PasskeyOptions['options']) => Promise<PasskeyResult>
  make: (options: PasskeyCreation['options']) => Promise<PasskeyResult>
}

/** The passkeys of a browser, by its own reader and writer of WebAuthn's JSON. */
function passkeysOf(window: Window & typeof globalThis): Passkeys {
  const { credentials } = window.navigator
  return {
    // Browsers from before 2025 lack it, and pages without https.
    isSupported:
      'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in window.PublicKeyCredential,
    ask: (options) =>
      resultOf(() =>
        credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
      ),
    make: (options) =>
      resultOf(() =>
        credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
      ),
  }
}

async function resultOf(ceremony: () => Promise<Credential | null>): Promise<PasskeyResult> {
  try {
    const credential = await ceremony()
    if (!(credential instanceof PublicKeyCredential)) return { kind: 'stopped' }
    return { kind: 'given', response: credential.toJSON() }
  } catch (error) {
    const exists = error instanceof DOMException && error.name === 'InvalidStateError'
    return { kind: exists ? 'exists' : 'stopped' }
  }
}
