import * as v from 'valibot'

/** What can be said at one place of a template, as its schema has it. */
export type SchemaField =
  | GroupField
  | { kind: 'choice'; options: readonly string[] }
  /** Any of these, in the schema's order. */
  | { kind: 'ticks'; options: readonly string[] }
  /** A list of groups, in the merchant's order. */
  | { kind: 'rows'; row: GroupField; max: number | null }
  | { kind: 'text'; max: number | null }
  | { kind: 'number'; min: number | null; max: number | null }
  | { kind: 'yes_no' }

export interface GroupField {
  kind: 'group'
  entries: readonly Entry[]
}

/** A named place of a group. */
export interface Entry {
  name: string
  field: SchemaField
  isRequired: boolean
  /** The default, where the schema has one. */
  fallback: string | null
}

/** Walks the schema of a template's content. Throws for a kind of schema that no field is made for. */
export function contentField(schema: v.GenericSchema): GroupField {
  const field = fieldOf(schema)
  if (field.kind !== 'group') throw new Error('the content of a template is an object')
  return field
}

function fieldOf(schema: v.GenericSchema): SchemaField {
  if (isObject(schema)) return groupOf(schema)
  if (isPicklist(schema)) return { kind: 'choice', options: textsOf(schema.options) }
  if (isArray(schema)) return listOf(schema)
  if (schema.type === 'string') return { kind: 'text', max: limitOf(schema, 'max_length') }
  if (schema.type === 'boolean') return { kind: 'yes_no' }
  if (schema.type === 'number')
    return { kind: 'number', min: limitOf(schema, 'min_value'), max: limitOf(schema, 'max_value') }
  throw new Error(`no field is made for a schema of type ${schema.type}`)
}

function groupOf({ entries }: ObjectSchema): GroupField {
  return {
    kind: 'group',
    entries: Object.entries(entries).map(([name, schema]) => {
      if (!isOptional(schema)) return { name, field: fieldOf(schema), isRequired: true, fallback: null }
      const fallback = typeof schema.default === 'string' ? schema.default : null
      return { name, field: fieldOf(schema.wrapped), isRequired: false, fallback }
    }),
  }
}

function listOf(schema: ArraySchema): SchemaField {
  const item = fieldOf(schema.item)
  if (item.kind === 'choice') return { kind: 'ticks', options: item.options }
  if (item.kind === 'group') return { kind: 'rows', row: item, max: limitOf(schema, 'max_length') }
  throw new Error(`no field is made for a list of ${item.kind}`)
}

type Wordless = undefined
type ObjectSchema = v.StrictObjectSchema<Readonly<Record<string, v.GenericSchema>>, Wordless>
type OptionalSchema = v.OptionalSchema<v.GenericSchema, unknown>
type PicklistSchema = v.PicklistSchema<readonly string[], Wordless>
type ArraySchema = v.ArraySchema<v.GenericSchema, Wordless>

function isObject(schema: v.GenericSchema): schema is ObjectSchema {
  return schema.type === 'strict_object'
}

function isOptional(schema: v.GenericSchema): schema is OptionalSchema {
  return schema.type === 'optional'
}

function isPicklist(schema: v.GenericSchema): schema is PicklistSchema {
  return schema.type === 'picklist'
}

function isArray(schema: v.GenericSchema): schema is ArraySchema {
  return schema.type === 'array'
}

function textsOf(options: readonly unknown[]): string[] {
  return options.map(String)
}

const Limit = v.object({ type: v.string(), requirement: v.number() })

/** The figure of a check that follows a schema in its pipe; null where there is none. */
function limitOf(schema: v.GenericSchema, type: string): number | null {
  const steps: unknown = 'pipe' in schema ? schema.pipe : []
  if (!Array.isArray(steps)) return null
  const limits = steps.flatMap((step: unknown) => (v.is(Limit, step) ? [step] : []))
  return limits.find((limit) => limit.type === type)?.requirement ?? null
}
