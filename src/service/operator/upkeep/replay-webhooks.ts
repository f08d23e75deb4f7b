import { parseArgs } from 'node:util'
import { monotonicClock } from '../../platform/clocks.ts'
import { startDatabaseClock } from '../../platform/database/database-clock.ts'
import { writeEvent } from '../../domains/events/write-event.ts'
import { createIds } from '../../platform/identifiers.ts'
import { createDeliveryLog } from '../../domains/webhooks/delivery/delivery-log.ts'
import { dayOrTime } from '../../platform/listing/page-query.ts'
import { actor } from '../actor.ts'
import type { Command } from '../command.ts'

export const replayWebhooks: Command = {
  name: 'replay-webhooks',
  usage: `replay-webhooks MERCHANT_ID [--since 2026-11-21T10:00:00Z | --event EVENT_ID]
      sends a merchant's events to its webhooks again: those that were given up, all since a time, or one`,
  async run({ database, merchants, say }, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { since: { type: 'string' }, event: { type: 'string' } },
    })
    const [merchantId, ...more] = positionals
    const isBoth = values.since !== undefined && values.event !== undefined
    if (merchantId === undefined || more.length > 0 || isBoth) return 2
    // `Date` would read `5` as the year 2001, and everything would be sent again.
    const since = values.since === undefined ? null : dayOrTime(values.since)
    if (values.since !== undefined && since === null) {
      say('--since must be a time such as 2026-11-21T10:00:00Z.')
      return 2
    }
    if ((await merchants.find(merchantId)) === null) {
      say(`There is no merchant ${merchantId}.`)
      return 1
    }
    const selection = { since, eventId: values.event ?? null }
    const createId = createIds(await startDatabaseClock(database, monotonicClock))
    const act = { id: createId(), actor: actor() }
    const count = await createDeliveryLog(database, writeEvent).replay(merchantId, selection, act)
    if (count === 0 && values.event !== undefined) {
      say(`No webhook of this merchant that is enabled is told of an event ${values.event}.`)
      return 1
    }
    say(`${String(count)} deliveries are due now; a running service sends them.`)
    return 0
  },
}
