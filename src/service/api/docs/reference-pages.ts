import * as v from 'valibot'
import { Envelope, ERROR_STATUS } from '../../../contract/api/envelope.ts'
import type { DescribedResource } from '../../platform/http/operation.ts'
import { markup, inline } from '../../platform/markup.ts'
import type { Markup } from '../../platform/markup.ts'
import { byStatus, ERROR_WORDS, isErrorCode, RECORDED, STATUS_NAMES } from '../openapi/answers.ts'
import type { DescribedRoute } from '../openapi/document.ts'
import { jsonSchemaOf } from '../openapi/json-schema.ts'
import { EVENT_WORDS } from '../openapi/webhook-messages.ts'
import { fieldTable, operationSection } from './operation-section.ts'
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

/** Every `error.code`, by status, with what to do. */
export function errorsPage(): DocsPage {
  const statuses = [...byStatus(Object.keys(ERROR_STATUS).filter(isErrorCode))]
  return {
    path: '/docs/errors',
    title: 'Errors',
    summary: 'Every error code, and what to do with each.',
    parts: statuses.map(([status]) => ({
      id: `status-${status}`,
      title: `${status} ${STATUS_NAMES[status] ?? ''}`,
    })),
    body: markup`<h1>Errors</h1>
<p>Branch on <code>error.code</code>: it never changes. <code>error.message</code> is for people.
<a href="/docs/guides/errors-and-retries">Which errors to try again, and how</a>.</p>
${statuses.map(
  ([status, codes]) => markup`<section id="status-${status}"><h2>${status} ${STATUS_NAMES[status] ?? ''}</h2>
<dl class="errors">${codes.map(
    (code) => markup`<dt id="${code}"><code>${code}</code></dt><dd>${inline(ERROR_WORDS[code])}</dd>`,
  )}</dl></section>`,
)}`,
  }
}

/** A message as it comes to a merchant's server: its headers, then its body. */
function exampleMessage(): string {
  const { resource } = v.parse(Envelope, RECORDED['captureCharge']?.body)
  const message = { type: 'charge.captured', timestamp: '2026-11-21T10:00:00.000Z', data: resource.data }
  return `webhook-id: 6b0179b48a1c5e0b3d2f4a61
webhook-timestamp: 1795255200
webhook-signature: v1,…
content-type: application/json

${JSON.stringify(message, null, 2)}`
}

/** Every type of webhook event. */
export function eventsPage(): DocsPage {
  return {
    path: '/docs/events',
    title: 'Types of events',
    summary: 'Every type of webhook event, and what it means.',
    parts: [],
    body: markup`<h1>Types of events</h1>
<p>The types of events that <a href="/docs/guides/webhooks">webhooks</a> send. <code>data</code> is the resource as it was right
after the event. Headers and body of a message:</p>
<pre tabindex="0"><code>${exampleMessage()}</code></pre>
<dl class="errors">${Object.entries(EVENT_WORDS).map(
      ([type, words]) => markup`<dt id="${type}"><code>${type}</code></dt><dd>${words}</dd>`,
    )}</dl>`,
  }
}
