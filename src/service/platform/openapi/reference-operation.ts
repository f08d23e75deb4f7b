import { responsesOf } from './answers.ts'
import { curlExample } from './curl-example.ts'
import type { DescribedRoute } from './document.ts'
import { isJson, jsonSchemaOf } from './json-schema.ts'
import type { Json } from './json-schema.ts'
import { inline, markup, prose } from './markup.ts'
import type { Markup } from './markup.ts'

/** One operation as the page shows it: words and fields on one side, a command and its answer on the other. */
export function operationArticle(route: DescribedRoute, baseUrl: string): Markup {
  const { method, path, operation } = route
  const { id, summary, description, params, query, body } = operation
  return markup`<article id="${id}"><header><h3>${summary}</h3>
<p class="path"><span class="method ${method.toLowerCase()}">${method}</span> ${path}</p>
${description !== undefined && prose(description)}</header>
<div>
${params !== undefined && fields('In the address', jsonSchemaOf({ name: id, ...params }))}
${query !== undefined && fields('Query', jsonSchemaOf({ name: id, ...query }))}
${body !== undefined && fields('Body', jsonSchemaOf({ name: id, ...body }))}
<h4>Answers</h4>${answers(responsesOf(route, operation))}
</div>
<div><h4>Command</h4><pre tabindex="0"><code>${curlExample(method, baseUrl + path, operation)}</code></pre>
${example(route)}</div></article>`
}

function fields(title: string, schema: Json, prefix = ''): Markup {
  return markup`<h4>${title}</h4><dl>${rowsOf(schema, prefix)}</dl>`
}

function rowsOf(schema: Json, prefix: string): Markup[] {
  const { properties, required } = schema
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  return Object.entries(isJson(properties) ? properties : {}).flatMap(([name, inner]) => {
    const field = isJson(inner) ? inner : {}
    const row = markup`<div><dt><code>${prefix}${name}</code> <span class="kind">${kindOf(field)}</span>
${isRequired(name) && markup`<span class="must">required</span>`}</dt>
${typeof field['description'] === 'string' && markup`<dd>${inline(field['description'])}</dd>`}</div>`
    return [row, ...rowsOf(field, `${prefix}${name}.`)]
  })
}

function kindOf(field: Json): string {
  const { $ref, const: only, enum: some, type, format, maxLength, default: fallback } = field
  if (typeof $ref === 'string') return $ref.split('/').at(-1)?.toLowerCase() ?? ''
  if (only !== undefined) return JSON.stringify(only)
  const list = Array.isArray(some) ? some.map((one) => JSON.stringify(one)).join(' | ') : undefined
  return [
    list ?? (typeof type === 'string' ? type : 'string or number'),
    typeof format === 'string' ? format : '',
    typeof maxLength === 'number' ? `up to ${maxLength}` : '',
    fallback === undefined ? '' : `default ${JSON.stringify(fallback)}`,
  ]
    .filter((words) => words !== '')
    .join(', ')
}

function answers(responses: Json): Markup[] {
  return Object.entries(responses).map(([status, response]) => {
    const description =
      isJson(response) && typeof response['description'] === 'string' ? response['description'] : ''
    return markup`<details><summary><b>${status}</b> ${Number(status) < 300 ? 'done' : 'refused or failed'}</summary>${prose(description)}</details>`
  })
}

function example({ operation, resourceType }: DescribedRoute): Markup | false {
  const [answer] = operation.answers
  if (answer?.resource === undefined) return false
  const { status, resource, isPage } = answer
  const shown = {
    status,
    error: null,
    resource: { type: resourceType, data: isPage === true ? [resource.example] : resource.example },
  }
  return markup`<h4>Answer</h4><pre tabindex="0"><code>${JSON.stringify(shown, null, 2)}</code></pre>`
}
