import { parseArgs } from 'node:util'
import { runningPostgres } from '../src/service/platform/database/embedded/running-postgres.ts'
import { auditInTheEnd, auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import { refusal, startInContainer, takeOver, whyNoContainers } from './machines/container.ts'
import { inFolder } from './machines/folder.ts'
import { dataDirOf, keysIn } from './machines/service-process.ts'
import type { ServiceProcess } from './machines/service-process.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import { openShop } from './merchant/shop.ts'
import { underLoad } from './merchant/under-load.ts'
import type { Say } from './say.ts'

const CLIENTS = 16

/**
 * Two containers on one data folder: of two that start at once one is let in; under load the second is refused, the
 * first is killed with all its processes, and the second takes over at once, by turns. After each kill the merchant's
 * journal, the books and the gateway's ledger are compared; in the end they must agree.
 */
export async function twoContainers(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const rounds = Number(values.rounds ?? (values.short ? 2 : 20))
  const reason = whyNoContainers()
  if (reason !== null) {
    say(`skipped: no containers can be made by this account on this kernel (${reason})`)
    return
  }
  await inFolder((folder) => startTogether(folder, rounds, say))
  await inFolder((folder) => killByTurns(folder, rounds, say))
}

/** Starts two at once. The first time there is no database yet, and each would make it. */
async function startTogether(folder: string, rounds: number, say: Say): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const starts = await Promise.allSettled([startInContainer(folder, 0), startInContainer(folder, 1)])
    const winners = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    const [winner] = winners
    if (winner === undefined || winners.length > 1)
      throw new Error(`of two services that started at once ${winners.length} were let in`)
    if (round % 2 === 0) await winner.kill()
    else await winner.stop()
    await (await takeOver(folder, 0)).service.stop()
  }
  say(`${rounds} times two started at once: one was let in`)
}

async function killByTurns(folder: string, rounds: number, say: Say): Promise<void> {
  let service: ServiceProcess = await startInContainer(folder, 0)
  const connectionString = runningPostgres(dataDirOf(folder))
  if (connectionString === null) throw new Error('the service has started without a database')
  const books = openBooks(connectionString)
  const journal = createJournal()
  const api = createHttpApi(() => service.port)
  const shop = openShop(api, keysIn(folder), journal, CLIENTS)
  const refusals: number[] = []
  const takeovers: number[] = []
  for (let round = 1; round <= rounds; round += 1) {
    await underLoad(journal)
    refusals.push(await refusal(folder))
    if (service.hasDied()) throw new Error('the first service has ended')
    await service.kill()
    const next = await takeOver(folder, round % 2)
    service = next.service
    takeovers.push(next.ms)
    await auditMeanwhile(journal, books)
  }
  await shop.close()
  await auditInTheEnd(journal, books)
  api.close()
  await service.stop()
  say(
    `${rounds} kills of a container: the second was refused in ${slowest(refusals)} at most while the first lived, and ` +
      `served ${slowest(takeovers)} at most after its end; ${journal.acknowledged.size} acknowledged operations, 0 lost, 0 doubled`,
  )
}

function slowest(times: readonly number[]): string {
  return `${(Math.max(...times) / 1000).toFixed(1)} s`
}
