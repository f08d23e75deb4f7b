import type pg from 'pg'
import { copyRows } from '../../copy-rows.ts'

/** What the service itself has made; every other row is a copy. */
export interface OtherTemplates {
  checkout: string
  /** What the checkout was made with. */
  configuration: string
  customisation: string
  /** The one that one checkout in a thousand is made with. */
  rareConfiguration: string
  agreement: string
  /** A payment of that agreement. */
  payment: string
}

const MERCHANT_ID = 'coalesce(s.merchant_id, t.merchant_id)'

/** `agreements`: one charge in so many has an agreement. All have a checkout. */
export interface OtherShares {
  agreements: number
}

/**
 * A checkout for each charge that `seedCharges` has just added, and for some an agreement with a payment. Idempotency keys are
 * there for as long as the service keeps them.
 */
export async function seedOthers(
  client: pg.Client,
  templates: OtherTemplates,
  { agreements }: OtherShares,
): Promise<void> {
  const withAgreement = `abs(hashint8extended(s.n, 7) % ${String(agreements)}) = 0`
  const common = {
    id: 's.id',
    merchant_id: MERCHANT_ID,
    created_at: 's.created_at',
    updated_at: 's.created_at',
  }
  const seedWithAgreement = (table: string, templateId: string, changed: Readonly<Record<string, string>>) =>
    copyRows(
      client,
      table,
      `bench_seed s JOIN bench_${table} t ON t.id = '${templateId}' WHERE ${withAgreement}`,
      {
        ...common,
        ...changed,
      },
    )
  await copyRows(
    client,
    'checkout_intents',
    `bench_seed s JOIN bench_checkout_intents t ON t.id = '${templates.checkout}'`,
    {
      ...common,
      status: "CASE WHEN s.n % 3 = 0 THEN 'completed' WHEN s.n % 500 = 1 THEN 'cancelled' ELSE 'expired' END",
      reference: 's.reference',
      configuration: `CASE WHEN s.n % 1000 = 13
        THEN (t.configuration::jsonb || '{"templateId": "${templates.rareConfiguration}"}')::json ELSE t.configuration END`,
      idempotency_key_hash: REQUEST_KEY,
      expires_at: "s.created_at + interval '16 minutes'",
    },
  )
  await seedWithAgreement('agreements', templates.agreement, {
    status: STATUS,
    type: "CASE s.n % 1000 WHEN 17 THEN 'oneoff' ELSE CASE s.n % 3 WHEN 0 THEN 'recurring' ELSE 'adhoc' END END",
    reference: 's.reference',
  })
  await seedWithAgreement('agreement_payments', templates.payment, {
    agreement_id: 's.id',
    status: "CASE WHEN s.n % 1000 = 19 THEN 'failed' ELSE t.status END",
    reference: "coalesce(s.reference, 'none')",
    amount: 's.amount',
    idempotency_key_hash: REQUEST_KEY,
  })
}

/** The charges that are so new that the service still keeps their idempotency keys. */
const REQUEST_KEY =
  "CASE WHEN s.created_at > now() - interval '31 days' THEN md5(s.id) || md5(s.id || 'r') END"

/** The status of an agreement by its number `n`: a few of each hundred are not active. */
const STATUS = `CASE (s.n / 7) % 100 WHEN 0 THEN 'created' WHEN 1 THEN 'suspended' WHEN 2 THEN 'cancelled'
  WHEN 3 THEN 'cancelled' WHEN 4 THEN 'expired' ELSE 'active' END`
