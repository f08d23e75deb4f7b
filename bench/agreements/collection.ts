import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The result of collecting one day's payments; times are in s since the day began. */
export interface Collected {
  settled: number
  /** When the last one was made, and when it was settled. */
  madeAfter: number
  settledAfter: number
}

const WAITING = `
  SELECT EXISTS (SELECT FROM agreements WHERE status = 'active' AND next_due_on IS NOT NULL AND next_due_on <= $1)
      OR EXISTS (SELECT FROM agreement_payments WHERE next_at IS NOT NULL AND status = 'received' AND due_on = $1)
      OR EXISTS (SELECT FROM agreement_payments WHERE next_at IS NOT NULL AND due_on = $1
                 AND status IN ('processing', 'under_investigation')) AS is_waiting`

/** Whether every payment of the day has been made and has ended. */
export async function isCollected(client: pg.Client, today: string): Promise<boolean> {
  const { rows } = await client.query<{ is_waiting: boolean }>(WAITING, [today])
  return rows[0]?.is_waiting === false
}

export async function readCollected(client: pg.Client, today: string, began: Date): Promise<Collected> {
  const { rows } = await client.query<Collected>(
    `SELECT count(*)::integer AS settled, extract(epoch FROM max(created_at) - $2)::float8 AS "madeAfter",
            extract(epoch FROM max(ended_at) - $2)::float8 AS "settledAfter"
     FROM agreement_payments WHERE due_on = $1 AND status = 'settled'`,
    [today, began],
  )
  if (rows[0] === undefined) throw new Error('nothing was counted')
  return rows[0]
}

/** How long it takes until a query returns no rows any more, in s. */
export async function untilNone(client: pg.Client, question: string): Promise<number> {
  const began = performance.now()
  while ((await client.query(question)).rows.length > 0) await sleep(50)
  return (performance.now() - began) / 1000
}
