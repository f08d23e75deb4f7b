import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import { rotateVault } from './machines/operator.ts'
import { startOwnPostgres } from './machines/own-postgres.ts'
import { keysIn, startService } from './machines/service-process.ts'
import type { ServiceProcess } from './machines/service-process.ts'
import { createLoadBalancer } from './merchant/load-balancer.ts'
import type { LoadBalancer } from './merchant/load-balancer.ts'
import { createStrictBuyer } from './merchant/strict-buyer.ts'
import type { Say } from './say.ts'
import { someAtATime } from './some-at-a-time.ts'

const PROCESSES = [0, 1]

/** How much is done. `stock`: tokens made before a rotation and spent after it. */
interface Load {
  rounds: number
  clients: number
  /** A client's pause between two purchases: only in the short form, which runs beside other proofs. */
  restMs: number
  stock: number
}

const SHORT: Load = { rounds: 1, clients: 2, restMs: 20, stock: 50 }
const FULL: Load = { rounds: 10, clients: 8, restMs: 0, stock: 300 }

/** How long clients go on between one step and the next. */
const PAUSE_MS = 500

/**
 * Rotates the vault's master key while clients tokenise and charge without a pause at two processes, which are restarted
 * one by one with `old,new`, then `new,old`, and, once svc vault rotate has said that nothing is left under it, without the
 * old key. Not one request may fail.
 */
export async function rotation(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const load = values.short ? SHORT : FULL
  const rounds = Number(values.rounds ?? load.rounds)
  await inFolder((folder) => rotateUnderLoad(folder, { ...load, rounds }, say))
}

async function rotateUnderLoad(
  folder: string,
  { rounds, clients, restMs, stock }: Load,
  say: Say,
): Promise<void> {
  const postgres = await startOwnPostgres(folder)
  const start = (number: number, keys: string) =>
    startService({
      folder,
      number,
      databaseUrl: postgres.connectionString,
      settings: { SVC_VAULT_KEYS: keys },
    })
  let oldKey = newKey(0)
  const services: ServiceProcess[] = []
  for (const number of PROCESSES) services.push(await start(number, oldKey))
  const balancer = createLoadBalancer(services.map(({ port }) => port))
  const buyer = createStrictBuyer(balancer, keysIn(folder))
  let isOver = false
  const load = someAtATime(clients, clients, async () => {
    while (!isOver) {
      await buyer.buyLater()
      await sleep(restMs)
    }
  })
  const roll = async (keys: string) => {
    for (const number of PROCESSES) await replace(balancer, services, number, () => start(number, keys))
    await sleep(PAUSE_MS)
  }
  for (let round = 1; round <= rounds; round += 1) {
    const tokens: string[] = []
    await someAtATime(stock, clients, async () => void tokens.push(await buyer.tokenise()))
    const key = newKey(round)
    await roll(`${oldKey},${key}`)
    await roll(`${key},${oldKey}`)
    await rotateVault(postgres.connectionString, `${key},${oldKey}`)
    await roll(key)
    await someAtATime(stock, clients, async () => buyer.charge(tokens.pop() ?? ''))
    oldKey = key
  }
  isOver = true
  await load
  const differences = await openBooks(postgres.connectionString).differences()
  if (differences.length > 0) throw new Error(differences.join('\n'))
  balancer.close()
  await Promise.all(services.map((service) => service.stop()))
  await postgres.stop()
  say(
    `${rounds} rotation(s), ${rounds * 3 * PROCESSES.length} restarts, ${clients} clients: ` +
      `${buyer.requests()} requests, 0 failed`,
  )
}

async function replace(
  balancer: LoadBalancer,
  services: ServiceProcess[],
  number: number,
  start: () => Promise<ServiceProcess>,
): Promise<void> {
  const service = services[number]
  if (service === undefined) throw new Error(`there is no service ${number}`)
  await balancer.takeOut(service.port)
  await service.stop()
  const next = await start()
  services[number] = next
  balancer.putBack(next.port)
}

function newKey(round: number): string {
  return `key-${round}:${randomBytes(32).toString('base64')}`
}
