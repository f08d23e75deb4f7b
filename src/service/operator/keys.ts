import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { ListedKey } from '../domains/merchants/key-store.ts'
import {
  CommandFault,
  exampleText,
  group,
  JSON_OPTION,
  MERCHANT_ID,
  noMerchant,
  secondsOf,
} from './command.ts'
import type { OnDatabase } from './command.ts'

export function keyCommands(onDatabase: OnDatabase) {
  const keys = group('keys', 'the API keys of merchants', 'svc keys list 65b0c1f2e4a7d83b5c9f0a12')
  keys
    .command('list')
    .description(
      "Lists a merchant's keys by their ids, oldest first. Of a secret key only a hash is kept, and the dashboard shows public ones.",
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc keys list 65b0c1f2e4a7d83b5c9f0a12'))
    .action(
      onDatabase(async ({ merchants, output }, merchantId, format) => {
        if ((await merchants.read(merchantId)) === null) throw noMerchant(merchantId)
        const found = await merchants.keys.list(merchantId)
        output.show(format, { keys: found.map(documentOf) }, found.map(lineOf))
      }),
    )
  keys
    .command('roll')
    .description(
      'Makes a merchant a new key and shows it, this once. Those of its kind that it has end after the overlap, or at once.',
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .addOption(
      new Option('--kind <KIND>', 'which key').choices(['public', 'secret'] as const).makeOptionMandatory(),
    )
    .option('--overlap <TIME>', 'how long older keys work on, such as 30m, 24h or 7d', secondsOf, 0)
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc keys roll 65b0c1f2e4a7d83b5c9f0a12 --kind secret --overlap 24h'))
    .action(
      onDatabase(async ({ merchants, output }, merchantId, { kind, overlap, json }) => {
        const rolled = await merchants.keys.roll(merchantId, kind, overlap)
        if (rolled === null) throw noMerchant(merchantId)
        const { key, id, ended } = rolled
        const ends = ended.map((one) => ({ key_id: one.id, ends_at: one.revokedAt?.toISOString() }))
        output.show({ json }, { key_id: id, [`${kind}_key`]: key, ended: ends })
      }),
    )
  keys
    .command('revoke')
    .description(
      'Ends a key at once, in every process: by its id, or the key itself, which is asked for on standard input.',
    )
    // A key as a parameter would be in the list of processes and the shell's history.
    .argument('[KEY_ID]', "the key's id: svc keys list MERCHANT_ID", keyIdOf)
    .addHelpText('after', exampleText('svc keys revoke 0f1e2d3c4b5a6978'))
    .action(
      onDatabase(async ({ merchants, output, readSecret }, id) => {
        const revoked = await merchants.keys.revoke(id ?? (await readSecret()))
        if (revoked === null) throw new CommandFault('There is no such key that has not ended.')
        output.line(`The ${revoked.kind} key ${revoked.id} of merchant ${revoked.merchantId} has ended.`)
      }),
    )
  return keys
}

function keyIdOf(words: string): string {
  if (!/^[\da-f]{16}$/.test(words))
    throw new InvalidArgumentError('It must be an id of svc keys list, 16 characters of 0-9 and a-f.')
  return words
}

const documentOf = ({ id, kind, createdAt, lastUsedAt, revokedAt }: ListedKey) => ({
  key_id: id,
  kind,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
  ends_at: revokedAt?.toISOString() ?? null,
})

function lineOf({ id, kind, createdAt, revokedAt, isRevoked }: ListedKey): string {
  const end = revokedAt?.toISOString() ?? ''
  const state = revokedAt === null ? 'works' : isRevoked ? `ended ${end}` : `works until ${end}`
  return `${id}  ${kind}  made ${createdAt.toISOString()}  ${state}`
}
