import type { Migration } from '../../migrate.ts'

/*
 * Indexes by which merchants' lists are read. Each has a step of its own, which makes it while its table is written as ever
 * (docs/operating.md, "Big tables").
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

const templateIndex = (type: 'configuration' | 'customisation') => `
CREATE INDEX IF NOT EXISTS checkout_intents_by_${type} ON checkout_intents
  (merchant_id, (${type} ->> 'templateId'), created_at DESC, id DESC) WHERE (${type} ->> 'templateId') IS NOT NULL;`

/** They find the checkouts that were made with a template. */
export const templateUses: readonly Migration[] = [
  { version: '035-intents-by-configuration', sql: templateIndex('configuration') },
  { version: '036-intents-by-customisation', sql: templateIndex('customisation') },
]

/** It lists a merchant's payments across its agreements. */
export const paymentsByStatus: Migration = {
  version: '041-payments-by-status',
  sql: `
CREATE INDEX IF NOT EXISTS agreement_payments_by_status ON agreement_payments
  (merchant_id, status, created_at DESC, id DESC);`,
}

/** It finds the agreements of one status and one type, however few they are. */
export const agreementsByStatusAndType: Migration = {
  version: '045-agreements-by-status-and-type',
  sql: `
CREATE INDEX IF NOT EXISTS agreements_by_status_and_type ON agreements (merchant_id, status, type, created_at DESC, id DESC);`,
}

/**
 * It lists a webhook's deliveries of one state in their order, also where many came at the same moment. It replaces two indexes that
 * lacked this order.
 */
export const deliveriesByState: Migration = {
  version: '046-deliveries-by-state',
  sql: `
CREATE INDEX IF NOT EXISTS webhook_deliveries_by_state ON webhook_deliveries (endpoint_id,
  (CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN next_at IS NOT NULL THEN 'waiting' ELSE 'failed' END),
  created_at DESC, event_id DESC);
DROP INDEX webhook_deliveries_newest;
DROP INDEX webhook_deliveries_failed;`,
}

/**
 * They find checkouts and agreements by reference and status (and type) in their order, also where many share the reference. They
 * replace the indexes by reference alone.
 */
export const listsByReference: Migration = {
  version: '047-lists-by-reference',
  sql: `
CREATE INDEX IF NOT EXISTS checkout_intents_by_reference_and_status ON checkout_intents
  (merchant_id, reference, status, created_at DESC, id DESC) WHERE reference IS NOT NULL;
CREATE INDEX IF NOT EXISTS agreements_by_reference_status_and_type ON agreements
  (merchant_id, reference, status, type, created_at DESC, id DESC) WHERE reference IS NOT NULL;
DROP INDEX checkout_intents_by_reference;
DROP INDEX agreements_by_reference;`,
}

/**
 * It finds agreements by reference, status and type as one value, which no other index can be taken for. It replaces an index that the
 * one by status and type was taken for.
 */
export const agreementsByReference: Migration = {
  version: '055-agreements-by-reference',
  sql: `
CREATE INDEX IF NOT EXISTS agreements_by_reference ON agreements
  ((ARRAY[merchant_id, reference, status, type]), created_at DESC, id DESC) WHERE reference IS NOT NULL;
DROP INDEX agreements_by_reference_status_and_type;`,
}

/**
 * It finds charges by the last four digits of their card, newest first, and tells those of one status apart without reading the others.
 * It replaces an index that had no status.
 */
export const chargesByLast4AndStatus: Migration = {
  version: '058-charges-by-last4-and-status',
  sql: `
CREATE INDEX IF NOT EXISTS charges_by_last4_and_status ON charges
  (merchant_id, (payment_source ->> 'card_number_last4'), created_at DESC, id DESC, status);
DROP INDEX charges_by_last4;`,
}

/** The same for charges by a reference. */
export const chargesByReferenceAndStatus: Migration = {
  version: '063-charges-by-reference-and-status',
  sql: `
CREATE INDEX IF NOT EXISTS charges_by_reference_and_status ON charges
  (merchant_id, reference COLLATE "C", created_at DESC, id DESC, status) WHERE reference IS NOT NULL;
DROP INDEX charges_by_reference;`,
}

/**
 * It finds charges by a reference in upper or lower case, and by how references begin. It replaces an index that told the cases apart.
 */
export const chargesByReferenceInAnyCase: Migration = {
  version: '067-charges-by-reference-in-any-case',
  sql: `
CREATE INDEX IF NOT EXISTS charges_by_reference_in_any_case ON charges
  (merchant_id, lower(reference COLLATE "C"), created_at DESC, id DESC, status) WHERE reference IS NOT NULL;
DROP INDEX charges_by_reference_and_status;`,
}

/** It finds charges by the e-mail address of their payer, newest first. */
export const chargesByEmail: Migration = {
  version: '068-charges-by-email',
  sql: `
CREATE INDEX IF NOT EXISTS charges_by_email ON charges
  (merchant_id, lower((customer ->> 'email') COLLATE "C"), created_at DESC, id DESC) WHERE (customer ->> 'email') IS NOT NULL;`,
}

/** They find charges by the gateway's id of a transaction, and by the name on the card, newest first. */
export const chargesByGatewaysIdAndName: readonly Migration[] = [
  {
    version: '070-attempts-by-external-id',
    sql: `
CREATE INDEX IF NOT EXISTS attempts_by_external_id ON attempts (external_id) WHERE external_id IS NOT NULL;`,
  },
  {
    version: '071-charges-by-card-name',
    sql: `
CREATE INDEX IF NOT EXISTS charges_by_card_name ON charges
  (merchant_id, lower((payment_source ->> 'card_name') COLLATE "C"), created_at DESC, id DESC);`,
  },
]

/** It lists a merchant's events in their order, also where many came at the same moment. It replaces an index that lacked this order. */
export const eventsNewest: Migration = {
  version: '054-events-newest',
  sql: `
CREATE INDEX IF NOT EXISTS events_newest ON events (merchant_id, created_at DESC, id DESC);
DROP INDEX events_of_merchant;`,
}

/** It lists a merchant's events of some types in their order, also where the audit log is full of others. */
export const eventsByType: Migration = {
  version: '049-events-by-type',
  sql: 'CREATE INDEX IF NOT EXISTS events_by_type ON events (merchant_id, type, created_at DESC, id DESC);',
}
