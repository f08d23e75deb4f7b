import { randomBytes } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'
import { unwrap, wrap } from './envelope.ts'
import type { WrappedKey } from './envelope.ts'
import type { MasterKeys } from './master-keys.ts'

/** What a thief would want of a card; it exists outside the vault only on its way to a gateway. */
export interface CardSecrets {
  number: string
  code: string
}

/** A card's secrets under a data key of their own. */
export interface SealedCard extends WrappedKey {
  number: Buffer
  code: Buffer
}

export interface Vault {
  /** `place` names where the sealed card is kept; it opens nowhere else. */
  seal: (card: CardSecrets, place: string) => SealedCard
  /** Throws `MissingKey` when the card was sealed under a master key that this process was not given. */
  open: (sealed: SealedCard, place: string) => CardSecrets
  /** The same data key under the current master key; what it seals stays as it is. Throws as `open` does. */
  rewrap: (wrapped: WrappedKey, place: string) => WrappedKey
}

/** Envelope encryption (contract §3): a fresh data key per card, wrapped by the current master key. */
export function createVault(keys: MasterKeys): Vault {
  return {
    seal({ number, code }, place) {
      const dataKey = randomBytes(32)
      return {
        ...wrap(keys, dataKey, place),
        number: encrypt(dataKey, Buffer.from(number), `${place}/number`),
        code: encrypt(dataKey, Buffer.from(code), `${place}/code`),
      }
    },
    open(sealed, place) {
      const dataKey = unwrap(keys, sealed, place)
      return {
        number: decrypt(dataKey, sealed.number, `${place}/number`).toString(),
        code: decrypt(dataKey, sealed.code, `${place}/code`).toString(),
      }
    },
    rewrap: (wrapped, place) => wrap(keys, unwrap(keys, wrapped, place), place),
  }
}
