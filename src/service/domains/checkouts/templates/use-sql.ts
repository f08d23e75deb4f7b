import type { TemplateType } from '../../../../contract/api/checkouts/checkout-template.ts'
import {
  bigint,
  cents,
  integer,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import { IN_WINDOW, windowTypes } from '../../../platform/listing/page-query.ts'
import type { Intent } from '../intents/intent.ts'
import { STATUS } from '../intents/intent-sql.ts'

const useColumns = {
  id: text,
  status: textOf<Intent['status']>(),
  amount: cents,
  currency: text,
  reference: nullable(text),
  template_revision: integer,
  created_at: timestamptz,
}
export type UseRow = ValuesOf<typeof useColumns>

/** A page of the intents that were made with a template, newest first. */
const listUses = (type: TemplateType) =>
  statement({
    name: `list_uses_of_${type}`,
    values: { merchant_id: text, template_id: text, ...windowTypes, limit: bigint },
    columns: useColumns,
    sql: `
      SELECT id, ${STATUS} AS status, amount, currency, reference, (${type} ->> 'revision')::integer AS template_revision,
        created_at
      FROM checkout_intents
      WHERE merchant_id = :merchant_id AND ${type} ->> 'templateId' = :template_id AND ${IN_WINDOW}
      ORDER BY created_at DESC, id DESC LIMIT :limit`,
  })

export const usesOf = {
  configuration: listUses('configuration'),
  customisation: listUses('customisation'),
} as const
