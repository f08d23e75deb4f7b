import * as v from 'valibot'
import { Envelope, ERROR_STATUS } from '../../../contract/api/envelope.ts'
import { byStatus, ERROR_WORDS, isErrorCode } from '../openapi/error-words.ts'
import { RECORDED } from '../openapi/recorded-answers.ts'
import { STATUS_NAMES } from '../openapi/status-names.ts'
import { EVENT_WORDS } from '../openapi/webhook-messages.ts'
import { inline, markup } from '../../platform/markup.ts'
import type { DocsPage } from './page-shell.ts'

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
