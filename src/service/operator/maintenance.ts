import { InvalidArgumentError } from '@commander-js/extra-typings'
import { monotonicClock } from '../platform/clocks.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import type { Database } from '../platform/database/database.ts'
import { createIds } from '../platform/identifiers.ts'
import { beginMaintenance, endMaintenance, startMaintenance } from '../platform/maintenance.ts'
import { actor, exampleText, group, JSON_OPTION } from './command.ts'
import type { OnDatabase } from './command.ts'

const DEFAULT_SECONDS = 60
const MAX_SECONDS = 86_400

export function maintenanceCommands(onDatabase: OnDatabase) {
  const maintenance = group(
    'maintenance',
    'while it is on, callers are answered 503 and nothing is done for them; background jobs go on',
    'svc maintenance on --retry-after 600',
  )
  maintenance
    .command('on')
    .description('Has every process answer 503 within a second, and tell callers when to come back.')
    .option('--retry-after <SECONDS>', 'when callers come back, a day at most', secondsIn, DEFAULT_SECONDS)
    .addHelpText('after', exampleText('svc maintenance on --retry-after 600'))
    .action(
      onDatabase(async ({ database, output }, { retryAfter }) => {
        const isChanged = await beginMaintenance(database, retryAfter, await newAct(database))
        output.line(wordsOf('on', isChanged))
      }),
    )
  maintenance
    .command('off')
    .description('Has every process serve again within a second.')
    .addHelpText('after', exampleText('svc maintenance off'))
    .action(
      onDatabase(async ({ database, output }) => {
        output.line(wordsOf('off', await endMaintenance(database, await newAct(database))))
      }),
    )
  maintenance
    .command('show')
    .description('Shows whether it is on.')
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc maintenance show'))
    .action(
      onDatabase(async ({ database, output }, format) => {
        const retryAfter = (await startMaintenance(database)).retryAfter()
        output.show(format, { is_on: retryAfter !== null, retry_after: retryAfter }, [
          retryAfter === null
            ? 'Maintenance is off.'
            : `Maintenance is on; callers are told to come back after ${String(retryAfter)} seconds.`,
        ])
      }),
    )
  return maintenance
}

async function newAct(database: Database) {
  const createId = createIds(await startDatabaseClock(database, monotonicClock))
  return { id: createId(), actor: actor() }
}

const wordsOf = (state: 'on' | 'off', isChanged: boolean) =>
  isChanged
    ? `Maintenance is ${state}; running services follow within a second.`
    : `Maintenance was ${state} already.`

function secondsIn(words: string): number {
  const seconds = /^\d{1,5}$/.test(words) ? Number(words) : 0
  if (seconds < 1 || seconds > MAX_SECONDS)
    throw new InvalidArgumentError(`It must be a number from 1 to ${String(MAX_SECONDS)}.`)
  return seconds
}
