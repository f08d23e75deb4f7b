import { isJson } from '../openapi/json-schema.ts'
import type { Json } from '../openapi/json-schema.ts'
import { inline, markup } from '../../platform/markup.ts'
import type { Markup } from '../../platform/markup.ts'

interface Table {
  /** What its rows are linked to by, before the name of the field. */
  anchor: string
  label: string
  /** Of a request what is required is marked, of an answer what may be absent. */
  isRequest: boolean
}

/** The fields of an object, those of its parts too: name, type, whether it must be there, and what it means. */
export function fieldTable(schema: Json, { anchor, label, isRequest }: Table): Markup {
  const rows = rowsOf(schema, '', { anchor, isRequest })
  if (rows.length === 0) return markup`<p>Any JSON object.</p>`
  return markup`<div class="wide" role="group" aria-label="${label}" tabindex="0"><table class="fields">
<thead><tr><th scope="col">Field</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function rowsOf(schema: Json, prefix: string, table: Omit<Table, 'label'>): Markup[] {
  const { anchor, isRequest } = table
  const { properties, required } = schema
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return Object.entries(isJson(properties) ? properties : {}).flatMap(([name, inner]) => {
    const field = isJson(inner) ? inner : {}
    const words = field['description']
    const mark = presence(isRequired(name), isRequest)
    const row = markup`<tr id="${anchor}.${prefix}${name}"><td><code>${prefix}<wbr>${name}</code><br><span class="kind">${kindOf(field)}</span>${mark}</td>
<td>${typeof words === 'string' && inline(words)}${limits(field)}</td></tr>`
    return [row, ...rowsOf(withProperties(field), `${prefix}${name}${isList(field) ? '[]' : ''}.`, table)]
  })
}

/** Marks required fields of a request, and optional fields of an answer. */
function presence(isRequired: boolean, isRequest: boolean): Markup | false {
  if (isRequest) return isRequired && markup` <span class="must">required</span>`
  return !isRequired && markup` <span class="may">may be absent</span>`
}

const isList = ({ items }: Json): boolean => isJson(items)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The alternatives of a schema: a value matches one of them. */
const choicesOf = ({ anyOf, oneOf }: Json): Json[] => [...listOf(anyOf), ...listOf(oneOf)].filter(isJson)

/** The schema in which the parts of a field are: its own, that of its items, or the one of several that has any. */
function withProperties(field: Json): Json {
  if (isJson(field['properties'])) return field
  if (isJson(field['items'])) return field['items']
  const [first = {}, ...others] = choicesOf(field).filter((one) => isJson(one['properties']))
  return others.length === 0 ? first : { ...first, properties: mergedProperties([first, ...others]) }
}

/** The properties of all alternatives together. A property that tells the alternatives apart lists all of its values. */
function mergedProperties(kinds: readonly Json[]): Json {
  const all = kinds.map(({ properties }) => properties).filter(isJson)
  const keys = [...new Set(all.flatMap((properties) => Object.keys(properties)))]
  const together = keys.map((name) => {
    const fields = all.map((properties) => properties[name]).filter(isJson)
    const [first = {}] = fields
    const alike = Object.entries(first).filter(([key, value]) => fields.every((one) => one[key] === value))
    const names = first['const'] === undefined ? {} : { enum: fields.map((one) => one['const']) }
    return [name, { ...Object.fromEntries(alike), ...names }] as const
  })
  return Object.fromEntries(together)
}

/** The type of a field in words: `text`, `integer`, `list of objects`, `text or null`. */
function kindOf(field: Json): string {
  const { $ref, const: only, enum: some } = field
  if (typeof $ref === 'string') return $ref.endsWith('/Amount') ? 'text or number' : 'object'
  if (only !== undefined) return JSON.stringify(only)
  if (Array.isArray(some)) return 'one of'
  const choices = choicesOf(field)
  if (choices.length === 0) return plainKind(field)
  // Beside other kinds, names are texts; they are listed after the words.
  return [...new Set(choices.map(kindOf).map((kind) => (kind === 'one of' ? 'text' : kind)))].join(' or ')
}

/** What texts of a format are called. */
const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'day', uuid: 'UUID' }

function plainKind({ type, format, items }: Json): string {
  if (type === 'array') return `list of ${plural(isJson(items) ? kindOf(items) : 'value')}`
  if (type === 'string') return (typeof format === 'string' ? FORMATS[format] : undefined) ?? 'text'
  return typeof type === 'string' ? type : 'any'
}

const plural = (kind: string): string => (kind === 'one of' ? 'names' : `${kind}s`)

/** The values and bounds of a field, after its words. */
function limits(field: Json): Markup | false {
  const { maxLength, minimum, maximum, default: fallback } = field
  const names = namesOf(field)
  const words = [
    names.length > 0 && markup`<br>${names.map((name) => markup`<code>${name}</code> `)}`,
    typeof maxLength === 'number' && markup` Up to ${maxLength} characters.`,
    typeof minimum === 'number' && typeof maximum === 'number' && markup` ${minimum} to ${maximum}.`,
    fallback !== undefined &&
      markup` <code>${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}</code> when left out.`,
  ].filter((one) => one !== false)
  return words.length > 0 && markup`<span class="limits">${words}</span>`
}

/** The values that a field takes, where they are listed: its own, of its items, or beside null. */
function namesOf(field: Json): string[] {
  const holders = [field, field['items'], ...choicesOf(field)].filter(isJson)
  return holders.flatMap((one) => listOf(one['enum'])).filter((name) => typeof name === 'string')
}
