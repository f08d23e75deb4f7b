import type pg from 'pg'
import { copyRows } from '../../copy-rows.ts'

/** The ids of charges that the service itself has made, by their state; every other charge is a copy of one of them. */
export interface ChargeTemplates {
  sold: string
  captured: string
  refunded: string
  held: string
  cancelled: string
  declined: string
}

/** Which charges are added to those that are there. */
export interface Seed {
  /** How many were seeded before. */
  before: number
  /** How many are added: an even number. */
  charges: number
  /** For how many days deliveries of webhooks are kept. */
  deliveryDays: number
}

const MERCHANTS = 1000
/** For how long the service keeps tokens and the keys of requests. */
const KEPT = "s.created_at > now() - interval '31 days'"

/** A row for each charge to be added; where `merchant_id` is null, the merchant is its template's. */
const SEED_TABLE = `
  DROP TABLE IF EXISTS bench_seed;
  CREATE UNLOGGED TABLE bench_seed (n bigint, id text, created_at timestamptz(3), merchant_id text, template text,
    gateway_id text, scheme text, last4 text, amount bigint, reference text)`

/**
 * Fills the tables with a year of charges of 1,000 merchants, of which one has half, with their tokens, attempts, events and deliveries
 * of webhooks. Funds are held only by charges of the last week. `bench_seed` has a row for each that was added. The templates are in
 * tables of the same name with the prefix `bench_`.
 */
export async function seedCharges(
  client: pg.Client,
  { before, charges, deliveryDays }: Seed,
  templates: ChargeTemplates,
): Promise<void> {
  await client.query("SET synchronous_commit = off; SET work_mem = '512MB'")
  await client.query(SEED_TABLE)
  await client.query(planOf(templates), [charges, before])
  await client.query('ANALYZE bench_seed')
  await addMerchants(client)
  await copyCharges(client)
  await copyTokens(client)
  await copyEvents(client)
  await copyDeliveries(client, deliveryDays)
}

/** The properties of a charge follow from hashes of its number, independently of each other. Rare ones occur once in a thousand. */
function planOf(templates: ChargeTemplates): string {
  const kind = `CASE WHEN kind < 8 THEN 'declined' WHEN kind < 11 THEN 'cancelled' WHEN kind < 15 THEN 'refunded'
    WHEN kind < 18 AND created_at > now() - interval '6 days' THEN 'held' WHEN kind < 40 THEN 'captured' ELSE 'sold' END`
  const template = Object.entries(templates).map(([name, id]) => `WHEN '${name}' THEN '${String(id)}'`)
  const draw = (seed: number, of: number) => `abs(hashint8extended(n, ${String(seed)}) % ${String(of)})`
  return `
    INSERT INTO bench_seed
    WITH half AS (SELECT $1::bigint / 2 AS many),
    numbered AS (
      SELECT n + many * other + $2::bigint AS n, now() - n * interval '364 days' / many AS created_at, other = 1 AS is_other,
             n > many / 2 AS is_old
      FROM half CROSS JOIN generate_series(many, 1, -1) n CROSS JOIN generate_series(0, 1) other
    ), drawn AS (
      SELECT *, ${draw(1, 100)} AS kind, ${draw(2, 1000)} AS scheme, ${draw(3, 1000)} AS gateway FROM numbered
    )
    SELECT n, lpad(to_hex(extract(epoch FROM created_at)::bigint), 8, '0') || substr(md5(n::text), 1, 16), created_at,
           CASE WHEN is_other THEN ${merchantOf('n')} END,
           CASE ${kind} ${template.join(' ')} END,
           CASE WHEN gateway = 0 THEN 'ffffffffffffffffffffffff' END,
           CASE WHEN scheme = 0 THEN 'diners' WHEN scheme < 40 THEN 'amex' WHEN scheme < 400 THEN 'mastercard' ELSE 'visa' END,
           lpad(${draw(4, 10_000)}::text, 4, '0'),
           CASE WHEN ${draw(5, 10)} < 3 THEN 4990 ELSE 1000 + ${draw(6, 50_000)} END,
           CASE WHEN n % 3 > 0 THEN CASE WHEN is_old THEN 'shop-old-' ELSE 'shop-' END || n END
    FROM drawn`
}

/** SQL: one of the merchants that share the other half of all charges. */
const merchantOf = (n: string) => `substr(md5('m' || ${n} % ${String(MERCHANTS - 1)}), 1, 24)`

