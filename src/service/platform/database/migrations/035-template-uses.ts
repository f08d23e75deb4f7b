import type { Migration } from '../migrate.ts'

/** By which the checkouts that were made with a template are found. Steps of their own, as those of `023-search.ts`. */
const index = (type: 'configuration' | 'customisation') => `
CREATE INDEX IF NOT EXISTS checkout_intents_by_${type} ON checkout_intents
  (merchant_id, (${type} ->> 'templateId'), created_at DESC, id DESC) WHERE (${type} ->> 'templateId') IS NOT NULL;`

export const templateUses: readonly Migration[] = [
  { version: '035-intents-by-configuration', sql: index('configuration') },
  { version: '036-intents-by-customisation', sql: index('customisation') },
]
