import type { TemplateUse } from '../../../../contract/dashboard/templates/template-use.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Position } from '../../../platform/listing/cursor.ts'
import { toWindowValues } from '../../../platform/listing/page-query.ts'
import type { Template } from './template.ts'
import { usesOf } from './use-sql.ts'
import type { UseRow } from './use-sql.ts'

/** An intent that was made with a template. */
export type Use = Position & Omit<UseRow, 'created_at'>

/** Which intents were made with a template; newest first, those after a place. */
export type ListUses = (template: Template, page: { after: Position | null; limit: number }) => Promise<Use[]>

export function createListUses(database: Database): ListUses {
  return async ({ id, merchantId, type }, { after, limit }) => {
    const window = toWindowValues({ from: null, to: null, after })
    const rows = await database.run(usesOf[type], {
      merchant_id: merchantId,
      template_id: id,
      ...window,
      limit,
    })
    return rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt }))
  }
}

export function toTemplateUse({
  id,
  status,
  amount,
  currency,
  reference,
  template_revision,
  createdAt,
}: Use): TemplateUse {
  return {
    checkout_id: id,
    status,
    amount_cents: amount,
    currency,
    reference,
    revision: template_revision,
    created_at: createdAt.toISOString(),
  }
}
