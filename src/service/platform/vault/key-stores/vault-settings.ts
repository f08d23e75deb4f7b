import * as v from 'valibot'

/** A secret as it is given: the text, or the file that holds it. */
type Given = { text: string } | { file: string }

/** Which keys of which token, by which module (a shared library of the HSM's vendor). */
export interface Pkcs11Settings {
  module: string
  /** The token's label. */
  token: string
  /** Labels of AES-256 keys. */
  keys: readonly string[]
  pin: string
}

/** Where the transit engine is, with its mount (`https://vault.example.com:8200/v1/transit`), and by whose right. */
export interface TransitSettings {
  url: string
  keys: readonly string[]
  /** Of the right to use them; a file is read for each call, as an agent may keep a fresh one in it. */
  token: Given
}

/** Where the master keys are. In a sandbox that names none, the service makes its own. */
export interface VaultSettings {
  local: Given | null
  pkcs11: (Omit<Pkcs11Settings, 'pin'> & { pin: Given }) | null
  transit: TransitSettings | null
  /** The key that wraps new data keys. By default the first one: of a token or a key service, else of the settings. */
  currentKey: string | undefined
}

/** What may stand in a header as it is. */
export const TOKEN = /^[\x21-\x7e]+$/

const some = v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')))
const names = v.optional(
  v.pipe(
    v.string(),
    v.transform((list) => list.split(',').map((name) => name.trim())),
    v.check(
      (list) => list.every((name) => /^[\w-]{1,32}$/.test(name)) && new Set(list).size === list.length,
      'must be different names of letters, digits, - and _, separated by commas',
    ),
  ),
)
const url = v.optional(
  v.pipe(
    v.string(),
    v.check(
      isAddress,
      'must be the address of a transit engine such as https://vault.example.com/v1/transit',
    ),
    v.transform((text) => text.replace(/\/+$/, '')),
  ),
)

/** The settings of the vault, as environment variables. */
export const vaultVariables = {
  SVC_VAULT_KEYS: some,
  SVC_VAULT_KEYS_FILE: some,
  SVC_VAULT_CURRENT_KEY: some,
  SVC_VAULT_PKCS11_MODULE: some,
  SVC_VAULT_PKCS11_TOKEN: some,
  SVC_VAULT_PKCS11_KEYS: names,
  SVC_VAULT_PKCS11_PIN: some,
  SVC_VAULT_PKCS11_PIN_FILE: some,
  SVC_VAULT_TRANSIT_URL: url,
  SVC_VAULT_TRANSIT_KEYS: names,
  SVC_VAULT_TRANSIT_TOKEN: v.optional(
    v.pipe(v.string(), v.regex(TOKEN, 'must be a token: visible characters, without spaces and line breaks')),
  ),
  SVC_VAULT_TRANSIT_TOKEN_FILE: some,
}
type Variables = v.InferOutput<v.ObjectSchema<typeof vaultVariables, undefined>>

/** Puts the variables together; a text says what is wrong with them. */
export function vaultSettingsOf(variables: Variables, isSandbox: boolean): VaultSettings | string {
  const fault = faultOf(variables, isSandbox)
  if (fault !== null) return fault
  const {
    SVC_VAULT_PKCS11_MODULE: module,
    SVC_VAULT_PKCS11_TOKEN: token,
    SVC_VAULT_PKCS11_KEYS: tokenKeys,
    SVC_VAULT_TRANSIT_URL: address,
    SVC_VAULT_TRANSIT_KEYS: transitKeys,
  } = variables
  const pin = given(variables.SVC_VAULT_PKCS11_PIN, variables.SVC_VAULT_PKCS11_PIN_FILE)
  const right = given(variables.SVC_VAULT_TRANSIT_TOKEN, variables.SVC_VAULT_TRANSIT_TOKEN_FILE)
  const hasPkcs11 = module !== undefined && token !== undefined && tokenKeys !== undefined && pin !== null
  const hasTransit = address !== undefined && transitKeys !== undefined && right !== null
  return {
    local: given(variables.SVC_VAULT_KEYS, variables.SVC_VAULT_KEYS_FILE),
    pkcs11: hasPkcs11 ? { module, token, keys: tokenKeys, pin } : null,
    transit: hasTransit ? { url: address, keys: transitKeys, token: right } : null,
    currentKey: variables.SVC_VAULT_CURRENT_KEY,
  }
}

const STORES = ['PKCS11', 'TRANSIT'] as const
const PARTS = { PKCS11: ['MODULE', 'TOKEN', 'KEYS', 'PIN'], TRANSIT: ['URL', 'KEYS', 'TOKEN'] }

function faultOf(variables: Variables, isSandbox: boolean): string | null {
  const set = new Set(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [name])),
  )
  const twice = ['SVC_VAULT_KEYS', 'SVC_VAULT_PKCS11_PIN', 'SVC_VAULT_TRANSIT_TOKEN'].find(
    (name) => set.has(name) && set.has(`${name}_FILE`),
  )
  if (twice !== undefined) return `${twice} and ${twice}_FILE are both set: give one of them`
  const lacks = STORES.map((store) => lacking(store, set)).find((fault) => fault !== null)
  if (lacks !== undefined) return lacks
  const stores = STORES.filter((store) => set.has(`SVC_VAULT_${store}_KEYS`))
  if (stores.length > 1) return 'SVC_VAULT_PKCS11_… and SVC_VAULT_TRANSIT_… are both set: give one of them'
  if (isSandbox) return null
  if (stores.length === 0 && !set.has('SVC_VAULT_KEYS') && !set.has('SVC_VAULT_KEYS_FILE'))
    return 'SVC_VAULT_KEYS must be set outside sandbox, or another place of keys: nothing starts on made-up keys'
  if (variables.SVC_VAULT_TRANSIT_URL?.startsWith('http:') === true)
    return 'SVC_VAULT_TRANSIT_URL must begin with https:// outside sandbox'
  return null
}

/** Lists the variables of a key store that are missing where others of it are set. */
function lacking(store: (typeof STORES)[number], set: ReadonlySet<string>): string | null {
  const prefix = `SVC_VAULT_${store}_`
  if (![...set].some((name) => name.startsWith(prefix))) return null
  const missing = PARTS[store].find((part) => !set.has(prefix + part) && !set.has(`${prefix}${part}_FILE`))
  return missing === undefined
    ? null
    : `${prefix}${missing} must be set too: SVC_VAULT_${store}_… belong together`
}

function given(text: string | undefined, file: string | undefined): Given | null {
  if (text !== undefined) return { text }
  return file === undefined ? null : { file }
}

function isAddress(text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && username + password + search + hash === ''
}
