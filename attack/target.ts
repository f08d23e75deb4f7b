import { askedHolder } from '../src/service/testing/asked-holder.ts'
import { Agent, request } from 'node:http'
import * as v from 'valibot'
import { checkoutCalls } from '../src/service/testing/checkout-calls.ts'
import { testCard } from '../src/service/testing/test-card.ts'
import { createTestService } from '../src/service/testing/test-service.ts'
import { disputedCharge } from '../src/service/domains/disputes/testing/disputed-charge.ts'
import type { TestService } from '../src/service/testing/test-service.ts'

/** A raw request, which may be malformed in every part. */
export interface Hostile {
  method: string
  /** Path and query, as they stand in the request line. */
  path: string
  headers?: Readonly<Record<string, string | readonly string[]>>
  body?: Buffer | string
}

export interface RawAnswer {
  /** 0: the connection ended without an answer. */
  status: number
  contentType: string
  /** `WWW-Authenticate`, '' where there is none. */
  challenge: string
  text: string
}

/** A service that listens on a port of its own, and what an attacker or a merchant would know of it. */
export interface Target {
  service: TestService
  port: number
  send: (hostile: Hostile) => Promise<RawAnswer>
  /** Texts that no answer of the API may hold; its public description shows the sandbox's card. */
  secretsFor: (path: string) => readonly string[]
  /** Throws unless it still answers. */
  mustBeWell: () => Promise<void>
  close: () => Promise<void>
}

/** Thousands of wrong keys are sent here, so the limit is lifted; the limit has tests of its own. */
const MANY_WRONG_KEYS = { SVC_RATE_LIMIT_WRONG_KEYS: '99999999' }

/** `prepare` sees the service before it listens. */
export async function createTarget(
  settings: Record<string, string> = {},
  prepare: (service: TestService) => void = () => undefined,
): Promise<Target> {
  const service = await createTestService({ settings: { ...MANY_WRONG_KEYS, ...settings } })
  prepare(service)
  const port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const send = (hostile: Hostile) => sendTo(port, agent, hostile)
  return {
    service,
    port,
    send,
    secretsFor: (path) => [
      service.merchant.secretKey,
      ...(path.startsWith('/v1/') ? [testCard.card_number, 'node_modules/', '/src/service/'] : []),
    ],
    async mustBeWell() {
      const { status, text } = await send({ method: 'GET', path: '/health' })
      if (status !== 200) throw new Error(`the service is not well: ${String(status)} ${text}`)
    },
    async close() {
      agent.destroy()
      await service.close()
    },
  }
}

function sendTo(
  port: number,
  agent: Agent,
  { method, path, headers, body = '' }: Hostile,
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const gone = (error: Error) => resolve({ status: 0, contentType: '', challenge: '', text: error.message })
    const length = Buffer.byteLength(body)
    const sized = { ...headers, ...(length > 0 && { 'content-length': String(length) }) }
    const sent = request({ port, host: '127.0.0.1', agent, method, path, headers: sized }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', gone)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          contentType: answer.headers['content-type'] ?? '',
          challenge: answer.headers['www-authenticate'] ?? '',
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    sent.on('error', gone)
    sent.end(body)
  })
}

const Id = v.object({ _id: v.string() })
const Deliveries = v.array(v.object({ event_id: v.string() }))

/** One of everything that a merchant can have, so that hostile requests get far. */
export interface Fixtures {
  disputeId: string
  documentId: string
  chargeId: string
  checkoutId: string
  checkoutToken: string
  accessToken: string
  templateId: string
  webhookId: string
  /** The id of a delivery to that webhook. */
  eventId: string
  /** Of a charge whose card holder is asked by their bank, with its token. */
  authentication: { id: string; token: string }
}

export async function makeFixtures(service: TestService): Promise<Fixtures> {
  const checkouts = checkoutCalls(service)
  const { _id: chargeId } = await service.authorise()
  const { _id: checkoutId, token: checkoutToken } = await checkouts.make()
  const templateId = await checkouts.makeTemplate('configuration', { schemes: ['visa'] })
  const { body } = await service.call({
    method: 'POST',
    url: '/v1/webhooks',
    headers: checkouts.secret(),
    payload: { url: 'https://shop.example/hook' },
  })
  const webhookId = v.parse(Id, body.resource.data)._id
  return {
    ...(await disputeWithDocument(service)),
    chargeId,
    checkoutId,
    checkoutToken,
    accessToken: await service.accessToken(),
    templateId,
    webhookId,
    eventId: await deliveredEvent(service, webhookId),
    authentication: await askedHolder(service),
  }
}

/** A dispute that can be answered, with a document. */
async function disputeWithDocument(
  service: TestService,
): Promise<Pick<Fixtures, 'disputeId' | 'documentId'>> {
  const { _id: chargeId } = await disputedCharge(service, '9000.41')
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const { body } = await service.call({ url: `/v1/disputes?charge_id=${chargeId}`, headers })
  const [{ _id: disputeId }] = v.parse(v.tuple([Id]), body.resource.data)
  const added = await service.call({
    method: 'POST',
    url: `/v1/disputes/${disputeId}/documents`,
    headers,
    payload: {
      type: 'invoice',
      name: 'invoice.pdf',
      content_type: 'application/pdf',
      content: 'JVBERi0xLjQKJSVFT0YK',
    },
  })
  const { documents } = v.parse(v.object({ documents: v.tuple([Id]) }), added.body.resource.data)
  return { disputeId, documentId: documents[0]._id }
}

/** The id of an event that is to be delivered to a webhook. */
async function deliveredEvent(service: TestService, webhookId: string): Promise<string> {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const url = `/v1/webhooks/${webhookId}`
  await service.authorise()
  await service.runJob('seal events')
  const { body } = await service.call({ url: `${url}/deliveries`, headers })
  const [delivery] = v.parse(Deliveries, body.resource.data)
  if (delivery === undefined) throw new Error('nothing is to be delivered')
  return delivery.event_id
}
