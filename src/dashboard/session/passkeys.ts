import type { PasskeyCreation } from '../../contract/dashboard/people/passkey-creation.ts'
import type { PasskeyOptions } from '../../contract/dashboard/people/passkey.ts'

/**
 * The result of asking a device for a passkey: its response, or that the person stopped, or already has one for this account.
 */
export type PasskeyResult = { kind: 'given'; response: unknown } | { kind: 'stopped' } | { kind: 'exists' }

/** The device's passkeys. */
export interface Passkeys {
  /** Whether this browser can use them. */
  isSupported: boolean
  /** Asks for one that was made before. */
  ask: (options: PasskeyOptions['options']) => Promise<PasskeyResult>
  make: (options: PasskeyCreation['options']) => Promise<PasskeyResult>
}

/** The passkeys of a browser, by its own reader and writer of WebAuthn's JSON. */
export function passkeysOf(window: Window & typeof globalThis): Passkeys {
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
