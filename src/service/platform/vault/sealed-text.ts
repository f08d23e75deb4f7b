import { randomBytes } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'
import { unwrap, wrap } from './envelope.ts'
import type { MasterKeys, WrappedKey } from './key-stores/master-keys.ts'

/** A secret of an operator's under a data key of its own. */
export interface SealedText extends WrappedKey {
  text: Buffer
}

export interface TextVault {
  /** `place` names where the sealed text is kept; it opens nowhere else. */
  seal: (text: string, place: string) => Promise<SealedText>
  /** Throws `MissingKey` when it was sealed under a master key that this process was not given. */
  open: (sealed: SealedText, place: string) => Promise<string>
}

/** Envelope encryption of text; the master keys are asked for when they are needed. */
export function createTextVault(keysOf: () => MasterKeys | Promise<MasterKeys>): TextVault {
  return {
    async seal(text, place) {
      const dataKey = randomBytes(32)
      const wrapped = await wrap(await keysOf(), dataKey, place)
      return { ...wrapped, text: encrypt(dataKey, Buffer.from(text), `${place}/text`) }
    },
    async open(sealed, place) {
      const dataKey = await unwrap(await keysOf(), sealed, place)
      return decrypt(dataKey, sealed.text, `${place}/text`).toString()
    },
  }
}
