import { withClient } from '../with-client.ts'
import { compareSides, openSide } from '../charges/pair-side.ts'
import type { Compared } from '../charges/pair-side.ts'
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
