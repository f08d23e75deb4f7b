import { createRequire } from 'node:module'

interface Attribute {
  type: number | undefined
  value: string | number | undefined
}

interface Mechanism {
  mechanism: number | undefined
  parameter: { type: number | undefined; iv: Buffer; aad: Buffer; ivBits: number; tagBits: number }
}

/** The functions of PKCS #11 (v2.40) that are used, as pkcs11js offers them; a failed one throws an error with its code. */
export interface Pkcs11 {
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

/** Of pkcs11js itself: the class of a module, and the constants of the standard by their names. */
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
