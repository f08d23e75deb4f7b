import { parseArgs } from 'node:util'
import { masterKeySource } from '../../platform/vault/key-stores/open-master-keys.ts'
import { giveUpLostKey, rotateVault as rotate } from '../../platform/vault/rotate.ts'
import { isKnownToProcesses, openServiceSecrets } from '../../platform/vault/service-secrets.ts'
import { createVault } from '../../platform/vault/vault.ts'
import { allWrappedKeys } from '../../wrapped-keys.ts'
import type { Command } from '../command.ts'

export const rotateVault: Command = {
  name: 'rotate-vault',
  usage: `rotate-vault [--lost KEY_ID]
      wraps every data key anew with the current one of the vault's keys, beside running services that know all of them, and
      says what is left under each key; --lost erases first what only a key that is lost could open`,
  async run({ config, database, say }, parameters) {
    const { values } = parseArgs({ args: parameters, options: { lost: { type: 'string' } } })
    const keys = await masterKeySource(config)()
    if (!(await isKnownToProcesses(database, keys.currentId))) {
      say(
        `No process has started with the key ${keys.currentId} yet, and one without it could not open what this command wraps anew. ` +
          'Start every process with it first, then run this again. Nothing was changed.',
      )
      return 1
    }
    await openServiceSecrets(database, keys)
    const places = allWrappedKeys(database)
    if (values.lost !== undefined) await giveUpLostKey(values.lost, keys, places, say)
    const isDone = await rotate({ vault: createVault(keys), keys, places, say })
    say(
      isDone
        ? `Nothing needs any other key than ${keys.currentId}: the others may be taken out of the settings.`
        : `Some are still under another key: start every service with ${keys.currentId} first, then run this again.`,
    )
    return isDone ? 0 : 1
  },
}
