import type { Operation } from '../../platform/http/operation.ts'
import { errorsOf, responsesOf } from '../openapi/answers.ts'
import type { DescribedRoute } from '../openapi/document.ts'
import { byStatus, ERROR_WORDS } from '../openapi/error-words.ts'
import { isJson, jsonSchemaOf } from '../openapi/json-schema.ts'
import { STATUS_NAMES } from '../openapi/status-names.ts'
import { clientExample } from './examples/client-example.ts'
import { curlExample } from './examples/curl-example.ts'
import { exampleRequest } from './examples/example-request.ts'
import { fieldTable } from './field-table.ts'
import { inline, markup, prose } from '../../platform/markup.ts'
import type { Markup } from '../../platform/markup.ts'
import { nodeExample } from './examples/node-example.ts'

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
