import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { monotonicClock } from '../platform/clocks.ts'
import { startDatabaseClock } from '../platform/database/database-clock.ts'
import { createIds } from '../platform/identifiers.ts'
import { listUndelivered, replay } from '../domains/webhooks/delivery-log.ts'
import type { ListedDelivery } from '../domains/webhooks/delivery-log.ts'
import { dayOrTime } from '../platform/listing/page-query.ts'
import { actor } from './actor.ts'
import { CommandFault, exampleText, group, JSON_OPTION, MERCHANT_ID, noMerchant } from './command.ts'
import type { OnDatabase } from './command.ts'
import { addListen } from './webhooks-listen.ts'
import type { Listener } from './webhooks-listen.ts'

export function webhookCommands(onDatabase: OnDatabase, listener: Listener) {
  const webhooks = group(
    'webhooks',
    "events that are sent to merchants' servers",
    'svc webhooks undelivered 65b0c1f2e4a7d83b5c9f0a12',
  )
  webhooks
    .command('undelivered')
    .description(
      "Lists a merchant's events that were sent to a webhook and have not arrived, newest first, 1000 at most.",
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option(...JSON_OPTION)
    .addHelpText('after', exampleText('svc webhooks undelivered 65b0c1f2e4a7d83b5c9f0a12'))
    .action(
      onDatabase(async ({ database, merchants, output }, merchantId, format) => {
        if ((await merchants.find(merchantId)) === null) throw noMerchant(merchantId)
        const found = await listUndelivered(database, merchantId)
        output.show(format, { deliveries: found.map(documentOf) }, found.map(lineOf))
        if (found.length === 0) output.note('Nothing is undelivered.')
      }),
    )
  webhooks
    .command('replay')
    .description(
      "Sends a merchant's events to its webhooks again: those that were given up, all since a time, or one.",
    )
    .argument('<MERCHANT_ID>', MERCHANT_ID)
    .option('--since <TIME>', 'all since this time, such as 2026-11-21T10:00:00Z', timeOf)
    .addOption(new Option('--event <EVENT_ID>', 'this one').conflicts('since'))
    .addHelpText(
      'after',
      exampleText('svc webhooks replay 65b0c1f2e4a7d83b5c9f0a12 --since 2026-11-21T10:00:00Z'),
    )
    .action(
      onDatabase(async ({ database, merchants, output }, merchantId, { since = null, event = null }) => {
        if ((await merchants.find(merchantId)) === null) throw noMerchant(merchantId)
        const createId = createIds(await startDatabaseClock(database, monotonicClock))
        const act = { id: createId(), actor: actor() }
        const selection = { since, eventId: event }
        const count = await replay(database, merchantId, selection, act)
        if (count === 0 && event !== null)
          throw new CommandFault(`No webhook of this merchant that is enabled is told of an event ${event}.`)
        output.line(`${String(count)} deliveries are due now; a running service sends them.`)
      }),
    )
  addListen(webhooks, listener)
  return webhooks
}

/** `Date` would read `5` as the year 2001, and everything would be sent again. */
function timeOf(words: string): Date {
  const time = dayOrTime(words)
  if (time === null) throw new InvalidArgumentError('It must be a time such as 2026-11-21T10:00:00Z.')
  return time
}

const documentOf = ({ eventId, eventType, subject, url, attempts, lastFault, nextAt }: ListedDelivery) => ({
  event_id: eventId,
  event_type: eventType,
  subject,
  url,
  attempts,
  last_fault: lastFault,
  next_at: nextAt?.toISOString() ?? null,
})

function lineOf({ eventId, eventType, subject, url, attempts, lastFault, nextAt }: ListedDelivery): string {
  const next = nextAt === null ? 'given up' : `next at ${nextAt.toISOString()}`
  const words = [eventId, eventType, subject, url, `${String(attempts)} attempts`, lastFault ?? 'under way']
  return [...words, next].join('  ')
}
