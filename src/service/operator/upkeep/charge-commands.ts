import { parseArgs } from 'node:util'
import { createChargeStore } from '../../domains/charges/charge-store.ts'
import { createRecordOutcome } from '../../domains/charges/movements/record-outcome.ts'
import { ENTERED_FROM_DAYS, enterOutcome } from '../../domains/charges/recovery/enter-outcome.ts'
import type { EnteredOutcome, SeenOutcome } from '../../domains/charges/recovery/enter-outcome.ts'
import { recountFromNothing } from '../../domains/charges/tallies/count-events.ts'
import { listUnknownOutcomes } from '../../domains/charges/recovery/unknown-outcomes.ts'
import { writeEvent } from '../../domains/events/write-event.ts'
import { tokenClaim } from '../../domains/payment-sources/token-claim.ts'
import { actor } from '../actor.ts'
import type { Command } from '../command.ts'

export const unknownOutcomes: Command = {
  name: 'unknown-outcomes',
  usage: `unknown-outcomes
      lists the movements that were sent to a gateway and not answered, the oldest first, as JSON lines; the service
      keeps asking for each`,
  async run({ database, say }, parameters) {
    if (parameters.length > 0) return 2
    const unknown = await listUnknownOutcomes(database)
    for (const one of unknown) say(JSON.stringify(one))
    if (unknown.length === 0) say('Every outcome is known.')
    return 0
  },
}

export const enterOutcomeOfAttempt: Command = {
  name: 'enter-outcome',
  usage: `enter-outcome ATTEMPT_ID (--carried-out GATEWAY_ID | --not-carried-out)
      ends a movement whose outcome has been unknown for ${String(ENTERED_FROM_DAYS)} days, as it was seen at the gateway: carried out, under
      the gateway's id of it, or not. Nothing is sent to the gateway; the merchant is told as by any outcome`,
  async run({ database, say }, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { 'carried-out': { type: 'string' }, 'not-carried-out': { type: 'boolean' } },
    })
    const [attemptId, ...more] = positionals
    const seen = seenOutcome(values['carried-out'], values['not-carried-out'])
    if (attemptId === undefined || more.length > 0 || seen === null) return 2
    const store = createChargeStore(database, tokenClaim, writeEvent)
    const parts = { queries: database, store, record: createRecordOutcome(store), actor: actor() }
    const entered = await enterOutcome(parts, attemptId, seen)
    say(wordsOf(entered, attemptId, values['carried-out'] ?? ''))
    return entered.kind === 'entered' ? 0 : 1
  },
}

/** Null where neither option was given, or both, or an id that no gateway uses. */
function seenOutcome(externalId: string | undefined, isNot: boolean | undefined): SeenOutcome | null {
  if ((externalId === undefined) === (isNot === undefined)) return null
  if (externalId === undefined) return { isCarriedOut: false }
  return /^[\w-]{1,64}$/.test(externalId) ? { isCarriedOut: true, externalId } : null
}

function wordsOf(entered: EnteredOutcome, attemptId: string, externalId: string): string {
  switch (entered.kind) {
    case 'not_found':
      return `There is no attempt ${attemptId}. unknown-outcomes lists those without an outcome.`
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

export const recountCharges: Command = {
  name: 'recount-charges',
  usage: `recount-charges
      forgets what the dashboard's overview has counted; running services count it anew from the audit log`,
  async run({ database, say }, parameters) {
    if (parameters.length > 0) return 2
    await recountFromNothing(database)
    say('Running services count anew; the overview shows less until they are done.')
    return 0
  },
}
