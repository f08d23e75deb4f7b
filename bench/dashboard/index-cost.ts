import pg from 'pg'
import { quantile } from '../agreements/api-load.ts'
import { paceOf } from '../charges/pace.ts'
import { createPgbench } from '../charges/pgbench.ts'
import { createServiceClient } from '../charges/service-client.ts'
import { startService } from '../charges/start-service.ts'

const PORT = 48_284
const CLIENTS = 8
const SECONDS = 6
const ROUNDS = 4
/** More pairs a second than the clients can reach. */
const MOST_PER_SECOND = 1200

interface Filled {
  dataDir: string
  /** Of the filled database, to which nobody is connected. */
  connectionString: string
  merchantId: string
}

/** One of the two databases that are compared; both numbers are pairs a second. */
interface Side {
  service: () => Promise<number>
  pgbench: () => Promise<number>
  stop: () => Promise<void>
}

/**
 * What the dashboard's indexes cost whoever takes money: authorise + capture pairs a second for the merchant with many charges, in the
 * filled database and, by turns, in a copy of it without these indexes; by the service, and by pgbench with the same statements.
 */
export async function benchIndexCost(
  { dataDir, connectionString, merchantId }: Filled,
  say: (line: string) => void,
): Promise<void> {
  const bare = await copyWithoutIndexes(connectionString, say)
  const sides = [
    await open({ dataDir, connectionString, merchantId }, PORT),
    await open({ dataDir, connectionString: bare, merchantId }, PORT + 1),
  ] as const
  say(`authorise + capture, pairs a second by ${String(CLIENTS)} clients: with, without, ratio`)
  for (const by of ['service', 'pgbench'] as const) {
    const ratios: number[] = []
    // The first pair is not counted: pages that are changed for the first time after a checkpoint cost more.
    for (const side of sides) await side[by]()
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, other] = round % 2 === 0 ? sides : ([sides[1], sides[0]] as const)
      const paces = [await one[by](), await other[by]()]
      const [having = NaN, lacking = NaN] = round % 2 === 0 ? paces : paces.toReversed()
      ratios.push(having / lacking)
      say(
        `${by.padEnd(10)}${[having, lacking].map((pace) => pace.toFixed(0).padStart(8)).join('')}   ${(having / lacking).toFixed(3)}`,
      )
    }
    say(`${by.padEnd(10)}median ratio ${quantile(ratios, 0.5).toFixed(3)}`)
  }
  for (const side of sides) await side.stop()
}

/** Of charges those that the service had before there was a dashboard. */
const NEEDED = "('charges_pkey', 'charges_newest', 'charges_on_hold')"

async function copyWithoutIndexes(connectionString: string, say: (line: string) => void): Promise<string> {
  const filled = new URL(connectionString)
  const server = new URL(connectionString)
  const copy = new URL(connectionString)
  server.pathname = '/template1'
  copy.pathname = '/without_indexes'
  await asking(server.href, async (client) => {
    await client.query('CHECKPOINT')
    await client.query(
      `CREATE DATABASE without_indexes TEMPLATE ${filled.pathname.slice(1)} STRATEGY file_copy`,
    )
  })
  await asking(copy.href, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'charges' AND indexname NOT IN ${NEEDED} ORDER BY 1`,
    )
    for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
    say(`\nindexes: ${rows.map(({ name }) => name).join(', ')}`)
  })
  return copy.href
}

async function open({ dataDir, connectionString, merchantId }: Filled, port: number): Promise<Side> {
  const { child, keys } = await startService({ port, dataDir, databaseUrl: connectionString })
  // The keys of the merchant that the service has just made become those of the one with many charges.
  await asking(connectionString, (client) =>
    client.query(
      'UPDATE merchant_keys SET merchant_id = $1 WHERE merchant_id = (SELECT id FROM merchants ORDER BY created_at DESC LIMIT 1)',
      [merchantId],
    ),
  )
  const pgbench = createPgbench(connectionString, merchantId)
  return {
    async service() {
      const client = await createServiceClient({ ...keys, port, clients: 16 })
      await client.prepare(MOST_PER_SECOND * SECONDS)
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

async function asking(
  connectionString: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await work(client)
  await client.end()
}
