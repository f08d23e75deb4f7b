import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ConfigError } from '../../errors.ts'
import type { Proxies, Proxy } from '../../outbound/proxy.ts'
import { makeFolder } from '../../make-folder.ts'
import type { KeyStore, MasterKeys } from './master-keys.ts'
import { createLocalKeyStore } from './local-key-store.ts'
import { joinKeyStores } from './master-keys.ts'
import { openPkcs11KeyStore } from './pkcs11-key-store.ts'
import { createTransitKeyStore } from './transit-key-store.ts'
import { readSecretFile } from './read-secret-file.ts'
import type { VaultSettings } from './vault-settings.ts'

/**
 * Returns a function that opens the master keys. Keys in the settings are checked at once (`ConfigError`), before anything is
 * touched. The sandbox's own key needs the data folder; those of a token or a key service need it to be reachable.
 */
export function masterKeySource({
  vault,
  dataDir,
  proxies,
}: {
  vault: VaultSettings
  dataDir: string
  proxies: Pick<Proxies, 'keyService'>
}): () => Promise<MasterKeys> {
  const own = vault.local === null ? [] : [localKeys(vault.local)]
  let opened: Promise<MasterKeys> | undefined
  const open = async () => {
    const elsewhere = await openElsewhere(vault, proxies.keyService)
    const stores = [...elsewhere, ...own]
    return joinedKeys(stores.length === 0 ? [sandboxKeys(dataDir)] : stores, vault.currentKey)
  }
  return () => (opened ??= open())
}

/** A token or a key service comes first: beside one, keys in the settings only open what they have sealed before. */
async function openElsewhere({ pkcs11, transit }: VaultSettings, proxy: Proxy | null): Promise<KeyStore[]> {
  if (transit !== null) return [createTransitKeyStore(transit, proxy)]
  if (pkcs11 === null) return []
  return [await openPkcs11KeyStore({ ...pkcs11, pin: textOf(pkcs11.pin, 'SVC_VAULT_PKCS11_PIN_FILE') })]
}

function localKeys(local: { text: string } | { file: string }): KeyStore {
  const setting = 'file' in local ? 'SVC_VAULT_KEYS_FILE' : 'SVC_VAULT_KEYS'
  return createLocalKeyStore(textOf(local, setting), setting)
}

function textOf(given: { text: string } | { file: string }, setting: string): string {
  if ('text' in given) return given.text
  try {
    return readSecretFile(given.file)
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${setting} cannot be read: ${words}`)
  }
}

function joinedKeys(stores: readonly KeyStore[], currentKey: string | undefined): MasterKeys {
  const ids = stores.flatMap((store) => store.ids)
  const twice = ids.find((id, place) => ids.indexOf(id) !== place)
  if (twice !== undefined)
    throw new ConfigError(`the vault has two keys of the id ${twice}: rename one of them`)
  if (currentKey !== undefined && !ids.includes(currentKey))
    throw new ConfigError(`SVC_VAULT_CURRENT_KEY: the vault has no key ${currentKey}`)
  return joinKeyStores(stores, currentKey)
}

/**
 * The sandbox's own key, made on the first start and kept in the data folder for this account only. Its id is its own
 * too: on a database that others share, their cards are known not to be ours.
 */
function sandboxKeys(dataDir: string): KeyStore {
  const file = join(dataDir, 'vault-keys')
  try {
    if (!existsSync(file)) makeKeyFile(file)
    return createLocalKeyStore(readFileSync(file, 'utf8'))
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    throw new ConfigError(`no master key can be kept in SVC_DATA_DIR: ${error.message}. Set SVC_VAULT_KEYS.`)
  }
}

/** Two processes that share the folder may start at once: the file is there whole, and the first one's stays. */
function makeKeyFile(file: string): void {
  const draft = `${file}.${randomUUID()}`
  makeFolder(dirname(file))
  writeFileSync(draft, `sandbox-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}\n`, {
    mode: 0o600,
  })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft)
  }
}
