import type pg from 'pg'
import { quantile } from '../agreements/api-load.ts'
import { ask } from '../dashboard/ask.ts'
import type { Asked } from '../dashboard/ask.ts'
import type { Filled } from '../dashboard/filling/fill.ts'
import { knownOf } from '../dashboard/known.ts'
import { allQuestions } from '../dashboard/other-questions.ts'
import { openReading } from '../dashboard/reading.ts'

/** PostgreSQL splits tables and indexes into files of this size. */
const SEGMENT = 2 ** 30
/** How much of such a file is read at once. */
const PIECE = 2 ** 25

/** A filled database, and the folder of its cluster. */
export interface Bed {
  folder: string
  connectionString: string
  filled: Filled
}

/** p95 of all questions, in ms. */
interface Latencies {
  median: number
  highest: number
}

/** Figures of the merchant with half of all charges, and of one of the others. */
export interface Lists {
  half: Latencies
  small: Latencies
}

const MAX_MS = 20
/** Questions about what only the merchant with half of all charges has: templates, an agreement, a webhook. */
const OF_THE_FIRST = /^uses of a template|^payments of an agreement|^deliveries/

/** Reads every list that may be long, as the merchant with half of all charges and as one of the others. */
export async function measureLists(
  { connectionString, filled }: Bed,
  say: (line: string) => void,
): Promise<Lists> {
  const reading = await openReading(connectionString)
  const { client, service, session } = reading
  const { app } = service.dashboard
  const askAs = async (otherId: string | null) => {
    const known = await knownOf(client, filled, otherId)
    const { emptyMerchantId } = filled
    session.merchantId = otherId ?? filled.merchantId
    const questions = Object.entries(allQuestions(known)).filter(
      ([name]) => otherId === null || !OF_THE_FIRST.test(name),
    )
    const asked = await ask({ app, session, emptyMerchantId }, Object.fromEntries(questions), say)
    return latenciesOf(asked, say)
  }
  try {
    await warm(client)
    say('of the merchant with half of all charges')
    const half = await askAs(null)
    const { rows } = await client.query<{ id: string }>(
      'SELECT merchant_id AS id FROM bench_seed WHERE merchant_id IS NOT NULL ORDER BY 1 LIMIT 1',
    )
    say('of a merchant with one charge in 2,000')
    return { half, small: await askAs(rows[0]?.id ?? '') }
  } finally {
    await reading.close()
  }
}

/** Reads the charges with their indexes once, so that they are in memory as far as they fit, as in a service that has run for a while. */
async function warm(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT pg_relation_filepath(oid) AS name, pg_relation_size(oid) AS bytes FROM pg_class
     WHERE oid = 'charges'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'charges'::regclass)`,
  )
  for (const { name, bytes } of rows)
    for (let segment = 0; segment * SEGMENT < Number(bytes); segment += 1)
      await client.query(
        'SELECT sum(length(pg_read_binary_file($1, place, $2))) FROM generate_series(0, $3::bigint, $2) place',
        [segment === 0 ? name : `${name}.${String(segment)}`, PIECE, SEGMENT - PIECE],
      )
}

function latenciesOf(asked: readonly Asked[], say: (line: string) => void): Latencies {
  const p95 = asked.map((one) => one.p95)
  const late = asked.filter((one) => one.p95 > MAX_MS)
  say(
    `${String(asked.length - late.length)} of ${String(asked.length)} have a p95 of ${String(MAX_MS)} ms at most; not: ${late
      .map((one) => `${one.question} (${one.p95.toFixed(0)})`)
      .join(', ')}`,
  )
  return { median: quantile(p95, 0.5), highest: Math.max(...p95) }
}
