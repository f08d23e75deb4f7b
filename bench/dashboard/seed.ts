import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'

/** Charges that the service itself has made, by what became of them; every other row is a copy of one of theirs. */
export interface Templates {
  sold: string
  captured: string
  refunded: string
  held: string
  cancelled: string
  declined: string
  checkout: string
}

const MERCHANTS = 1000
const SEED_TABLE = `CREATE TABLE bench_seed (n bigint, id text PRIMARY KEY, created_at timestamptz(3), merchant_id text, template text,
  gateway_id text, scheme text, last4 text, amount bigint, reference text)`

/**
 * Fills the tables with a year of charges, their attempts and events: so many of one merchant, and a tenth more of 999 others. Funds are
 * held only by charges of the last week.
 */
export async function seedCharges(client: pg.Client, charges: number, templates: Templates): Promise<void> {
  await client.query('SET synchronous_commit = off')
  await client.query(SEED_TABLE)
  await client.query(planOf(templates), [charges])
  await copyCharges(client)
  await copyCheckouts(client, templates.checkout)
  await client.query('VACUUM ANALYZE')
  await client.query('CHECKPOINT')
}

/** Of each hundred, by steps of a prime. Rare things are one in a thousand. */
function planOf(templates: Templates): string {
  const kind = `CASE WHEN k < 8 THEN 'declined' WHEN k < 11 THEN 'cancelled' WHEN k < 15 THEN 'refunded'
    WHEN k < 18 AND created_at > now() - interval '6 days' THEN 'held' WHEN k < 40 THEN 'captured' ELSE 'sold' END`
  const template = Object.entries(templates).map(([name, id]) => `WHEN '${name}' THEN '${String(id)}'`)
  return `
    INSERT INTO bench_seed
    WITH numbered AS (
      SELECT n, n * 7919 % 100 AS k, now() - n * interval '364 days' / $1::bigint AS created_at, false AS is_other
      FROM generate_series(1, $1::bigint) n
      UNION ALL
      SELECT $1 + n, n * 7919 % 100, now() - n * interval '3640 days' / $1::bigint, true FROM generate_series(1, $1::bigint / 10) n
    )
    SELECT n, lpad(to_hex(extract(epoch FROM created_at)::bigint), 8, '0') || substr(md5(n::text), 1, 16), created_at,
           CASE WHEN is_other THEN substr(md5('m' || n % ${MERCHANTS - 1}), 1, 24) END,
           CASE ${kind} ${template.join(' ')} END,
           CASE WHEN n % 1000 = 7 THEN 'ffffffffffffffffffffffff' END,
           CASE WHEN n % 1000 = 11 THEN 'diners' WHEN n % 25 = 3 THEN 'amex' WHEN n % 10 < 4 THEN 'mastercard' ELSE 'visa' END,
           lpad((n * 7907 % 10000)::text, 4, '0'),
           CASE WHEN n % 10 < 3 THEN 4990 ELSE 1000 + n * 7901 % 50000 END,
           CASE WHEN n % 3 > 0 THEN CASE WHEN n > $1 / 2 THEN 'legacy-' ELSE 'order-' END || n END
    FROM numbered`
}

const SEED = 'bench_seed s JOIN charges t ON t.id = s.template'
const ATTEMPT_ID = 'substr(s.id, 1, 8) || substr(md5(t.id || s.n), 1, 16)'

async function copyCharges(client: pg.Client): Promise<void> {
  await copyRows(client, 'charges', SEED, {
    id: 's.id',
    merchant_id: 'coalesce(s.merchant_id, t.merchant_id)',
    gateway_id: 'coalesce(s.gateway_id, t.gateway_id)',
    amount: 's.amount',
    reference: 's.reference',
    payment_source: `(t.payment_source::jsonb || jsonb_build_object('card_scheme', s.scheme, 'card_number_last4', s.last4))::json`,
    hold_expires_at: "s.created_at + interval '7 days'",
    created_at: 's.created_at',
    updated_at: 's.created_at',
  })
  await copyRows(client, 'attempts', 'bench_seed s JOIN attempts t ON t.charge_id = s.template', {
    id: ATTEMPT_ID,
    charge_id: 's.id',
    amount: 's.amount',
    request_key: 'NULL',
    created_at: 's.created_at',
    settled_at: 's.created_at',
  })
  // In the order in which they happened, as the chain has them; their hashes are made up.
  await copyRows(client, 'events', 'bench_seed s JOIN events t ON t.subject = s.template', {
    seq: `(SELECT length FROM event_chain) + row_number() OVER (ORDER BY s.created_at, s.id, t.seq)`,
    id: ATTEMPT_ID,
    merchant_id: 'coalesce(s.merchant_id, t.merchant_id)',
    subject: 's.id',
    facts: "t.facts || jsonb_build_object('amount', s.amount)",
    created_at: 's.created_at',
  })
  await client.query('UPDATE event_chain SET length = (SELECT max(seq) FROM events)')
  await copyRows(
    client,
    'webhook_deliveries',
    'bench_seed s JOIN attempts a ON a.charge_id = s.template JOIN webhook_deliveries t ON t.event_id = a.id WHERE s.n % 10 = 1 AND s.merchant_id IS NULL',
    { event_id: 'substr(s.id, 1, 8) || substr(md5(a.id || s.n), 1, 16)', created_at: 's.created_at' },
  )
}

async function copyCheckouts(client: pg.Client, checkoutId: string): Promise<void> {
  await copyRows(
    client,
    'checkout_intents',
    `bench_seed s JOIN checkout_intents t ON t.id = '${checkoutId}'`,
    {
      id: 's.id',
      merchant_id: 'coalesce(s.merchant_id, t.merchant_id)',
      status: "CASE WHEN s.n % 3 = 0 THEN 'completed' WHEN s.n % 500 = 1 THEN 'cancelled' ELSE 'expired' END",
      reference: 's.reference',
      request_key: 'NULL',
      created_at: 's.created_at',
      updated_at: 's.created_at',
      expires_at: "s.created_at + interval '16 minutes'",
    },
  )
}
