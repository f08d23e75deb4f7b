import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'

/** How many agreements there are, and how many of them have a payment due on the day of the run. */
export interface Size {
  agreements: number
  due: number
}

/** Agreements that the service itself has made; every other row is a copy of one of theirs. */
export interface Templates {
  /** Monthly, collected by the service. */
  collected: string
  /** Monthly, paid when the merchant says so. */
  sent: string
  adhoc: string
  oneoff: string
}

/** Which template an agreement is a copy of, by its number `n`. */
const MIX: Readonly<Record<keyof Templates, string>> = {
  collected: 'n % 10 < 6',
  sent: 'n % 10 IN (6, 7)',
  adhoc: 'n % 10 = 8',
  oneoff: 'n % 10 = 9',
}
/** The status of an agreement by its number `n`: five of each hundred are not active. */
const STATUS = `CASE (n / 7) % 100 WHEN 0 THEN 'created' WHEN 1 THEN 'suspended' WHEN 2 THEN 'cancelled'
  WHEN 3 THEN 'cancelled' WHEN 4 THEN 'expired' ELSE 'active' END`
const MERCHANTS = 1000
/** The payments that are not due today are spread over so many days from tomorrow on. */
const DAYS = 27
/** A row for each agreement to be made; where `merchant_id` is null, the merchant is its template's. */
const SEED_TABLE = `CREATE TABLE bench_seed (id text PRIMARY KEY, created_at timestamptz(3), is_due boolean, n bigint,
  template text, merchant_id text, status text, due_on date, reference text)`
/** Payments of the one agreement that has many. */
const MANY_PAYMENTS = 5000

/**
 * Fills the tables: a year of agreements of 1,000 merchants, of which the first has a tenth, with their histories, their mandates at
 * the payers' banks and a payment each. `today` is a day in Sydney. Answers with how many are due.
 */
export async function seedAgreements(
  client: pg.Client,
  { agreements, due }: Size,
  templates: Templates,
  today: string,
): Promise<number> {
  await client.query('SET synchronous_commit = off')
  await client.query(SEED_TABLE)
  await client.query(planOf(templates), [agreements, due, today])
  await copyAgreements(client)
  await copyPayments(client, templates.adhoc)
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM bench_seed WHERE is_due')
  return Number(rows[0]?.count)
}

/** Lets the day begin: what is due today is due from now on. Answers with the database's time. */
export async function beginDay(client: pg.Client, today: string): Promise<Date> {
  await client.query(
    'UPDATE agreements a SET next_due_on = $1 FROM bench_seed s WHERE s.is_due AND a.id = s.id',
    [today],
  )
  const { rows } = await client.query<{ now: Date }>('SELECT now()')
  if (rows[0] === undefined) throw new Error('the database has no time')
  return rows[0].now
}

/** Prime steps scatter the due payments over merchants and pages. */
function planOf(templates: Templates): string {
  const kinds = Object.entries(MIX).map(([kind, condition]) => `WHEN ${condition} THEN '${kind}'`)
  const template = Object.entries(templates).map(([kind, id]) => `WHEN '${kind}' THEN '${String(id)}'`)
  return `
    INSERT INTO bench_seed
    WITH numbered AS (
      SELECT n, CASE ${kinds.join(' ')} END AS kind, now() - n * interval '365 days' / $1::integer AS created_at,
             n * 7919 % $1 < $2::integer / 0.6 AND n % 10 < 6 AS is_due
      FROM generate_series(1, $1::bigint) n
    )
    SELECT lpad(to_hex(extract(epoch FROM created_at)::bigint), 8, '0') || substr(md5(n::text), 1, 16) AS id, created_at, is_due, n,
           CASE kind ${template.join(' ')} END AS template,
           CASE WHEN (n / 10) % 10 = 0 THEN NULL ELSE substr(md5('m' || (n / 100) % ${MERCHANTS - 1}), 1, 24) END AS merchant_id,
           CASE WHEN is_due THEN 'active' ELSE ${STATUS} END AS status,
           CASE WHEN kind = 'collected' THEN $3::date + CASE WHEN is_due THEN 0 ELSE 1 + (n / 11 % ${DAYS})::integer END END AS due_on,
           CASE WHEN n % 3 > 0 THEN 'subscription-' || n END AS reference
    FROM numbered`
}

async function copyAgreements(client: pg.Client): Promise<void> {
  const merchant = 'coalesce(s.merchant_id, t.merchant_id)'
  await copyRows(client, 'agreements', 'bench_seed s JOIN agreements t ON t.id = s.template', {
    id: 's.id',
    merchant_id: merchant,
    status: 's.status',
    reference: 's.reference',
    start_date: "to_char(s.created_at, 'YYYY-MM-DD')",
    terms:
      "CASE WHEN s.due_on IS NULL THEN t.terms ELSE jsonb_set(t.terms, '{pointInPeriod}', to_jsonb(extract(day FROM s.due_on)::integer)) END",
    next_due_on: "CASE WHEN NOT s.is_due THEN to_char(s.due_on, 'YYYY-MM-DD') END",
    created_at: 's.created_at',
    updated_at: 's.created_at',
  })
  await copyRows(
    client,
    'agreement_changes',
    'bench_seed s JOIN agreement_changes t ON t.agreement_id = s.template',
    {
      id: 'substr(s.id, 1, 8) || substr(md5(t.id || s.n), 1, 16)',
      agreement_id: 's.id',
      notice_id: 'CASE WHEN t.notice_id IS NOT NULL THEN substr(md5(t.notice_id || s.n), 1, 24) END',
      created_at: 's.created_at',
    },
  )
  await copyRows(
    client,
    'sandbox_network.mandates',
    "bench_seed s JOIN sandbox_network.mandates t ON t.id = s.template AND s.status = 'active'",
    { id: 's.id', created_at: 's.created_at' },
  )
}

/** One payment of last month for each agreement, and many for one. */
async function copyPayments(client: pg.Client, paidId: string): Promise<void> {
  const columns = {
    id: "substr(md5('p' || s.n), 1, 24)",
    agreement_id: 's.id',
    merchant_id: 'coalesce(s.merchant_id, t.merchant_id)',
    counts_on: "to_char(s.created_at - interval '40 days', 'YYYY-MM-DD')",
    created_at: 's.created_at',
  }
  const payment = `agreement_payments t ON t.agreement_id = '${paidId}'`
  await copyRows(client, 'agreement_payments', `bench_seed s JOIN ${payment}`, columns)
  await copyRows(
    client,
    'agreement_payments',
    `generate_series(1, ${String(MANY_PAYMENTS)}) s (n) JOIN ${payment}`,
    {
      id: "substr(md5('many' || s.n), 1, 24)",
      reference: "'invoice-' || s.n",
      created_at: "t.created_at - s.n * interval '1 hour'",
    },
  )
}
