import { withClient } from '../with-client.ts'
import { CLIENTS, compareSides, openSide } from '../charges/pair-side.ts'

const PORT = 48_284
const ROUNDS = 4

interface Filled {
  dataDir: string
  /** The address of the filled database, to which nobody is connected. */
  connectionString: string
  merchantId: string
}

/**
 * How much the dashboard's indexes slow down charges: authorise + capture pairs a second for the merchant with many charges, in the
 * filled database and, by turns, in a copy of it without these indexes; by the service, and by pgbench with the same statements.
 */
export async function benchIndexCost(
  { dataDir, connectionString, merchantId }: Filled,
  say: (line: string) => void,
): Promise<void> {
  const bare = await copyWithoutIndexes(connectionString, say)
  const sides = [
    await openSide({ dataDir, connectionString, merchantId, port: PORT }),
    await openSide({ dataDir, connectionString: bare, merchantId, port: PORT + 1 }),
  ] as const
  say(`authorise + capture, pairs a second by ${String(CLIENTS)} clients: with, without, ratio`)
  for (const by of ['service', 'pgbench'] as const) await compareSides(sides, by, ROUNDS, say)
  for (const side of sides) await side.stop()
}

/** The indexes of charges that the service had before there was a dashboard. */
const NEEDED = "('charges_pkey', 'charges_newest', 'charges_held', 'charges_to_release')"

async function copyWithoutIndexes(connectionString: string, say: (line: string) => void): Promise<string> {
  const filled = new URL(connectionString)
  const server = new URL(connectionString)
  const copy = new URL(connectionString)
  server.pathname = '/template1'
  copy.pathname = '/without_indexes'
  await withClient(server.href, async (client) => {
    await client.query('CHECKPOINT')
    await client.query(
      `CREATE DATABASE without_indexes TEMPLATE ${filled.pathname.slice(1)} STRATEGY file_copy`,
    )
  })
  await withClient(copy.href, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'charges' AND indexname NOT IN ${NEEDED} ORDER BY 1`,
    )
    for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
    say(`\nindexes: ${rows.map(({ name }) => name).join(', ')}`)
  })
  return copy.href
}
