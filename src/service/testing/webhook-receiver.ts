import { createServer } from 'node:http'
import * as v from 'valibot'
import type { TestService } from './test-service.ts'

const Message = v.object({
  type: v.string(),
  timestamp: v.string(),
  data: v.looseObject({ _id: v.string() }),
})

/** A message as it was received. */
interface Received {
  headers: Record<string, string>
  body: string
  message: v.InferOutput<typeof Message>
}

type Answer = number | 'hang' | Promise<number>

/** A merchant's server: takes messages, and answers each with the next status that it was given, or 204 when there is none. */
export interface WebhookReceiver {
  url: string
  /** In the order in which they came. */
  received: Received[]
  /** In the order in which the events happened: messages may overtake each other. */
  inOrder: () => Received[]
  /** Types of the events that came, in the order in which they happened. */
  types: () => string[]
  /** The statuses of the next answers; an answer waits for one that is a promise. `hang`: no answer at all. */
  answerNext: (...answers: Answer[]) => void
  close: () => Promise<void>
}

export async function createWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  const inOrder = () =>
    [...received].sort((one, other) => (one.message.timestamp < other.message.timestamp ? -1 : 1))
  const answers: Answer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = v.parse(v.record(v.string(), v.string()), request.headers)
      received.push({ headers, body, message: v.parse(Message, JSON.parse(body)) })
      const answer = answers.shift() ?? 204
      if (answer === 'hang') return
      void Promise.resolve(answer).then((status) => {
        if (status === 307) response.setHeader('location', '/elsewhere')
        response.writeHead(status).end()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  return {
    url: `http://127.0.0.1:${String(port)}/hook`,
    received,
    inOrder,
    types: () => inOrder().map(({ message }) => message.type),
    answerNext: (...next) => answers.push(...next),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const MadeWebhook = v.object({ _id: v.string(), secret: v.string() })

/** Makes a webhook of the service's own merchant. */
export async function makeWebhook(
  service: TestService,
  webhook: { url: string; events?: string[] },
): Promise<v.InferOutput<typeof MadeWebhook>> {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const { body } = await service.call({ method: 'POST', url: '/v1/webhooks', headers, payload: webhook })
  return v.parse(MadeWebhook, body.resource.data)
}

/** A request about one webhook: method, path behind the webhook's own, body, headers. */
export type WebhookRequest = [
  method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
  path: string,
  payload?: object,
  headers?: Record<string, string>,
]

/** Asks about a webhook as the service's own merchant. */
export function callWebhook(
  service: TestService,
  id: string,
  ...[method, path, payload, headers = {}]: WebhookRequest
): ReturnType<TestService['call']> {
  return service.call({
    method,
    url: `/v1/webhooks/${id}${path}`,
    headers: { 'x-user-secret-key': service.merchant.secretKey, ...headers },
    ...(payload !== undefined && { payload }),
  })
}

/** Seals what has happened and sends what is due. */
export async function sendWebhooks(service: TestService): Promise<void> {
  await service.runJob('seal events')
  await service.runJob('deliver webhooks')
}
