import { parseArgs } from 'node:util'
import { auditInTheEnd, auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import { keysIn } from './machines/service-process.ts'
import { startKillable, victims } from './machines/killable.ts'
import type { Victim } from './machines/killable.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import { openShop } from './merchant/shop.ts'
import { underLoad } from './merchant/under-load.ts'
import type { Say } from './say.ts'

const CLIENTS = 16
const WORDS_EVERY = 10

/**
 * Kills the service under load, again and again: with its embedded PostgreSQL (`service`), on an external server (`server`), or
 * one of two processes of one command (`process`); or restarts PostgreSQL abruptly under a service that lives on (`postgres`).
 * After each kill the merchant's journal, the books and the gateway's ledger are compared; in the end they must agree.
 */
export async function crash(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      short: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      server: { type: 'boolean', default: false },
      postgres: { type: 'boolean', default: false },
      process: { type: 'boolean', default: false },
      programs: { type: 'string' },
    },
  })
  const victim = victimIn(values)
  const rounds = Number(values.rounds ?? (values.short ? 2 : victims[victim].rounds))
  await inFolder((folder) => killAgainAndAgain({ folder, victim, rounds, programs: values.programs }, say))
}

function victimIn(asked: Readonly<Record<'postgres' | 'server' | 'process', boolean>>): Victim {
  if (asked.postgres) return 'postgres'
  if (asked.process) return 'process'
  return asked.server ? 'server' : 'service'
}

interface Run {
  folder: string
  victim: Victim
  rounds: number
  programs: string | undefined
}

async function killAgainAndAgain({ folder, victim, rounds, programs }: Run, say: Say): Promise<void> {
  const world = await startKillable(victim, folder, programs)
  const books = openBooks(world.connectionString)
  const journal = createJournal()
  const api = createHttpApi(() => world.port)
  const shop = openShop(api, keysIn(folder), journal, CLIENTS)
  const begin = performance.now()
  for (let round = 1; round <= rounds; round += 1) {
    await underLoad(journal)
    await world.kill()
    await auditMeanwhile(journal, books)
    if (round % WORDS_EVERY === 0) say(`${round} kills, ${journal.acknowledged.size} acknowledged operations`)
  }
  const seconds = (performance.now() - begin) / 1000
  await shop.close()
  await auditInTheEnd(journal, books)
  api.close()
  await world.stop()
  say(
    `${rounds} ${victims[victim].kills}: ${journal.acknowledged.size} acknowledged operations on ${journal.statuses.size} charges, ` +
      `0 lost, 0 doubled, journal, books and ledger equal; ${(seconds / rounds).toFixed(1)} s a kill`,
  )
}