async function addMerchants(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO merchants (id, name, pre_auth, allowed_origins)
     SELECT ${merchantOf('n')}, 'Shop ' || n, true, '{}' FROM generate_series(0, ${String(MERCHANTS - 2)}) n
     ON CONFLICT DO NOTHING`,
  )
}

const MERCHANT_ID = 'coalesce(s.merchant_id, t.merchant_id)'
const ATTEMPT_ID = 'substr(s.id, 1, 8) || substr(md5(t.id || s.n), 1, 16)'
const TOKEN_HASH = "decode(md5(s.id) || md5('token' || s.id), 'hex')"

async function copyCharges(client: pg.Client): Promise<void> {
  await copyRows(client, 'charges', 'bench_seed s JOIN bench_charges t ON t.id = s.template', {
    id: 's.id',
    merchant_id: MERCHANT_ID,
    gateway_id: 'coalesce(s.gateway_id, t.gateway_id)',
    token_hash: TOKEN_HASH,
    amount: 's.amount',
    reference: 's.reference',
    payment_source: `(t.payment_source::jsonb || jsonb_build_object('card_scheme', s.scheme, 'card_number_last4', s.last4))::json`,
    hold_expires_at: "s.created_at + interval '7 days'",
    created_at: 's.created_at',
    updated_at: 's.created_at',
  })
  await copyRows(client, 'attempts', 'bench_seed s JOIN bench_attempts t ON t.charge_id = s.template', {
    id: ATTEMPT_ID,
    charge_id: 's.id',
    amount: 's.amount',
    idempotency_key_hash: `CASE WHEN ${KEPT} THEN md5(t.id || s.n) || md5(s.n || t.id) END`,
    created_at: 's.created_at',
    settled_at: 's.created_at',
  })
}

/** The copies are spent tokens, which have no card any more. */
async function copyTokens(client: pg.Client): Promise<void> {
  await copyRows(
    client,
    'payment_source_tokens',
    `bench_seed s JOIN bench_charges c ON c.id = s.template JOIN bench_payment_source_tokens t ON t.token_hash = c.token_hash WHERE ${KEPT}`,
    {
      token_hash: TOKEN_HASH,
      merchant_id: MERCHANT_ID,
      idempotency_key_hash: 'NULL',
      attempt_id: 's.id',
      created_at: 's.created_at',
      expires_at: "s.created_at + interval '3 hours'",
      spent_at: 's.created_at',
    },
  )
}

/** In the order in which they happened, as in the audit log's chain; their hashes are made up. A few are acts of people. */
async function copyEvents(client: pg.Client): Promise<void> {
  await copyRows(client, 'events', 'bench_seed s JOIN bench_events t ON t.subject = s.template', {
    seq: `(SELECT length FROM event_chain) + row_number() OVER (ORDER BY s.created_at, s.id, t.seq)`,
    id: ATTEMPT_ID,
    merchant_id: MERCHANT_ID,
    subject: 's.id',
    actor: "CASE WHEN s.n % 1000 = 5 THEN 'user:' || s.n % 3 ELSE t.actor END",
    facts: "t.facts || jsonb_build_object('amount', s.amount)",
    created_at: 's.created_at',
  })
  await client.query('UPDATE event_chain SET length = (SELECT max(seq) FROM events)')
}

async function copyDeliveries(client: pg.Client, days: number): Promise<void> {
  await copyRows(
    client,
    'webhook_deliveries',
    `bench_seed s JOIN bench_attempts a ON a.charge_id = s.template JOIN bench_webhook_deliveries t ON t.event_id = a.id
     WHERE s.merchant_id IS NULL AND s.created_at > now() - interval '${String(days)} days'`,
    {
      event_id: 'substr(s.id, 1, 8) || substr(md5(a.id || s.n), 1, 16)',
      attempts: '1',
      next_at: "CASE WHEN s.n % 1000 = 9 THEN now() + interval '1 hour' END",
      delivered_at: 'CASE WHEN s.n % 1000 NOT IN (8, 9) THEN s.created_at END',
      last_status: 'CASE WHEN s.n % 1000 NOT IN (8, 9) THEN 200 ELSE 500 END',
      last_fault: "CASE WHEN s.n % 1000 IN (8, 9) THEN 'the server said 500' END",
      created_at: 's.created_at',
    },
  )
}
