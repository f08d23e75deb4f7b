import { asking } from '../asking.ts'
import { compareSides, openSide } from '../charges/pair-side.ts'
import type { Compared } from '../charges/pair-side.ts'
import type { Bed } from './lists.ts'

const PORT = 22_040
const ROUNDS = 4

/**
 * Authorise + capture pairs a second for the merchant with half of all charges, and by turns on empty tables of another database of the
 * same server.
 */
export async function measurePairs(
  { folder, connectionString, filled: { merchantId } }: Bed,
  say: (line: string) => void,
): Promise<Compared> {
  const empty = new URL(connectionString)
  empty.pathname = '/empty'
  await asking(connectionString, async (client) => {
    await client.query('DROP DATABASE IF EXISTS empty')
    await client.query('CREATE DATABASE empty')
  })
  const sides = [
    await openSide({ dataDir: folder, connectionString, merchantId, port: PORT }),
    await openSide({ dataDir: folder, connectionString: empty.href, merchantId: null, port: PORT + 1 }),
  ] as const
  say('authorise + capture, pairs a second: filled, empty, ratio')
  const compared = await compareSides(sides, 'service', ROUNDS, say)
  await compareSides(sides, 'pgbench', ROUNDS, say)
  for (const side of sides) await side.stop()
  return compared
}
