import { quantile } from '../agreements/api-load.ts'
import { ask } from '../dashboard/ask.ts'
import type { Asked } from '../dashboard/ask.ts'
import type { Filled } from '../dashboard/filling/fill.ts'
import { knownOf } from '../dashboard/known.ts'
import { allQuestions } from '../dashboard/other-questions.ts'
import { openReading } from '../dashboard/reading.ts'
import { warm } from './warm.ts'

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

/** Of the merchant with half of all charges, and of one of the others. */
interface Lists {
  half: Latencies
  small: Latencies
}

const MOST_MS = 20
/** What is asked of things that only the merchant with half of all charges has: templates, an agreement, a webhook. */
const OF_THE_FIRST = /^uses of a template|^payments of an agreement|^deliveries/

/** Asks everything that may be many, as the merchant with half of all charges and as one of the others. */
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

function latenciesOf(asked: readonly Asked[], say: (line: string) => void): Latencies {
  const p95 = asked.map((one) => one.p95)
  const late = asked.filter((one) => one.p95 > MOST_MS)
  say(
    `${String(asked.length - late.length)} of ${String(asked.length)} have a p95 of ${String(MOST_MS)} ms at most; not: ${late
      .map((one) => `${one.question} (${one.p95.toFixed(0)})`)
      .join(', ')}`,
  )
  return { median: quantile(p95, 0.5), highest: Math.max(...p95) }
}
