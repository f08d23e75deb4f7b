import type { Operation } from '../../platform/http/operation.ts'
import { inline, markup, prose } from '../../platform/markup.ts'
import type { Markup } from '../../platform/markup.ts'
import { errorsOf, responsesOf, byStatus, ERROR_WORDS, STATUS_NAMES } from '../openapi/answers.ts'
import type { DescribedRoute } from '../openapi/document.ts'
import { isJson, jsonSchemaOf } from '../openapi/json-schema.ts'
import type { Json } from '../openapi/json-schema.ts'
import { clientExample, curlExample, exampleRequest, nodeExample } from './request-examples.ts'

/** One operation: what it takes and answers, its errors, and the same request as a command and in Node. */
export function operationSection(route: DescribedRoute, baseUrl: string): Markup {
  const { method, path, operation } = route
  const { id, summary, description, params, query, body, pageExample } = operation
  const request = exampleRequest(route, baseUrl)
  const tables = [
    ['In the address', 'path', params],
    ['Query', 'query', query],
    ['Body', 'body', body],
  ] as const
  return markup`<article id="${id}"><h2>${summary} <a class="anchor" href="#${id}" aria-label="Link to: ${summary}">#</a></h2>
<p class="path"><span class="method ${method.toLowerCase()}">${method}</span> ${path}</p>
${description !== undefined && prose(description)}
${keyOf(operation)}
${tables.map(
  ([title, place, of]) =>
    of !== undefined &&
    markup`<h3>${title}</h3>${fieldTable(jsonSchemaOf({ name: id, ...of }), { anchor: `${id}.${place}`, label: `${title}: ${summary}`, isRequest: true })}`,
)}
<h3>Example</h3>
<details open><summary>curl</summary><pre tabindex="0"><code>${curlExample(request)}</code></pre></details>
<details><summary>Node</summary><pre tabindex="0"><code>${clientExample(route, baseUrl) ?? nodeExample(request)}</code></pre></details>
${pageExample !== undefined && markup`<details><summary>Browser</summary><pre tabindex="0"><code>${pageExample}</code></pre></details>`}
${answersOf(route)}
<h3>Errors</h3>${errors(route)}</article>`
}

const KEY_WORDS: Readonly<Record<Operation['key'], string>> = {
  secret: 'the secret key, in `x-user-secret-key`',
  public: 'the public key, in `x-user-public-key`',
  oauth: 'an access token, as `Authorization: Bearer`',
  authentication: 'the token of the charge’s `_3ds`, as `Authorization: Bearer`',
  checkout: 'the token of the checkout, as `Authorization: Bearer`',
  metrics: 'what the operator has set',
  none: 'none',
}

function keyOf({ key, scope, isRepeatable }: Operation): Markup {
  const scoped = scope === undefined ? '' : ` with the scope \`${scope}\``
  return markup`<p class="needs"><a href="/docs/guides/authentication">Key</a>: ${inline(KEY_WORDS[key] + scoped)}.
${isRepeatable === true && markup`Takes an <a href="/docs/guides/idempotency"><code>Idempotency-Key</code></a>: repeat it safely.`}</p>`
}

function answersOf(route: DescribedRoute): Markup[] {
  const responses = responsesOf(route, route.operation)
  return route.operation.answers.map(({ status, words, resource }) => {
    const shown = exampleIn(responses[status])
    return markup`<h3>Answer <span class="status">${status}</span></h3><p>${inline(words)}
${resource !== undefined && markup`<code>resource.data</code> is <a href="#object-${resource.name}">${resource.name}</a>.`}</p>
${shown !== undefined && markup`<pre tabindex="0"><code>${JSON.stringify(shown, null, 2)}</code></pre>`}`
  })
}

function exampleIn(response: unknown): unknown {
  if (!isJson(response) || !isJson(response['content'])) return undefined
  const [content] = Object.values(response['content'])
  return isJson(content) ? content['example'] : undefined
}

function errors(route: DescribedRoute): Markup {
  return markup`<dl class="errors" data-unsearched>${[...byStatus(errorsOf(route, route.operation))].map(
    ([status, codes]) =>
      markup`<dt><span class="status">${status}</span> ${STATUS_NAMES[status] ?? ''}</dt>${codes.map(
        (code) =>
          markup`<dd><a href="/docs/errors#${code}"><code>${code}</code></a> ${inline(ERROR_WORDS[code])}</dd>`,
      )}`,
  )}</dl>`
}

interface Table {
  /** What its rows are linked to by, before the name of the field. */
  anchor: string
  label: string
  /** Of a request what is required is marked, of an answer what may be absent. */
  isRequest: boolean
}

/** The fields of an object and its parts: name, type, whether required, and meaning. */
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
