import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { createAttemptStatements } from '../domains/charges/attempt-store.ts'
import { recountFromNothing } from '../domains/charges/tallies.ts'
import { ENTERED_FROM_DAYS, enterOutcome, listUnknownOutcomes } from '../domains/charges/unknown-outcomes.ts'
import type { EnteredOutcome, SeenOutcome, UnknownOutcome } from '../domains/charges/unknown-outcomes.ts'
import { tokenClaim } from '../domains/payment-sources/token-store.ts'
import { monotonicClock } from '../platform/clocks.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import { createIds } from '../platform/identifiers.ts'
import { actor, CommandFault, exampleText, group, JSON_OPTION } from './command.ts'
import type { CommandContext, OnDatabase } from './command.ts'

export function outcomeCommands(onDatabase: OnDatabase) {
  const outcomes = group(
    'outcomes',
    'movements of money whose outcome no gateway has told',
    'svc outcomes list',
  )
  outcomes
    .command('list')
    .description(
      'Lists the movements that were sent to a gateway and not answered, the oldest first, 1000 at most. The service keeps asking for each.',
    )
    .option(...JSON_OPTION)
    .addOption(new Option('--json-lines').hideHelp())
    .addHelpText('after', exampleText('svc outcomes list'))
    .action(
      onDatabase(async ({ database, output }, { json, jsonLines }) => {
        const unknown = await listUnknownOutcomes(database)
        const lines = unknown.map(jsonLines === true ? (one) => JSON.stringify(one) : lineOf)
        output.show({ json }, { outcomes: unknown }, lines)
        if (unknown.length === 0) output.note('Every outcome is known.')
      }),
    )
  outcomes
    .command('enter')
    .description(
      `Ends a movement whose outcome has been unknown for ${String(ENTERED_FROM_DAYS)} days, as it was seen at the gateway. Nothing is sent to the gateway; the merchant is told as by any outcome.`,
    )
    .argument('<ATTEMPT_ID>', 'the id of the movement: svc outcomes list')
    .option('--carried-out <GATEWAY_ID>', "it was carried out, under this id of the gateway's", gatewaysId)
    .addOption(new Option('--not-carried-out', 'it was not').conflicts('carriedOut'))
    .addHelpText(
      'after',
      exampleText('svc outcomes enter 65b0c1f2e4a7d83b5c9f0a78 --carried-out NC6HT9CRT65ZGN82'),
    )
    .hook('preAction', (command) => {
      if (Object.keys(command.opts()).length === 0)
        command.error('error: what was seen is missing: give --carried-out GATEWAY_ID or --not-carried-out')
    })
    .action(
      onDatabase((context, attemptId, { carriedOut }) =>
        enter(
          context,
          attemptId,
          carriedOut === undefined ? { isCarriedOut: false } : { isCarriedOut: true, externalId: carriedOut },
        ),
      ),
    )
  return outcomes
}

function gatewaysId(given: string): string {
  if (!/^[\w-]{1,64}$/.test(given))
    throw new InvalidArgumentError('It must be an id as a gateway gives it: letters, digits, _ and -.')
  return given
}

async function enter(
  { database, output }: CommandContext,
  attemptId: string,
  seen: SeenOutcome,
): Promise<void> {
  const statements = createAttemptStatements(tokenClaim)
  const createId = createIds(await startDatabaseClock(database, monotonicClock))
  const entered = await enterOutcome({ database, statements, createId }, attemptId, seen, actor())
  const words = wordsOf(entered, attemptId, seen.isCarriedOut ? seen.externalId : '')
  if (entered.kind !== 'entered') throw new CommandFault(words)
  output.line(words)
}

function wordsOf(entered: EnteredOutcome, attemptId: string, externalId: string): string {
  switch (entered.kind) {
    case 'not_found':
      return `There is no attempt ${attemptId}. svc outcomes list shows those without an outcome.`
    case 'too_young':
      return `The service may still send this movement again, or learn what came of it. Enter it once it is ${String(ENTERED_FROM_DAYS)} days old.`
    case 'of_another':
      return `Nothing was changed: ${externalId} is what the gateway calls another ${entered.type}, of the charge ${entered.chargeId}. Look up this one's by its own id, ${attemptId}.`
    case 'known':
      return `Nothing was changed: this ${entered.attempt.type} has an outcome already, ${entered.attempt.outcome}.`
    case 'entered':
      return `Entered. The charge ${entered.charge.id} is ${entered.charge.status} now.`
  }
}

function lineOf(outcome: UnknownOutcome): string {
  const {
    attempt_id: id,
    type,
    amount_cents: cents,
    charge_id,
    merchant_id,
    times_asked,
    age_seconds,
  } = outcome
  const asked = `asked ${String(times_asked)} times in ${String(age_seconds)} s`
  return `${id}  ${type} of ${(cents / 100).toFixed(2)}  charge ${charge_id}  merchant ${merchant_id}  ${asked}`
}

export function figureCommands(onDatabase: OnDatabase) {
  const figures = group('figures', "what the dashboard's overview has counted", 'svc figures recount')
  figures
    .command('recount')
    .description('Forgets what was counted; running services count it anew from the audit log.')
    .addHelpText('after', exampleText('svc figures recount'))
    .action(
      onDatabase(async ({ database, output }) => {
        await recountFromNothing(database)
        output.line('Running services count anew; the overview shows less until they are done.')
      }),
    )
  return figures
}
