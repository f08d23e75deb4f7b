import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import * as v from 'valibot'
import { Envelope } from '../../src/contract/api/envelope.ts'
import type { Keys } from '../machines/service-process.ts'
import type { HttpApi } from './http-api.ts'

/** A merchant's server for webhooks. */
export interface WebhookServer {
  url: string
  close: () => Promise<void>
}

/** Starts one that asks `isTaken` of each message: one that is not taken is answered 400, and so is sent again. */
export async function startWebhookServer(
  isTaken: (headers: IncomingHttpHeaders, body: string) => boolean,
): Promise<WebhookServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      response.writeHead(isTaken(request.headers, body) ? 204 : 400).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** How far a message's time may be from the receiver's (Standard Webhooks). */
const TOLERANCE_SECONDS = 300

const Headers = v.object({
  'webhook-id': v.string(),
  'webhook-timestamp': v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number)),
  'webhook-signature': v.string(),
})
const Made = v.object({ secret: v.string() })

/** A merchant's server that takes webhooks, and refuses messages that are not signed or whose time is not current. */
interface WebhookListener {
  /** Ids of the events that were taken. */
  taken: ReadonlySet<string>
  /** Messages that were refused, in words. */
  refused: readonly string[]
  close: () => Promise<void>
}

/** Makes a webhook for all events; `secondsNow` is the receiver's clock. */
export async function listenForWebhooks(
  api: HttpApi,
  { secretKey }: Keys,
  secondsNow: () => number,
): Promise<WebhookListener> {
  const taken = new Set<string>()
  const refused: string[] = []
  let secret = ''
  const faultOf = (received: unknown, body: string): string | null => {
    const {
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': signature,
    } = v.parse(Headers, received)
    if (new Webhook(secret).sign(id, new Date(time * 1000), body) !== signature) return `${id} is not signed`
    const late = Math.round(secondsNow() - time)
    if (Math.abs(late) > TOLERANCE_SECONDS) return `${id} is ${late} s old`
    taken.add(id)
    return null
  }
  const server = await startWebhookServer((headers, body) => {
    const fault = faultOf(headers, body)
    if (fault !== null) refused.push(fault)
    return fault === null
  })
  const { text } = await api.send({
    method: 'POST',
    path: '/v1/webhooks',
    headers: { 'x-user-secret-key': secretKey },
    body: { url: server.url },
  })
  secret = v.parse(Made, v.parse(Envelope, JSON.parse(text)).resource.data).secret
  return { taken, refused, close: server.close }
}
