import { createHash } from 'node:crypto'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_STATUS } from '../../../contract/api/envelope.ts'
import { ASK_FOR_HELLO } from '../../../contract/page/widget-channel.ts'
import { answeredError, knownErrorOf } from '../../platform/http/answers/error-answer.ts'
import { FORM_HEADERS, frameContentSecurityPolicy } from './documents.ts'

/**
 * Reports the fault to the page's SDK, of any release, by the port that the SDK sends with its welcome (contract §1, "Page ↔ frame
 * channel"). It says hello as a form does, of this release and of those before 1.3: otherwise the page would take its load for that of a
 * form which it has replaced.
 */
const SCRIPT = `const name = String(Math.random())
let isTaken = false
const sayHello = () => parent.postMessage({
  hello: 'widget.svc', document: name, address: location.pathname + location.search, is_taken: isTaken,
}, '*')
addEventListener('message', (event) => {
  const [port] = event.ports
  if (event.source === parent && event.data === '${ASK_FOR_HELLO}') sayHello()
  const { channel, widget_id, settings } = Object(event.data)
  if (event.source !== parent || port === undefined || channel !== 'widget.svc') return
  isTaken = true
  port.postMessage({
    event: 'systemError',
    purpose: 'payment_source',
    message_source: 'widget.svc',
    ref_id: Object(settings).ref_id ?? '',
    widget_id,
    error: JSON.parse(document.querySelector('#svc-fault').textContent),
  })
})
sayHello()
parent.postMessage('widget.svc hello', '*')`
const STYLE = ':root { color-scheme: light dark; font: 16px system-ui, sans-serif }'
const MIN_RETRYABLE_STATUS = 429

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const POLICY = frameContentSecurityPolicy({
  scripts: sourceOf(SCRIPT),
  styles: sourceOf(STYLE),
  asked: ["'none'"],
  ancestors: [],
})

/**
 * Answers a fault of a framed document as a document: a shopper reads a sentence in the form's place rather than JSON, and the page gets the
 * cause as a `systemError`.
 */
export function answerFaultDocument(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const known = knownErrorOf(error, request)
  const status = ERROR_STATUS[known.code]
  const { code, message } = answeredError(known)
  if (known.retryAfter !== undefined) void reply.header('retry-after', String(known.retryAfter))
  void reply
    .code(status)
    .headers({ ...FORM_HEADERS, 'content-security-policy': POLICY })
    .send(documentOf({ code, message, retryable: status >= MIN_RETRYABLE_STATUS }))
}

/** `<` could end the element that holds the fault. */
function documentOf(fault: { code: string; message: string; retryable: boolean }): string {
  const json = JSON.stringify(fault).replaceAll('<', String.raw`\u003c`)
  return (
    `<!doctype html><html lang="en"><title>Card details</title><style>${STYLE}</style>` +
    `<p>Card payments aren’t available here at the moment.</p>` +
    `<script type="application/json" id="svc-fault">${json}</script><script>${SCRIPT}</script></html>`
  )
}
