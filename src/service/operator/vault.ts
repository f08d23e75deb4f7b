import { masterKeySource } from '../platform/vault/key-stores/open-master-keys.ts'
import { giveUpLostKey, rotateVault } from '../platform/vault/rotate.ts'
import { isKnownToProcesses, openServiceSecrets } from '../platform/vault/service-secrets.ts'
import { createVault } from '../platform/vault/vault.ts'
import { allWrappedKeys } from '../key-tables.ts'
import { CommandFault, exampleText, group } from './command.ts'
import type { CommandContext, OnDatabase } from './command.ts'

export function vaultCommands(onDatabase: OnDatabase) {
  const vault = group('vault', 'the master keys under which cards and secrets are kept', 'svc vault rotate')
  vault
    .command('rotate')
    .description(
      "Wraps every data key anew with the current one of the vault's keys, beside running services that know all of them, and says what is left under each key.",
    )
    .option('--lost <KEY_ID>', 'erase first what only this key, which is lost, could open')
    .addHelpText('after', exampleText('svc vault rotate'))
    .action(onDatabase((context, { lost }) => rotate(context, lost)))
  return vault
}

async function rotate({ config, database, output }: CommandContext, lost: string | undefined): Promise<void> {
  const keys = await masterKeySource(config)()
  if (!(await isKnownToProcesses(database, keys.currentId)))
    throw new CommandFault(
      `No process has started with the key ${keys.currentId} yet, and one without it could not open what this command wraps anew. ` +
        'Start every process with it first, then run this again. Nothing was changed.',
    )
  await openServiceSecrets(database, keys)
  const places = allWrappedKeys(database)
  const say = output.line
  if (lost !== undefined) await giveUpLostKey(lost, keys, places, say)
  if (!(await rotateVault({ vault: createVault(keys), keys, places, say })))
    throw new CommandFault(
      `Some are still under another key: start every service with ${keys.currentId} first, then run this again.`,
    )
  say(`Nothing needs any other key than ${keys.currentId}: the others may be taken out of the settings.`)
}
