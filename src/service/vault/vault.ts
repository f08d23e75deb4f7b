import { randomBytes } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'
import type { MasterKeys } from './master-keys.ts'

/** What a thief would want of a card; it exists outside the vault only on its way to a gateway. */
export interface CardSecrets {
  number: string
  code: string
}

/** A card's secrets under a data key of their own, itself wrapped by a master key. */
export interface SealedCard {
  masterKeyId: string
  wrappedDataKey: Buffer
  number: Buffer
  code: Buffer
}

export interface Vault {
  /** `place` names where the sealed card is kept; it opens nowhere else. */
  seal: (card: CardSecrets, place: string) => SealedCard
  /** Throws `MissingKey` when the card was sealed under a master key that this process was not given. */
  open: (sealed: SealedCard, place: string) => CardSecrets
}

/** An operator took a key away, or processes on one database were given different ones. */
export class MissingKey extends Error {
  override readonly name = 'MissingKey'

  constructor(id: string) {
    super(`SVC_VAULT_KEYS lacks the key ${id}`)
  }
}

/** Envelope encryption (contract §3): a fresh data key per card, wrapped by the current master key. */
export function createVault(keys: MasterKeys): Vault {
  return {
    seal({ number, code }, place) {
      const dataKey = randomBytes(32)
      return {
        masterKeyId: keys.current.id,
        wrappedDataKey: encrypt(keys.current.key, dataKey, `${place}/data-key`),
        number: encrypt(dataKey, Buffer.from(number), `${place}/number`),
        code: encrypt(dataKey, Buffer.from(code), `${place}/code`),
      }
    },
    open(sealed, place) {
      const masterKey = keys.byId(sealed.masterKeyId)
      if (masterKey === undefined) throw new MissingKey(sealed.masterKeyId)
      const dataKey = decrypt(masterKey, sealed.wrappedDataKey, `${place}/data-key`)
      return {
        number: decrypt(dataKey, sealed.number, `${place}/number`).toString(),
        code: decrypt(dataKey, sealed.code, `${place}/code`).toString(),
      }
    },
  }
}
