import { quantile } from '../agreements/api-load.ts'
import { paceOf } from '../charges/pace.ts'
import { createPgbench } from '../charges/pgbench.ts'
import { createServiceClient } from '../charges/service-client.ts'
import { startService } from '../charges/start-service.ts'
import { withClient } from '../with-client.ts'
import type { Bed } from './lists.ts'

const PORT = 22_040
const ROUNDS = 4
const WARM_ROUNDS = 4

/**
 * Authorise + capture pairs a second for the merchant with half of all charges, and by turns on empty tables of another database of the
 * same server.
 */
export async function measurePairs(
  { folder, connectionString, filled: { merchantId } }: Bed,
  by: 'service' | 'pgbench',
  say: (line: string) => void,
): Promise<Compared> {
  const empty = new URL(connectionString)
  empty.pathname = '/empty'
  await withClient(connectionString, async (client) => {
    await client.query('DROP DATABASE IF EXISTS empty')
    await client.query('CREATE DATABASE empty')
  })
  const sides = [
    await openSide({ dataDir: folder, connectionString, merchantId, port: PORT }),
    await openSide({ dataDir: folder, connectionString: empty.href, merchantId: null, port: PORT + 1 }),
  ] as const
  // Warms up until the pages of indexes that are written at random places are in memory, and in the log since the last checkpoint.
  for (let warm = 0; warm < WARM_ROUNDS; warm += 1) await sides[0].service()
  say(`authorise + capture, pairs a second by ${by}: filled, empty, ratio`)
  const compared = await compareSides(sides, by, ROUNDS, say)
  for (const side of sides) await side.stop()
  return compared
}

const CLIENTS = 8
const SECONDS = 6
/** More pairs a second than the clients can reach. */
const MAX_PER_SECOND = 1200

/** One of the databases that are compared; both numbers are pairs a second. */
interface Side {
  service: () => Promise<number>
  pgbench: () => Promise<number>
  stop: () => Promise<void>
}

interface Settings {
  dataDir: string
  connectionString: string
  /** Whose charges are made; null: those of a new merchant. */
  merchantId: string | null
  port: number
}

/** Starts a service on a database. */
async function openSide({ dataDir, connectionString, merchantId, port }: Settings): Promise<Side> {
  const { child, keys } = await startService({ port, dataDir, databaseUrl: connectionString })
  // The keys of the merchant that the service has just made become those of the one that is asked for.
  const made = '(SELECT id FROM merchants ORDER BY created_at DESC LIMIT 1)'
  const id = await withClient(connectionString, async (client) => {
    const changed = await client.query<{ id: string }>(
      `UPDATE merchant_keys SET merchant_id = coalesce($1, ${made}) WHERE merchant_id = ${made} RETURNING merchant_id AS id`,
      [merchantId],
    )
    return changed.rows[0]?.id
  })
  const pgbench = createPgbench(connectionString, id)
  return {
    async service() {
      const client = await createServiceClient({ ...keys, ports: [port], clients: 16 })
      await client.prepare(MAX_PER_SECOND * SECONDS)
      const { perSecond } = await paceOf(CLIENTS, SECONDS, client.authoriseAndCapture)
      client.close()
      return perSecond
    },
    async pgbench() {
      return pgbench === null ? NaN : (await pgbench.pace(CLIENTS, SECONDS)).perSecond
    },
    stop() {
      child.disconnect()
      return new Promise((resolve) => child.once('exit', () => resolve()))
    },
  }
}

/** Medians of: pairs a second of one side, pairs a second of the other, and the ratio of the first to the second. */
export interface Compared {
  one: number
  other: number
  ratio: number
}

/** Measures two sides by turns. */
async function compareSides(
  sides: readonly [Side, Side],
  by: 'service' | 'pgbench',
  rounds: number,
  say: (line: string) => void,
): Promise<Compared> {
  const paces: Compared[] = []
  // The first pair is not counted: pages that are changed for the first time after a checkpoint cost more.
  for (const side of sides) await side[by]()
  for (let round = 0; round < rounds; round += 1) {
    const isTurned = round % 2 === 1
    const [first, second] = isTurned ? [sides[1], sides[0]] : sides
    const measured = [await first[by](), await second[by]()]
    const [one = NaN, other = NaN] = isTurned ? measured.toReversed() : measured
    paces.push({ one, other, ratio: one / other })
    say(
      `${by.padEnd(10)}${[one, other].map((pace) => pace.toFixed(0).padStart(8)).join('')}   ${(one / other).toFixed(3)}`,
    )
  }
  const median = (of: keyof Compared) =>
    quantile(
      paces.map((pace) => pace[of]),
      0.5,
    )
  say(`${by.padEnd(10)}median ratio ${median('ratio').toFixed(3)}`)
  return { one: median('one'), other: median('other'), ratio: median('ratio') }
}
