import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { auditInTheEnd, auditMeanwhile } from './books/audit.ts'
import { openBooks } from './books/books.ts'
import { createTimeline } from './books/timeline.ts'
import { inFolder } from './machines/folder.ts'
import type { AtEnd } from './machines/folder.ts'
import { switchOver } from './machines/replication/patroni-api.ts'
import type { PatroniNode } from './machines/replication/patroni-node.ts'
import { whyNotReplicated } from './machines/replication/programs.ts'
import { startReplicatedPostgres } from './machines/replication/replicated-postgres.ts'
import type { ReplicatedPostgres } from './machines/replication/replicated-postgres.ts'
import { FIRST_PORT, keysIn, startService, VAULT_KEYS } from './machines/service-process.ts'
import type { ServiceProcess } from './machines/service-process.ts'
import { byTurns } from './machines/several-services.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createJournal } from './merchant/journal.ts'
import type { Journal } from './merchant/journal.ts'
import { createMerchantServer } from './merchant/merchant-server.ts'
import type { MerchantServer } from './merchant/merchant-server.ts'
import { carryOut } from './merchant/order.ts'
import { openShop } from './merchant/shop.ts'
import { underLoad } from './merchant/under-load.ts'
import type { Say } from './say.ts'

const CLIENTS = 16
const PROCESSES = 2
/** A customer pays every so many ms, which is how exactly the time without payments is measured. */
const ARRIVAL_EVERY_MS = 100
/** How long the former leader does not know that another one leads, in ms. */
const STALE_MS = 2000

/** A way to lose the leader, and how it is restored once another one leads. */
interface LeaderLoss {
  name: string
  harm: (leader: PatroniNode) => Promise<void> | void
  heal: (leader: PatroniNode) => Promise<void> | void
}

const SHORT_LOSSES: readonly LeaderLoss[] = [
  {
    name: 'switchover',
    harm: ({ restPort, name }) => switchOver(restPort, name),
    heal: () => undefined,
  },
  { name: 'kill', harm: (leader) => leader.kill(), heal: (leader) => leader.start() },
]
const LOSSES: readonly LeaderLoss[] = [
  ...SHORT_LOSSES,
  { name: 'pause', harm: (leader) => leader.pause(), heal: (leader) => leader.resume() },
  {
    name: 'cut from etcd',
    harm: (leader) => leader.cutFromEtcd(),
    heal: (leader) => leader.reachEtcdAgain(),
  },
]

/**
 * Three PostgreSQL servers that Patroni replicates, behind HAProxy and PgBouncer, and two services. Under load the leader
 * hands over by command, is killed, is halted and comes back as a stale leader, and is cut from etcd. After each, journal, books and
 * the gateway's ledger are compared, and it is said how long nobody could pay.
 */
export async function failover(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const rounds = Number(values.rounds ?? (values.short ? 1 : 10))
  const reason = whyNotReplicated()
  if (reason !== null) {
    say(`skipped: ${reason}`)
    return
  }
  const losses = values.short ? SHORT_LOSSES : LOSSES
  await inFolder((folder, atEnd) => loseLeaders({ folder, atEnd, losses, rounds }, say))
}

interface Run {
  folder: string
  atEnd: AtEnd
  losses: readonly LeaderLoss[]
  rounds: number
}

async function loseLeaders({ folder, atEnd, losses, rounds }: Run, say: Say): Promise<void> {
  const database = await startReplicatedPostgres(folder, FIRST_PORT + PROCESSES, atEnd)
  const services = await startServices(folder, database.connectionString, atEnd)
  const api = createHttpApi(byTurns(services))
  atEnd(api.close)
  const keys = keysIn(folder)
  const books = openBooks(database.connectionString)
  const { journal, longestGapSince } = createTimeline(createJournal())
  const shop = openShop(api, keys, journal, CLIENTS)
  const arrivals = openArrivals(
    createMerchantServer(api, keys, () => undefined),
    journal,
    ARRIVAL_EVERY_MS,
  )
  const outages = new Map<LeaderLoss, number[]>(losses.map((loss) => [loss, []]))
  for (let round = 1; round <= rounds; round += 1) {
    for (const [loss, times] of outages) {
      const begin = await loseLeader(loss, database, journal)
      const outage = longestGapSince(begin)
      await auditMeanwhile(journal, books)
      times.push(outage)
      say(`${loss.name}: nobody could pay for ${inSeconds(outage)}`)
    }
  }
  await Promise.all([shop.close(), arrivals.close()])
  await auditInTheEnd(journal, books)
  for (const [{ name }, times] of outages)
    say(
      `${name}, ${rounds} times: nobody could pay for ${inSeconds(medianOf(times))} (median), ${inSeconds(Math.max(...times))} at most`,
    )
  say(
    `${journal.acknowledged.size} acknowledged operations on ${journal.statuses.size} charges: 0 lost, 0 doubled, ` +
      'journal, books and ledger equal',
  )
}

/** Resolves once the former leader follows the new one, with the time (of `performance.now`) at which it was lost. */
async function loseLeader(
  { harm, heal }: LeaderLoss,
  database: ReplicatedPostgres,
  journal: Journal,
): Promise<number> {
  const leader = await database.untilWhole()
  await underLoad(journal)
  const begin = performance.now()
  await harm(leader)
  await database.untilReplaced(leader)
  await underLoad(journal)
  await sleep(STALE_MS)
  await heal(leader)
  await database.untilWhole()
  return begin
}

async function startServices(folder: string, databaseUrl: string, atEnd: AtEnd): Promise<ServiceProcess[]> {
  const services: ServiceProcess[] = []
  for (let number = 0; number < PROCESSES; number += 1) {
    const service = await startService({
      folder,
      number,
      databaseUrl,
      settings: { SVC_VAULT_KEYS: VAULT_KEYS },
    })
    atEnd(service.stop)
    services.push(service)
  }
  return services
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

/** Customers who arrive at a steady pace, whether or not others can pay. */
interface Arrivals {
  /** Lets no more customers in, waits until each order has ended, and throws when one went wrong. */
  close: () => Promise<void>
}

function openArrivals(server: MerchantServer, journal: Journal, everyMs: number): Arrivals {
  let isOpen = true
  const orders: Promise<unknown>[] = []
  const letIn = async () => {
    for (let number = 0; isOpen; number += 1) {
      // A fault is kept as the result, which `close` checks.
      orders.push(
        carryOut(`arrival-${number}`, server, journal, Math.random).catch((fault: unknown) => fault),
      )
      await sleep(everyMs)
    }
  }
  const done = letIn()
  return {
    async close() {
      isOpen = false
      await done
      const faults = (await Promise.all(orders)).filter((end) => end !== undefined)
      if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
    },
  }
}
