import { parseArgs } from 'node:util'
import { openBooks } from './books/books.ts'
import { inFolder } from './machines/folder.ts'
import { keysIn } from './machines/service-process.ts'
import { byTurns, startSeveral } from './machines/several-services.ts'
import { createHttpApi } from './merchant/http-api.ts'
import { createMerchantServer } from './merchant/merchant-server.ts'
import type { End, MerchantServer } from './merchant/merchant-server.ts'
import type { Say } from './say.ts'
import { someAtATime } from './some-at-a-time.ts'

const TIMES = 100
const AT_A_TIME = 4

/**
 * Sends the same request under the same Idempotency-Key 100 times at once, for many keys, to one API process and to two
 * on one PostgreSQL: it is carried out once, and all answers are the same to the byte (409 is repeated after its
 * Retry-After).
 */
export async function sameKey(parameters: string[], say: Say): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: { short: { type: 'boolean', default: false }, keys: { type: 'string' } },
  })
  const keys = Number(values.keys ?? (values.short ? 5 : 200))
  for (const processes of [1, 2]) await inFolder((folder) => repeatAtOnce({ folder, processes, keys }, say))
}

interface Run {
  folder: string
  processes: number
  keys: number
}

async function repeatAtOnce({ folder, processes, keys }: Run, say: Say): Promise<void> {
  const world = await startSeveral(folder, processes)
  const api = createHttpApi(byTurns(world.services))
  const server = createMerchantServer(api, keysIn(folder), () => undefined)
  const expected = new Set<string>()
  await someAtATime(keys, AT_A_TIME, async (number) => {
    const { movements, repeated } = await wishOf(server, number)
    refuseUnlessOne(await Promise.all(Array.from({ length: TIMES }, repeated)))
    for (const movement of movements) expected.add(movement)
  })
  const books = openBooks(world.connectionString)
  const movements = await books.movements()
  const faults = [
    ...(await books.differences()),
    ...[...expected].filter((movement) => movements.get(movement) !== 1),
    ...[...movements.keys()].filter((movement) => !expected.has(movement)),
  ]
  if (faults.length > 0) throw new Error(faults.join('\n'))
  api.close()
  await world.stop()
  say(
    `${keys} keys × ${TIMES} at once, ${processes} API process(es): one execution each, answers equal to the byte`,
  )
}

/** Makes an authorisation, sale, capture or refund, by turns: the request to repeat, and the movements that must be in the books. */
async function wishOf(
  server: MerchantServer,
  number: number,
): Promise<{ movements: string[]; repeated: () => Promise<End> }> {
  const reference = `key-${number}`
  const kind = (['hold', 'sale', 'capture', 'refund'] as const)[number % 4] ?? 'hold'
  const token = await server.tokenise(`${reference}-card`)
  const capture = kind === 'sale' || kind === 'refund'
  const sell = () => server.sell(reference, { token, amount: '10.00', reference, capture })
  const sale = `${reference} sale 1000`
  if (kind === 'hold' || kind === 'sale') return { movements: [sale], repeated: sell }
  const sold = await sell()
  if (sold.kind === 'refused') throw new Error(`${reference} was refused: ${sold.code}`)
  const id = sold.charge._id
  const move = kind === 'capture' ? server.capture : server.refund
  return { movements: [sale, `${reference} ${kind} 500`], repeated: () => move(reference, id, '5.00') }
}

/** Throws unless one answer is the first, and all others are the same to the byte and say that they are repeated. */
function refuseUnlessOne(ends: readonly End[]): void {
  const answers = ends.map((end) => {
    if (end.kind === 'refused') throw new Error(`refused: ${end.code}`)
    return end.answer
  })
  const texts = new Set(answers.map(({ text }) => text))
  if (texts.size > 1) throw new Error(`different answers:\n${[...texts].join('\n')}`)
  const first = answers.filter(({ headers }) => headers['idempotent-replayed'] !== 'true')
  if (first.length !== 1) throw new Error(`${first.length} answers say that they are the first`)
}
