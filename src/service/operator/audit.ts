import { InvalidArgumentError } from '@commander-js/extra-typings'
import { verifyChain } from '../domains/audit/audit-log.ts'
import type { ChainHead } from '../domains/audit/chain.ts'
import { countUnsealed } from '../domains/audit/chain-store.ts'
import { CommandFault, exampleText, group, JSON_OPTION } from './command.ts'
import type { OnDatabase } from './command.ts'

export function auditCommands(onDatabase: OnDatabase) {
  const audit = group('audit', 'the audit log, a chain of hashes', 'svc audit verify')
  audit
    .command('verify')
    .description(
      'Recomputes the chain of the audit log, beside running services, and says where it ends or where it is broken.',
    )
    .option(
      '--noted <LENGTH:HASH>',
      "an end that it had before, as this command or the service's log said it",
      headOf,
    )
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc audit verify'))
    .action(
      onDatabase(async ({ database, output }, { noted, json }) => {
        const verdict = await verifyChain(database, noted ?? null)
        if (verdict.kind === 'broken')
          throw new CommandFault(
            `The audit log is broken at event ${String(verdict.seq)}: ${verdict.reason}.`,
          )
        const { length, hash } = verdict.head
        const end = `${String(length)}:${hash.toString('hex')}`
        const unsealed = await countUnsealed(database)
        output.show({ json }, { events: length, end, unsealed }, [
          `The audit log is intact: ${String(length)} events. Note its end elsewhere:`,
          end,
          `${String(unsealed)} events wait to be sealed.`,
        ])
      }),
    )
  return audit
}

function headOf(words: string): ChainHead {
  const [, length, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/.exec(words) ?? []
  if (length === undefined || hash === undefined)
    throw new InvalidArgumentError('It must be a number, a colon and 64 characters of 0-9 and a-f.')
  return { length: Number(length), hash: Buffer.from(hash, 'hex') }
}
