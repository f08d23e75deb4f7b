import { parseArgs } from 'node:util'
import { writeEvent } from '../../domains/events/write-event.ts'
import { monotonicClock } from '../../platform/clocks.ts'
import { startDatabaseClock } from '../../platform/database/database-clock.ts'
import { createIds } from '../../platform/identifiers.ts'
import { createMaintenanceSwitch } from '../../platform/maintenance/switch-maintenance.ts'
import { actor } from '../actor.ts'
import type { Command } from '../command.ts'

const DEFAULT_SECONDS = '60'

export const maintenance: Command = {
  name: 'maintenance',
  usage: `maintenance on|off [--retry-after SECONDS]
      while it is on, every process answers 503 and does nothing for callers, who are told to come back after
      SECONDS (${DEFAULT_SECONDS}, a day at most); background jobs go on`,
  async run({ database, say }, parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { 'retry-after': { type: 'string' } },
    })
    const [state, ...more] = positionals
    const retryAfter = secondsIn(values['retry-after'] ?? DEFAULT_SECONDS)
    const isWrongOff = state === 'off' && values['retry-after'] !== undefined
    if ((state !== 'on' && state !== 'off') || more.length > 0 || retryAfter === null || isWrongOff) return 2
    const createId = createIds(await startDatabaseClock(database, monotonicClock))
    const act = { id: createId(), actor: actor() }
    const { begin, end } = createMaintenanceSwitch(database, writeEvent)
    const isChanged = await (state === 'on' ? begin(retryAfter, act) : end(act))
    say(
      isChanged
        ? `Maintenance is ${state}; running services follow within a second.`
        : `Maintenance was ${state} already.`,
    )
    return 0
  },
}

const MAX_SECONDS = 86_400

function secondsIn(text: string): number | null {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return seconds >= 1 && seconds <= MAX_SECONDS ? seconds : null
}
