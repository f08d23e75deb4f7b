import { parseArgs } from 'node:util'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import { keysIn } from './machines/service-process.ts'
import { byTurns, startSeveral } from './machines/several-services.ts'
import { createHttpApi } from './merchant/http-api.ts'
import type { HttpApi } from './merchant/http-api.ts'
import { createMerchantServer } from './merchant/merchant-server.ts'
import type { Say } from './say.ts'
import { someAtATime } from './some-at-a-time.ts'

const RACERS = 64
const AT_A_TIME = 4

/**
 * Lets 64 captures and cancels race for each of many held charges, with one API process and with two on one PostgreSQL:
 * exactly one must win, the others must be answered 409 or 422, and books and ledger must contain the winner's effect alone.
 */
export async function races(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, charges: { type: 'string' } },
  })
  const charges = Number(values.charges ?? (values.short ? 6 : 1000))
  for (const processes of [1, 2]) await inFolder((folder) => race({ folder, processes, charges }, say))
}

interface Run {
  folder: string
  processes: number
  charges: number
}

async function race({ folder, processes, charges }: Run, say: Say): Promise<void> {
  const world = await startSeveral(folder, processes)
  const api = createHttpApi(byTurns(world.services))
  const keys = keysIn(folder)
  const server = createMerchantServer(api, keys, () => undefined)
  const winners = new Map<string, string>()
  await someAtATime(charges, AT_A_TIME, async (number) => {
    const reference = `race-${number}`
    const token = await server.tokenise(`${reference}-card`)
    const held = await server.sell(reference, { token, amount: '10.00', reference, capture: false })
    if (held.kind === 'refused') throw new Error(`${reference} was refused: ${held.code}`)
    winners.set(reference, await winnerOf(api, keys.secretKey, held.charge._id))
  })
  await checkBooks(world.connectionString, winners)
  api.close()
  await world.stop()
  const captures = [...winners.values()].filter((winner) => winner === 'capture').length
  say(
    `${charges} charges × ${RACERS} racers, ${processes} API process(es): exactly one winner each ` +
      `(${captures} captures, ${charges - captures} cancels), books and ledger equal`,
  )
}

/** Sends all requests of a race at once; throws unless one of them wins and all others are refused. */
async function winnerOf(api: HttpApi, secretKey: string, id: string): Promise<string> {
  const headers = { 'x-user-secret-key': secretKey }
  const racers = Array.from({ length: RACERS }, async (_, number) => {
    const kind = number % 2 === 0 ? 'capture' : 'cancel'
    const method = kind === 'capture' ? 'POST' : 'DELETE'
    const { status } = await api.send({ method, path: `/v1/charges/${id}/capture`, headers })
    return { kind, status }
  })
  const ends = await Promise.all(racers)
  const [winner, ...others] = ends.filter(({ status }) => status < 300)
  if (winner === undefined || others.length > 0) throw new Error(`${id} has ${others.length + 1} winners`)
  const odd = ends.find(({ status }) => status >= 300 && status !== 409 && status !== 422)
  if (odd !== undefined) throw new Error(`a ${odd.kind} of ${id} was answered ${odd.status}`)
  return winner.kind
}

async function checkBooks(connectionString: string, winners: ReadonlyMap<string, string>): Promise<void> {
  const books = openBooks(connectionString)
  const expected = [...winners].flatMap(([reference, kind]) => [
    `${reference} sale 1000`,
    `${reference} ${kind} 1000`,
  ])
  const movements = await books.movements()
  const faults = [
    ...(await books.differences()),
    ...expected.filter((movement) => movements.get(movement) !== 1),
    ...(movements.size === expected.length ? [] : [`${movements.size} movements, not ${expected.length}`]),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))
}
