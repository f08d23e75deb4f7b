import { randomBytes } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'
import { unwrap, wrap } from './envelope.ts'
import type { WrappedKey } from './envelope.ts'
import type { MasterKeys } from './master-keys.ts'

/** A secret of an operator's under a data key of its own. */
export interface SealedText extends WrappedKey {
  text: Buffer
}

export interface TextVault {
  /** `place` names where the sealed text is kept; it opens nowhere else. */
  seal: (text: string, place: string) => SealedText
  /** Throws `MissingKey` when it was sealed under a master key that this process was not given. */
  open: (sealed: SealedText, place: string) => string
}

/** Envelope encryption of text; the master keys are asked for when they are needed. */
export function createTextVault(keysOf: () => MasterKeys): TextVault {
  return {
    seal(text, place) {
      const dataKey = randomBytes(32)
      return { ...wrap(keysOf(), dataKey, place), text: encrypt(dataKey, Buffer.from(text), `${place}/text`) }
    },
    open(sealed, place) {
      return decrypt(unwrap(keysOf(), sealed, place), sealed.text, `${place}/text`).toString()
    },
  }
}
