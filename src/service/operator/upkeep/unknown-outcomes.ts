import { listUnknownOutcomes } from '../../domains/charges/recovery/unknown-outcomes.ts'
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
