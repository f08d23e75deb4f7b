import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { runningPostgres } from '../../src/service/platform/database/embedded/running-postgres.ts'
import { DATA_DIR } from '../world/paths.ts'

const run = promisify(execFile)

/** How much a shop sells on each day of a week, compared with the others. */
const WEEK = [7, 8, 6, 9, 12, 14, 10]
const DAYS = 30
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * Spreads a merchant's charges over the last thirty days, the oldest first, and has the overview counted again. For pictures only,
 * as it breaks the chain of the audit log.
 */
export async function spreadOverMonth(merchantId: string): Promise<void> {
  const client = new pg.Client({ connectionString: runningPostgres(DATA_DIR) ?? '' })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM charges WHERE merchant_id = $1 ORDER BY created_at, id',
    [merchantId],
  )
  const moments = momentsOf(rows.length, Date.now())
  for (const [index, { id }] of rows.entries()) {
    const moment = new Date(moments[index] ?? 0)
    await client.query('UPDATE charges SET created_at = $2, updated_at = $2 WHERE id = $1', [id, moment])
    await client.query('UPDATE attempts SET created_at = $2, settled_at = $2 WHERE charge_id = $1', [
      id,
      moment,
    ])
    await client.query('UPDATE events SET created_at = $2 WHERE subject = $1', [id, moment])
  }
  await client.end()
  await run(process.execPath, ['dist/service/svc.js', 'figures', 'recount'], {
    env: { ...process.env, SVC_DATA_DIR: DATA_DIR },
  })
}

/** `count` times (ms since 1970) in the days before `now`, more of them on days with more sales. */
function momentsOf(count: number, now: number): number[] {
  const weights = Array.from({ length: DAYS }, (_, day) => WEEK[day % WEEK.length] ?? 0)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.flatMap((weight, day) => {
    const sales = Math.ceil((weight / total) * count)
    const begin = now - (DAYS - day) * DAY_MS
    return Array.from({ length: sales }, (_, sale) => begin + 9 * HOUR_MS + (sale * 10 * HOUR_MS) / sales)
  })
}
