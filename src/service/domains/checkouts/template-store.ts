import type { TemplateType } from '../../../contract/api/checkouts/checkout-template.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  bigint,
  cents,
  integer,
  json,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../platform/database/sql-types.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Position } from '../../platform/listing/cursor.ts'
import { IN_WINDOW, toWindowValues, windowTypes } from '../../platform/listing/page-query.ts'
import type { Intent } from './intent.ts'
import { STATUS } from './intent-store.ts'
import type { Template } from './template.ts'

type NewTemplate = Pick<Template, 'id' | 'merchantId' | 'type' | 'version' | 'label' | 'content'>

export async function addTemplate(
  database: Database,
  { merchantId, ...template }: NewTemplate,
): Promise<Template> {
  const [row] = await database.run(insertTemplate, { ...template, merchant_id: merchantId })
  if (row === undefined) throw new Error('a template that was added is not there')
  return toTemplate(row)
}

/** Null also if it is another merchant's. */
export async function findTemplate(
  database: Database,
  merchantId: string,
  id: string,
): Promise<Template | null> {
  const [row] = await database.run(selectTemplate, { id, merchant_id: merchantId })
  return row === undefined ? null : toTemplate(row)
}

/** Lists templates of a type, newest first, those after a place. */
export async function listTemplates(
  database: Database,
  merchantId: string,
  { type, after, limit }: { type: TemplateType; after: Position | null; limit: number },
): Promise<Template[]> {
  const window = toWindowValues({ from: null, to: null, after })
  const rows = await database.run(selectTemplates, { merchant_id: merchantId, type, ...window, limit })
  return rows.map(toTemplate)
}

/** Null if the merchant has no such template. */
export async function replaceTemplate(
  database: Database,
  { merchantId, ...template }: Omit<NewTemplate, 'type'>,
): Promise<Template | null> {
  const [row] = await database.run(updateTemplate, { ...template, merchant_id: merchantId })
  return row === undefined ? null : toTemplate(row)
}

/** An intent that was made with a template. */
export type TemplateUse = Position & Omit<ValuesOf<typeof useColumns>, 'created_at'>

/** Lists the intents that were made with a template, newest first, those after a place. */
export async function listUses(
  database: Database,
  { id, merchantId, type }: Template,
  { after, limit }: { after: Position | null; limit: number },
): Promise<TemplateUse[]> {
  const window = toWindowValues({ from: null, to: null, after })
  const values = { merchant_id: merchantId, template_id: id, ...window, limit }
  const rows = await database.run(usesOf[type], values)
  return rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt }))
}

const writtenTypes = {
  id: text,
  merchant_id: text,
  version: integer,
  label: nullable(text),
  content: json<Template['content']>(),
}
const templateColumns = {
  ...writtenTypes,
  type: textOf<TemplateType>(),
  revision: integer,
  created_at: timestamptz,
  updated_at: timestamptz,
}
const columns = Object.keys(templateColumns).join(', ')

const insertTemplate = statement({
  name: 'add_checkout_template',
  values: { ...writtenTypes, type: textOf<TemplateType>() },
  columns: templateColumns,
  sql: `
    INSERT INTO checkout_templates (id, merchant_id, type, version, label, content)
    VALUES (:id, :merchant_id, :type, :version, :label, :content) RETURNING ${columns}`,
})

const selectTemplate = statement({
  name: 'find_checkout_template',
  values: { id: text, merchant_id: text },
  columns: templateColumns,
  sql: `SELECT ${columns} FROM checkout_templates WHERE id = :id AND merchant_id = :merchant_id`,
})

const selectTemplates = statement({
  name: 'list_checkout_templates',
  values: {
    merchant_id: text,
    type: textOf<TemplateType>(),
    ...windowTypes,
    limit: bigint,
  },
  columns: templateColumns,
  sql: `
    SELECT ${columns} FROM checkout_templates
    WHERE merchant_id = :merchant_id AND type = :type AND ${IN_WINDOW}
    ORDER BY created_at DESC, id DESC LIMIT :limit`,
})

const updateTemplate = statement({
  name: 'replace_checkout_template',
  values: writtenTypes,
  columns: templateColumns,
  sql: `
    UPDATE checkout_templates
    SET version = :version, label = :label, content = :content, revision = revision + 1, updated_at = now()
    WHERE id = :id AND merchant_id = :merchant_id RETURNING ${columns}`,
})

const useColumns = {
  id: text,
  status: textOf<Intent['status']>(),
  amount: cents,
  currency: text,
  reference: nullable(text),
  template_revision: integer,
  created_at: timestamptz,
}

const listUsesOf = (type: TemplateType) =>
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
  configuration: listUsesOf('configuration'),
  customisation: listUsesOf('customisation'),
} as const

function toTemplate({
  merchant_id: merchantId,
  created_at: createdAt,
  updated_at: updatedAt,
  ...same
}: ValuesOf<typeof templateColumns>): Template {
  return { ...same, merchantId, createdAt, updatedAt }
}
