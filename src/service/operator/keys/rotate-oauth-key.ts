import type { Config } from '../../config.ts'
import { createSigningKeyStore } from '../../domains/oauth/keys/signing-key-store.ts'
import { createSigningKeys } from '../../domains/oauth/keys/signing-keys.ts'
import { monotonicClock } from '../../platform/clocks.ts'
import { startDatabaseClock } from '../../platform/database/database-clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { createIds } from '../../platform/identifiers.ts'
import { masterKeySource } from '../../platform/vault/key-stores/open-master-keys.ts'
import { createTextVault } from '../../platform/vault/sealed-text.ts'
import type { Command } from '../command.ts'

export const rotateOauthKey: Command = {
  name: 'rotate-oauth-key',
  usage: `rotate-oauth-key [--at-once]
      makes a new key for access tokens before its time; it signs after an hour, and tokens go on. --at-once, for a key that
      may be known to others: it signs now, the older ones are deleted, and within a minute no token of theirs is good`,
  async run({ config, database, say }, [option, ...more]) {
    if (more.length > 0 || (option !== undefined && option !== '--at-once')) return 2
    const isAtOnce = option === '--at-once'
    const id = await (await signingKeysOf(config, database)).replace(isAtOnce)
    say(
      isAtOnce
        ? `The key ${id} signs from now on, alone.`
        : `The key ${id} is published and signs in an hour.`,
    )
    return 0
  },
}

async function signingKeysOf(config: Config, database: Database) {
  const timeOfDay = await startDatabaseClock(database, monotonicClock)
  return createSigningKeys({
    store: createSigningKeyStore(database),
    vault: createTextVault(masterKeySource(config)),
    createId: createIds(timeOfDay),
    timeOfDay,
  })
}
