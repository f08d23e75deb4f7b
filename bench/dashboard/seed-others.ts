import type pg from 'pg'
import { copyRows } from '../copy-rows.ts'

/** What the service itself has made; every other row is a copy. */
export interface OtherTemplates {
  checkout: string
  /** What the checkout was made with. */
  configuration: string
  customisation: string
  /** With which one of a thousand checkouts is made. */
  rareConfiguration: string
  agreement: string
  /** Of that agreement. */
  payment: string
}

const MERCHANT_ID = 'coalesce(s.merchant_id, t.merchant_id)'

/** A checkout and an agreement with a payment for each charge of `seedCharges`, which must be there. */
export async function seedOthers(client: pg.Client, templates: OtherTemplates): Promise<void> {
  const common = {
    id: 's.id',
    merchant_id: MERCHANT_ID,
    created_at: 's.created_at',
    updated_at: 's.created_at',
  }
  await copyRows(
    client,
    'checkout_intents',
    `bench_seed s JOIN checkout_intents t ON t.id = '${templates.checkout}'`,
    {
      ...common,
      status: "CASE WHEN s.n % 3 = 0 THEN 'completed' WHEN s.n % 500 = 1 THEN 'cancelled' ELSE 'expired' END",
      reference: 's.reference',
      configuration: `CASE WHEN s.n % 1000 = 13
        THEN (t.configuration::jsonb || '{"templateId": "${templates.rareConfiguration}"}')::json ELSE t.configuration END`,
      request_key: 'NULL',
      expires_at: "s.created_at + interval '16 minutes'",
    },
  )
  await copyRows(client, 'agreements', `bench_seed s JOIN agreements t ON t.id = '${templates.agreement}'`, {
    ...common,
    status: STATUS,
    type: "CASE s.n % 1000 WHEN 17 THEN 'oneoff' ELSE CASE s.n % 3 WHEN 0 THEN 'recurring' ELSE 'adhoc' END END",
    reference: 's.reference',
  })
  await copyRows(
    client,
    'agreement_payments',
    `bench_seed s JOIN agreement_payments t ON t.id = '${templates.payment}'`,
    {
      ...common,
      agreement_id: 's.id',
      status: "CASE WHEN s.n % 1000 = 19 THEN 'failed' ELSE t.status END",
      reference: "coalesce(s.reference, 'none')",
      amount: 's.amount',
      request_key: 'NULL',
    },
  )
}

/** Of each hundred: active but for these. */
const STATUS = `CASE (s.n / 7) % 100 WHEN 0 THEN 'created' WHEN 1 THEN 'suspended' WHEN 2 THEN 'cancelled'
  WHEN 3 THEN 'cancelled' WHEN 4 THEN 'expired' ELSE 'active' END`
