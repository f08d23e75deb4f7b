import { ConfigError } from '../../errors.ts'
import { loadPkcs11 } from './pkcs11-module.ts'
import type { Pkcs11 } from './pkcs11-module.ts'
import type { Pkcs11Settings } from './vault-settings.ts'

/** One session on a token, with the keys that it may use. */
export interface TokenSession {
  encrypt: (id: string, iv: Buffer, plain: Buffer, context: string) => Promise<Buffer>
  decrypt: (id: string, iv: Buffer, sealed: Buffer, context: string) => Promise<Buffer>
  close: () => void
}

const TAG_BITS = 128

/** Loads the module, once for a process; opens sessions. Throws a `ConfigError` when there is no such module or token. */
export function openToken(settings: Pkcs11Settings): () => TokenSession {
  const pkcs11 = loadPkcs11()
  if (pkcs11 === null) {
    throw new ConfigError(
      'SVC_VAULT_PKCS11_… needs the package pkcs11js, which is built at npm ci: install a C++ compiler and repeat that',
    )
  }
  const { PKCS11, constants } = pkcs11
  const module = new PKCS11()
  try {
    module.load(settings.module)
    unless(constants['CKR_CRYPTOKI_ALREADY_INITIALIZED'], () =>
      module.C_Initialize({ flags: constants['CKF_OS_LOCKING_OK'] }),
    )
  } catch (cause) {
    throw new ConfigError(`SVC_VAULT_PKCS11_MODULE cannot be loaded: ${wordsOf(cause)}`, { cause })
  }
  return () => openSession(constants, module, settings)
}

type Constants = Readonly<Record<string, number>>

function openSession(
  constants: Constants,
  module: Pkcs11,
  { token, keys, pin }: Pkcs11Settings,
): TokenSession {
  const slot = module
    .C_GetSlotList(true)
    .find((one) => module.C_GetTokenInfo(one).label.replace(/[\s\0]+$/, '') === token)
  if (slot === undefined) throw new ConfigError(`SVC_VAULT_PKCS11_TOKEN: there is no token ${token}`)
  const session = module.C_OpenSession(slot, constants['CKF_SERIAL_SESSION'])
  const mechanism = (iv: Buffer, context: string) => ({
    mechanism: constants['CKM_AES_GCM'],
    parameter: {
      type: constants['CK_PARAMS_AES_GCM_v240'],
      iv,
      aad: Buffer.from(context),
      ivBits: iv.length * 8,
      tagBits: TAG_BITS,
    },
  })
  try {
    unless(constants['CKR_USER_ALREADY_LOGGED_IN'], () => module.C_Login(session, constants['CKU_USER'], pin))
    const handles = new Map(keys.map((label) => [label, findKey(constants, module, session, label)]))
    const handleOf = (id: string): Buffer => handles.get(id) ?? noKey(id)
    return {
      encrypt(id, iv, plain, context) {
        module.C_EncryptInit(session, mechanism(iv, context), handleOf(id))
        return module.C_EncryptAsync(session, plain, Buffer.alloc(plain.length + TAG_BITS / 8))
      },
      decrypt(id, iv, sealed, context) {
        module.C_DecryptInit(session, mechanism(iv, context), handleOf(id))
        return module.C_DecryptAsync(session, sealed, Buffer.alloc(sealed.length))
      },
      close: () => module.C_CloseSession(session),
    }
  } catch (error) {
    module.C_CloseSession(session)
    throw error
  }
}

function findKey(constants: Constants, module: Pkcs11, session: Buffer, label: string): Buffer {
  module.C_FindObjectsInit(session, [
    { type: constants['CKA_CLASS'], value: constants['CKO_SECRET_KEY'] },
    { type: constants['CKA_KEY_TYPE'], value: constants['CKK_AES'] },
    { type: constants['CKA_LABEL'], value: label },
  ])
  const [key, ...others] = module.C_FindObjects(session, 2)
  module.C_FindObjectsFinal(session)
  if (others.length > 0) throw new ConfigError(`SVC_VAULT_PKCS11_KEYS: several keys have the label ${label}`)
  return key ?? noKey(label)
}

function noKey(label: string): never {
  throw new ConfigError(`SVC_VAULT_PKCS11_KEYS: the token has no AES key ${label}`)
}

/** Calls a function that may have been called before, which the module reports by `code`; that is no failure. */
function unless(code: number | undefined, work: () => void): void {
  try {
    work()
  } catch (error) {
    const isDone = error instanceof Error && 'code' in error && error.code === code
    if (!isDone) throw error
  }
}

/** A module's error names its code (`CKR_PIN_INCORRECT`), and nothing that is secret. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : String(error)
}
