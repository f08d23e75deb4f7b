import type { DescribedResource } from '../../platform/http/operation.ts'
import type { DescribedRoute } from '../openapi/document.ts'
import { jsonSchemaOf } from '../openapi/json-schema.ts'
import { fieldTable } from './field-table.ts'
import { markup } from '../../platform/markup.ts'
import type { Markup } from '../../platform/markup.ts'
import { operationSection } from './operation-section.ts'
import type { DocsPage } from './page-shell.ts'

/** In this order; what is not named follows. */
const FIRST = [
  'Charges',
  'Payment sources',
  'Checkouts',
  'Checkout templates',
  'Checkout page',
  'Webhooks',
  'Agreements',
  'Access',
]

/** A page for each group of operations. */
export function referencePages(routes: readonly DescribedRoute[], baseUrl: string): DocsPage[] {
  const names = new Set([...FIRST, ...routes.map(({ operation }) => operation.group)])
  return [...names].flatMap((name) => {
    const own = routes.filter(({ operation }) => operation.group === name)
    // What makes and changes a thing is looked for before what reads it.
    own.sort((one, other) => Number(one.method === 'GET') - Number(other.method === 'GET'))
    return own.length === 0 ? [] : [referencePage(name, own, baseUrl)]
  })
}

function referencePage(title: string, routes: readonly DescribedRoute[], baseUrl: string): DocsPage {
  const resources = resourcesOf(routes)
  return {
    path: `/docs/reference/${title.toLowerCase().replaceAll(' ', '-')}`,
    title,
    summary: `${routes.map(({ operation }) => operation.summary).join(' · ')}.`,
    parts: [
      ...routes.map(({ method, operation: { id, summary } }) => ({ id, title: summary, method })),
      ...resources.map(({ name }) => ({ id: `object-${name}`, title: `${name}: all fields` })),
    ],
    body: markup`<h1>${title}</h1>
<ul class="operations">${routes.map(operationLink)}</ul>
<p>The commands run as they stand once the variables in them are set:
<a href="/docs/guides/first-payment#before-you-begin">before you begin</a>. Those for Node use
<a href="/docs/guides/server-client">the client</a>, <code>@svc/server</code>.</p>
${routes.map((route) => operationSection(route, baseUrl))}
${resources.map(objectSection)}`,
  }
}

function operationLink({ method, path, operation: { id, summary } }: DescribedRoute): Markup {
  return markup`<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> ${summary}
<code>${path}</code></a></li>`
}

/** What these operations answer with, each once. */
function resourcesOf(routes: readonly DescribedRoute[]): DescribedResource[] {
  const all = routes.flatMap(({ operation }) => operation.answers.map(({ resource }) => resource))
  return [...new Map(all.filter((one) => one !== undefined).map((one) => [one.name, one])).values()]
}

function objectSection(resource: DescribedResource): Markup {
  const { name } = resource
  return markup`<section id="object-${name}"><h2>${name}: all fields</h2>
${fieldTable(jsonSchemaOf(resource), { anchor: `object-${name}`, label: `Fields of ${name}`, isRequest: false })}</section>`
}
