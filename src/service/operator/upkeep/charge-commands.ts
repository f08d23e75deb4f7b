import { recountFromNothing } from '../../domains/charges/tallies/count-events.ts'
import type { Command } from '../command.ts'
import { listUnknownOutcomes } from '../../domains/charges/recovery/unknown-outcomes.ts'

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
