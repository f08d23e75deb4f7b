import { hkdfSync, randomBytes } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'
import type { MasterKeys, WrappedKey } from './key-stores/master-keys.ts'

/** The secrets of a card; outside of the vault they exist only on their way to a gateway. */
export interface CardSecrets {
  number: string
  code: string
}

/** A card's secrets under a data key of their own and, as the other half of their key, the card's token. */
export interface SealedCard extends WrappedKey {
  number: Buffer
  code: Buffer
}

/** A sealed card opens only with these same values, beside the master key. */
export interface CardBinding {
  /** Names where the sealed card is kept; it opens nowhere else. */
  place: string
  /** The one-time token, which is kept nowhere. */
  token: string
}

export interface Vault {
  seal: (card: CardSecrets, binding: CardBinding) => Promise<SealedCard>
  /** Throws `MissingKey` when the card was sealed under a master key that this process was not given. */
  open: (sealed: SealedCard, binding: CardBinding) => Promise<CardSecrets>
  /** The same data key under the current master key; what it seals stays as it is. Throws as `open` does. */
  rewrap: (wrapped: WrappedKey, place: string) => Promise<WrappedKey>
}

/**
 * Envelope encryption (contract §3): a fresh data key per card, wrapped by the current master key. The card is sealed with
 * that key and its token together: copies in a database's write-ahead log or a backup can't be opened
 * without the token, not even with the master keys.
 */
export function createVault(keys: MasterKeys): Vault {
  return {
    async seal({ number, code }, { place, token }) {
      const dataKey = randomBytes(32)
      const key = cardKeyOf(dataKey, { place, token })
      return {
        ...(await wrap(keys, dataKey, place)),
        number: encrypt(key, Buffer.from(number), `${place}/number`),
        code: encrypt(key, Buffer.from(code), `${place}/code`),
      }
    },
    async open(sealed, { place, token }) {
      const key = cardKeyOf(await unwrap(keys, sealed, place), { place, token })
      return {
        number: decrypt(key, sealed.number, `${place}/number`).toString(),
        code: decrypt(key, sealed.code, `${place}/code`).toString(),
      }
    },
    rewrap: async (wrapped, place) => wrap(keys, await unwrap(keys, wrapped, place), place),
  }
}

/** Derives a card's key from its data key and its token: HKDF-SHA256 (RFC 5869) of both, as NIST SP 800-56C (2) joins two secrets. */
function cardKeyOf(dataKey: Buffer, { place, token }: CardBinding): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.concat([dataKey, Buffer.from(token)]), '', place, 32))
}

/** A text sealed under a data key of its own. */
export interface SealedText extends WrappedKey {
  text: Buffer
}

export interface TextVault {
  /** `place` names where the sealed text is kept; it opens nowhere else. */
  seal: (text: string, place: string) => Promise<SealedText>
  /** Throws `MissingKey` when it was sealed under a master key that this process was not given. */
  open: (sealed: SealedText, place: string) => Promise<string>
}

/** Envelope encryption of texts. `keysOf` is called only when a master key is needed. */
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

/** Wraps a data key with the current master key; it opens in no other `place`. */
function wrap(keys: MasterKeys, dataKey: Buffer, place: string): Promise<WrappedKey> {
  return keys.wrap(dataKey, `${place}/data-key`)
}

/** The data key; throws `MissingKey` when it is under a master key that this process was not given. */
function unwrap(keys: MasterKeys, wrapped: WrappedKey, place: string): Promise<Buffer> {
  return keys.unwrap(wrapped, `${place}/data-key`)
}
