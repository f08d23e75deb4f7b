import type { TemplateType } from '../../../contract/api/checkout-template-contents.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Place } from '../../platform/http/cursor.ts'
import type { Template } from './template.ts'

interface TemplateRow {
  id: string
  merchant_id: string
  type: TemplateType
  version: number
  label: string | null
  content: Record<string, unknown>
  revision: number
  created_at: Date
  updated_at: Date
}

const columns = 'id, merchant_id, type, version, label, content, revision, created_at, updated_at'

const addTemplate = statement<TemplateRow>(
  'add_checkout_template',
  `INSERT INTO checkout_templates (id, merchant_id, type, version, label, content)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
)
const findTemplate = statement<TemplateRow>(
  'find_checkout_template',
  `SELECT ${columns} FROM checkout_templates WHERE id = $1 AND merchant_id = $2`,
)
const listTemplates = statement<TemplateRow>(
  'list_checkout_templates',
  `SELECT ${columns} FROM checkout_templates
   WHERE merchant_id = $1 AND type = $2 AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4))
   ORDER BY created_at DESC, id DESC LIMIT $5`,
)
const replaceTemplate = statement<TemplateRow>(
  'replace_checkout_template',
  `UPDATE checkout_templates
   SET version = $3, label = $4, content = $5, revision = revision + 1, updated_at = now()
   WHERE id = $1 AND merchant_id = $2 RETURNING ${columns}`,
)

export type NewTemplate = Pick<Template, 'id' | 'merchantId' | 'type' | 'version' | 'label' | 'content'>

/** Templates in SQL. */
export interface TemplateStore {
  add: (template: NewTemplate) => Promise<Template>
  /** Null too when it is another merchant's. */
  find: (merchantId: string, id: string) => Promise<Template | null>
  /** Newest first, those after a place. */
  list: (
    merchantId: string,
    filter: { type: TemplateType; after: Place | null; limit: number },
  ) => Promise<Template[]>
  replace: (template: Omit<NewTemplate, 'type'>) => Promise<Template | null>
}

export function createTemplateStore(database: Database): TemplateStore {
  return {
    async add({ id, merchantId, type, version, label, content }) {
      const values = [id, merchantId, type, version, label, JSON.stringify(content)]
      const [row] = await database.run(addTemplate, values)
      if (row === undefined) throw new Error('a template that was added is not there')
      return toTemplate(row)
    },
    async find(merchantId, id) {
      const [row] = await database.run(findTemplate, [id, merchantId])
      return row === undefined ? null : toTemplate(row)
    },
    async list(merchantId, { type, after, limit }) {
      const values = [merchantId, type, after?.createdAt, after?.id, limit]
      return (await database.run(listTemplates, values)).map(toTemplate)
    },
    async replace({ id, merchantId, version, label, content }) {
      const [row] = await database.run(replaceTemplate, [
        id,
        merchantId,
        version,
        label,
        JSON.stringify(content),
      ])
      return row === undefined ? null : toTemplate(row)
    },
  }
}

function toTemplate({
  merchant_id: merchantId,
  created_at: createdAt,
  updated_at: updatedAt,
  ...same
}: TemplateRow): Template {
  return { ...same, merchantId, createdAt, updatedAt }
}
