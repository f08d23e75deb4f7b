import { request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { Envelope } from '../../../contract/api/envelope.ts'
import { testCard } from '../test-card.ts'
import { createTestService } from '../test-service.ts'
import type { TestService } from '../test-service.ts'
import { isFaultDocument } from '../is-fault-document.ts'
import { malformedRequest } from './malformed-request.ts'
import type { MalformedRequest } from './malformed-request.ts'

/** `npm run fuzz` sends 20,000. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 600)
const AT_ONCE = 16
const MAX_GROWTH_BYTES = 48 * 1024 * 1024

let service: TestService
let port: number
beforeAll(async () => {
  service = await createTestService()
  port = Number(new URL(await service.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => service.close())

describe(`${String(REQUESTS)} malformed requests`, () => {
  it(
    'are each answered in the envelope, none with 500, and leave no memory behind',
    { timeout: 3_600_000 },
    async () => {
      const requests = fc.sample(malformedRequest(await groundOf(service)), REQUESTS)
      const faults: string[] = []
      const statuses = new Map<number, number>()
      let before = 0
      for (let at = 0; at < requests.length; at += AT_ONCE) {
        if (at >= requests.length / 4 && before === 0) before = heapInUse()
        await Promise.all(
          requests.slice(at, at + AT_ONCE).map(async (one) => {
            const answer = await send(one)
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
            const fault = isOauthError(one, answer) ? null : faultOf(answer)
            if (fault !== null)
              faults.push(
                `${fault}: ${one.method} ${one.path.slice(0, 80)} ${one.body.toString().slice(0, 200)}`,
              )
          }),
        )
      }
      expect(faults.slice(0, 5)).toEqual([])
      expect(heapInUse() - before).toBeLessThan(MAX_GROWTH_BYTES)
      expect((await service.call({ url: '/health' })).status).toBe(200)
      console.log('answers by status', Object.fromEntries([...statuses].sort(([a], [b]) => a - b)))
    },
  )
})

const agreement = {
  type: 'adhoc',
  description: 'Power and light',
  purpose: 'utility',
  debtor: { name: 'Grace', type: 'person', pay_id: { type: 'EMAIL', value: 'grace@example.com' } },
  creditor: { name: 'Acme Power', account: { bsb: '802-985', account_number: '123456789' } },
  payment_terms: { amount_type: 'variable', maximum_amount: '200.00' },
  reference: 'r',
}

async function groundOf(tested: TestService) {
  const { routes, merchant, tokenise, authorise } = tested
  const { _id } = await authorise()
  const token = await tokenise()
  const authorization = `Bearer ${await tested.accessToken()}`
  const made = await tested.call({
    method: 'POST',
    url: '/agreements',
    headers: { authorization },
    payload: agreement,
  })
  const agreementId = v.parse(v.looseObject({ _id: v.string() }), made.body.resource.data)._id
  return {
    routes,
    headers: {
      'x-user-secret-key': merchant.secretKey,
      'x-user-public-key': merchant.publicKey,
      authorization,
    },
    bodies: {
      '/tokens': testCard,
      '/charges': {
        amount: '10.00',
        currency: 'AUD',
        token,
        reference: 'r',
        customer: { email: 'a@example.com' },
      },
      '/capture': { amount: '1.00' },
      '/refunds': { amount: '1.00', reference: 'r' },
      '/intent': { version: 1, amount: '10.00', reference: 'r', customer: { email: 'a@example.com' } },
      '/templates': { version: 1, name: 'n', content: {} },
      '/agreements': agreement,
      '/validate': agreement,
      '/agreements/{id}': { description: 'Power, light and gas' },
      '/status': { action: 'suspend', reason_code: 'customer_request' },
      '/agreements/{id}/payments': { amount: '10.00', reference: 'r' },
      '/answers': { answer: 'accept' },
      '/payments': { payment_source: token },
      '/webhooks': { url: 'https://example.com/hooks', events: ['charge.captured'] },
    },
    ids: [_id, agreementId, token, 'a'.repeat(24)],
  }
}

interface RawAnswer {
  status: number
  method: string
  text: string
}

function send({ method, path, headers, body }: MalformedRequest): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const sent = request(
      { port, host: '127.0.0.1', method, path, headers: { ...headers, 'content-length': body.length } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, method, text: Buffer.concat(chunks).toString() }),
        )
      },
    )
    sent.on('error', (error) => resolve({ status: 0, method, text: error.message }))
    sent.end(body)
  })
}

const OauthError = v.object({ error: v.string() })

/** The token endpoint says what was wrong as OAuth clients know it (RFC 6749 §5.2). */
function isOauthError({ path }: MalformedRequest, { status, text }: RawAnswer): boolean {
  if (!path.startsWith('/oauth/token') || ![400, 401].includes(status)) return false
  try {
    return v.is(OauthError, JSON.parse(text)) && !text.includes('"resource"')
  } catch {
    return false
  }
}

/** An error has to be in the envelope, or in the document that replaces a card form, with the same status as the answer. */
function faultOf({ status, method, text }: RawAnswer): string | null {
  if (status === 0) return text
  if (status >= 500) return `answered ${String(status)}`
  if (status < 400 || method === 'HEAD' || isFaultDocument({ status, text })) return null
  try {
    const envelope = v.parse(Envelope, JSON.parse(text))
    return envelope.status === status && envelope.error !== null
      ? null
      : `another status than ${String(status)}`
  } catch {
    return `${String(status)} without the envelope`
  }
}

/** Bytes of the heap after garbage was collected. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  return process.memoryUsage().heapUsed
}
