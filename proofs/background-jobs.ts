import { parseArgs } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBooks } from './books/books.ts'
import type { Books } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import { keysIn } from './machines/service-process.ts'
import { byTurns, startSeveral } from './machines/several-services.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createMerchantServer } from './merchant/merchant-server.ts'
import type { Say } from './say.ts'
import { someAtATime } from './some-at-a-time.ts'

const HOLD_SECONDS = 5
const AT_A_TIME = 8
const MAX_SECONDS = 90

/**
 * Two processes on one PostgreSQL run the same background jobs, and one of them is killed meanwhile: each hold that ends must be
 * released once, and each attempt without an answer resolved once.
 */
export async function backgroundJobs(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, charges: { type: 'string' } },
  })
  const charges = Number(values.charges ?? (values.short ? 20 : 400))
  await inFolder((folder) => leaveToJobs(folder, charges, say))
}

async function leaveToJobs(folder: string, charges: number, say: Say): Promise<void> {
  const world = await startSeveral(folder, 2, { SVC_SANDBOX_HOLD_SECONDS: String(HOLD_SECONDS) })
  const [first, second] = world.services
  if (first === undefined || second === undefined) throw new Error('there are not two services')
  const api = createHttpApi(byTurns(world.services))
  const server = createMerchantServer(api, keysIn(folder), () => undefined)
  await someAtATime(charges, AT_A_TIME, async (number) => {
    const reference = `hold-${number}`
    const token = await server.tokenise(`${reference}-card`)
    await server.sell(reference, { token, amount: amountOf(number), reference, capture: false })
  })
  await second.kill()
  const books = openBooks(world.connectionString)
  await untilAllEnded(books, charges)
  const movements = await books.movements()
  const expected = Array.from({ length: charges }, (_, number) => {
    const cents = Math.round(Number(amountOf(number)) * 100)
    return [`hold-${number} sale ${cents}`, `hold-${number} cancel ${cents}`]
  }).flat()
  const faults = [
    ...(await books.differences()),
    ...expected.filter((movement) => movements.get(movement) !== 1),
    ...(movements.size === expected.length ? [] : [`${movements.size} movements, not ${expected.length}`]),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))
  api.close()
  await first.stop()
  say(`${charges} holds of two processes, one of them killed: each released once, books and ledger equal`)
}

/** The gateway's answer to one sale in ten is lost, so its attempt has to be resolved before its hold can end. */
function amountOf(number: number): string {
  return number % 10 === 0 ? '9000.68' : '10.00'
}

async function untilAllEnded(books: Books, charges: number): Promise<void> {
  for (let waited = 0; waited < MAX_SECONDS; waited += 1) {
    const statuses = [...(await books.statuses()).values()]
    if (statuses.filter((status) => status === 'cancelled').length === charges) return
    await sleep(1000)
  }
  throw new Error(`after ${MAX_SECONDS} s some holds are still not released`)
}
