import type pg from 'pg'
import { toCursor } from '../../src/service/platform/listing/cursor.ts'
import type { Filled } from './filling/fill.ts'
import type { OtherTemplates } from './filling/seed-others.ts'

/** Values from a merchant's rows, which questions ask for. */
export interface Known {
  /** Picked at random. */
  charges: readonly { id: string; reference: string | null; last4: string; cents: number }[]
  /** A cursor in the middle of its charges. */
  cursor: string
  /** Days: of a year ago, a month ago and now. */
  days: { yearAgo: string; monthAgo: string; today: string }
  templates: OtherTemplates
  webhookId: string
}

interface Middle {
  id: string
  created_at: Date
  today: string
  month: string
  year: string
  webhook: string
}

/** Reads them of the merchant with half of all charges, or of another one, `otherId`. */
export async function knownOf(
  client: pg.Client,
  { merchantId, templates }: Pick<Filled, 'merchantId' | 'templates'>,
  otherId: string | null = null,
): Promise<Known> {
  const charges = await client.query<Known['charges'][number]>(
    `SELECT id, reference, last4, amount::float8 AS cents
     FROM bench_seed WHERE merchant_id IS NOT DISTINCT FROM $1 ORDER BY md5(id) LIMIT 200`,
    [otherId],
  )
  const { rows } = await client.query<Middle>(
    `SELECT id, created_at, to_char(now(), 'YYYY-MM-DD') AS today, to_char(now() - interval '29 days', 'YYYY-MM-DD') AS month,
            to_char(now() - interval '364 days', 'YYYY-MM-DD') AS year,
            (SELECT id FROM webhooks WHERE merchant_id = $2) AS webhook
     FROM charges WHERE merchant_id = $1 AND created_at < now() - interval '180 days' ORDER BY created_at DESC LIMIT 1`,
    [otherId ?? merchantId, merchantId],
  )
  const [middle] = rows
  if (middle === undefined) throw new Error('there are no charges in the middle')
  const { id, created_at: createdAt, today, month: monthAgo, year: yearAgo, webhook: webhookId } = middle
  const cursor = toCursor({ createdAt, id })
  return { charges: charges.rows, cursor, days: { today, monthAgo, yearAgo }, templates, webhookId }
}
