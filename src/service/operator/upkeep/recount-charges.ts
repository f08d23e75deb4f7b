import { recountFromNothing } from '../../domains/charges/tallies/count-events.ts'
import type { Command } from '../command.ts'

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
