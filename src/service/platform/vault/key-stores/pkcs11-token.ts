import { createRequire } from 'node:module'
import { ConfigError } from '../../errors.ts'
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

interface Attribute {
  type: number | undefined
  value: string | number | undefined
}

interface Mechanism {
  mechanism: number | undefined
  parameter: { type: number | undefined; iv: Buffer; aad: Buffer; ivBits: number; tagBits: number }
}

/** The functions of PKCS #11 (v2.40) that are used, as pkcs11js offers them; a failed one throws an error with its code. */
interface Pkcs11 {
  load: (path: string) => void
  C_Initialize: (options: { flags: number | undefined }) => void
  C_GetSlotList: (withToken: boolean) => Buffer[]
  C_GetTokenInfo: (slot: Buffer) => { label: string }
  C_OpenSession: (slot: Buffer, flags: number | undefined) => Buffer
  C_CloseSession: (session: Buffer) => void
  C_Login: (session: Buffer, user: number | undefined, pin: string) => void
  C_FindObjectsInit: (session: Buffer, template: Attribute[]) => void
  C_FindObjects: (session: Buffer, max: number) => Buffer[]
  C_FindObjectsFinal: (session: Buffer) => void
  C_EncryptInit: (session: Buffer, mechanism: Mechanism, key: Buffer) => void
  C_EncryptAsync: (session: Buffer, input: Buffer, output: Buffer) => Promise<Buffer>
  C_DecryptInit: (session: Buffer, mechanism: Mechanism, key: Buffer) => void
  C_DecryptAsync: (session: Buffer, input: Buffer, output: Buffer) => Promise<Buffer>
}

/** What pkcs11js exports: the class of a module, and the constants of the standard by their names. */
interface Pkcs11Package {
  PKCS11: new () => Pkcs11
  constants: Readonly<Record<string, number>>
}

/**
 * The package that speaks to PKCS#11 modules, or null where it could not be built. It is optional, so its own types may not
 * be there either: what is used of it is described above.
 */
export function loadPkcs11(): Pkcs11Package | null {
  try {
    const loaded: unknown = createRequire(import.meta.url)('pkcs11js')
    return isPackage(loaded) ? { PKCS11: loaded.PKCS11, constants: constantsOf(loaded) } : null
  } catch {
    return null
  }
}

function isPackage(loaded: unknown): loaded is Pick<Pkcs11Package, 'PKCS11'> {
  return (
    typeof loaded === 'object' && loaded !== null && 'PKCS11' in loaded && typeof loaded.PKCS11 === 'function'
  )
}

function constantsOf(loaded: object): Record<string, number> {
  return Object.fromEntries(
    Object.entries(loaded).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'number' ? [[name, value]] : [],
    ),
  )
}
