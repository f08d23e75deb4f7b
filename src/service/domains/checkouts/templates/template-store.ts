import type { TemplateType } from '../../../../contract/api/checkouts/checkout-template.ts'
import type { Database } from '../../../platform/database/database.ts'
import {
  bigint,
  integer,
  json,
  nullable,
  text,
  textOf,
  timestamptz,
} from '../../../platform/database/sql-types.ts'
import type { ValuesOf } from '../../../platform/database/sql-types.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { Position } from '../../../platform/listing/cursor.ts'
import { IN_WINDOW, toWindowValues, windowTypes } from '../../../platform/listing/page-query.ts'
import type { Template } from './template.ts'

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

const addTemplate = statement({
  name: 'add_checkout_template',
  values: { ...writtenTypes, type: textOf<TemplateType>() },
  columns: templateColumns,
  sql: `
    INSERT INTO checkout_templates (id, merchant_id, type, version, label, content)
    VALUES (:id, :merchant_id, :type, :version, :label, :content) RETURNING ${columns}`,
})
const findTemplate = statement({
  name: 'find_checkout_template',
  values: { id: text, merchant_id: text },
  columns: templateColumns,
  sql: `SELECT ${columns} FROM checkout_templates WHERE id = :id AND merchant_id = :merchant_id`,
})
const listTemplates = statement({
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
const replaceTemplate = statement({
  name: 'replace_checkout_template',
  values: writtenTypes,
  columns: templateColumns,
  sql: `
    UPDATE checkout_templates
    SET version = :version, label = :label, content = :content, revision = revision + 1, updated_at = now()
    WHERE id = :id AND merchant_id = :merchant_id RETURNING ${columns}`,
})

export type NewTemplate = Pick<Template, 'id' | 'merchantId' | 'type' | 'version' | 'label' | 'content'>

/** Templates in SQL. */
export interface TemplateStore {
  add: (template: NewTemplate) => Promise<Template>
  /** Null too when it is another merchant's. */
  find: (merchantId: string, id: string) => Promise<Template | null>
  /** Newest first, those after a place. */
  list: (
    merchantId: string,
    filter: { type: TemplateType; after: Position | null; limit: number },
  ) => Promise<Template[]>
  replace: (template: Omit<NewTemplate, 'type'>) => Promise<Template | null>
}

export function createTemplateStore(database: Database): TemplateStore {
  return {
    async add({ merchantId, ...template }) {
      const [row] = await database.run(addTemplate, { ...template, merchant_id: merchantId })
      if (row === undefined) throw new Error('a template that was added is not there')
      return toTemplate(row)
    },
    async find(merchantId, id) {
      const [row] = await database.run(findTemplate, { id, merchant_id: merchantId })
      return row === undefined ? null : toTemplate(row)
    },
    async list(merchantId, { type, after, limit }) {
      const values = {
        merchant_id: merchantId,
        type,
        ...toWindowValues({ from: null, to: null, after }),
        limit,
      }
      return (await database.run(listTemplates, values)).map(toTemplate)
    },
    async replace({ merchantId, ...template }) {
      const [row] = await database.run(replaceTemplate, { ...template, merchant_id: merchantId })
      return row === undefined ? null : toTemplate(row)
    },
  }
}

function toTemplate({
  merchant_id: merchantId,
  created_at: createdAt,
  updated_at: updatedAt,
  ...same
}: ValuesOf<typeof templateColumns>): Template {
  return { ...same, merchantId, createdAt, updatedAt }
}
