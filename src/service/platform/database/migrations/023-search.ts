import type { Migration } from '../migrate.ts'

/**
 * Indexes by which merchants' lists are read. Each is a step of its own, so that a big table takes no writes only while that one
 * index is made; who can't wait so long makes it beforehand, by the same name and `CONCURRENTLY` (docs/operating.md, "Upgrading").
 */
const INDEXES: Readonly<Record<string, string>> = {
  '023-charges-by-status': 'charges_by_status ON charges (merchant_id, status, created_at DESC, id DESC)',
  '024-charges-by-scheme': `charges_by_scheme ON charges
  (merchant_id, (payment_source ->> 'card_scheme'), created_at DESC, id DESC)`,
  '025-charges-by-gateway':
    'charges_by_gateway ON charges (merchant_id, gateway_id, created_at DESC, id DESC)',
  '026-charges-by-amount': 'charges_by_amount ON charges (merchant_id, amount, created_at DESC, id DESC)',
  '027-charges-by-last4': `charges_by_last4 ON charges
  (merchant_id, (payment_source ->> 'card_number_last4'), created_at DESC, id DESC)`,
  '028-charges-by-reference': `charges_by_reference ON charges
  (merchant_id, reference COLLATE "C", created_at DESC, id DESC) WHERE reference IS NOT NULL`,
  '029-charges-by-end-of-hold': `charges_by_end_of_hold ON charges (merchant_id, hold_expires_at) WHERE status = 'pending'`,
  '030-intents-by-status': `checkout_intents_by_status ON checkout_intents (merchant_id, status, created_at DESC, id DESC)`,
  '031-intents-by-reference': `checkout_intents_by_reference ON checkout_intents
  (merchant_id, reference, created_at DESC, id DESC) WHERE reference IS NOT NULL`,
}

export const search: readonly Migration[] = Object.entries(INDEXES).map(([version, index]) => ({
  version,
  sql: `CREATE INDEX IF NOT EXISTS ${index};`,
}))
