import { createServer } from 'node:http'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cents, follow, nextId, order, authorise } from '../testing/gateway-bed.ts'
import { openAdyenBed } from './testing/adyen-bed.ts'
import type { AdyenBed } from './testing/adyen-bed.ts'

interface Given {
  status: number
  body: string
  type?: string
  headers?: Record<string, string>
}

const MINUTE = 60_000
const fault = (status: number, errorCode: string, message: string): Given => ({
  status,
  body: JSON.stringify({ status, errorCode, message, errorType: 'validation' }),
})
const page = (status: number): Given => ({
  status,
  body: '<html><h1>Please wait</h1></html>',
  type: 'text/html',
})
const isTransient = { 'transient-error': 'true' }

const NOT_LET_IN = { sale: 'unreachable', followUp: 'unreachable', asked: 'unknown' }
const NO_ANSWER = { sale: 'unknown', followUp: 'unknown', asked: 'unknown' }
const REFUSED = { sale: 'declined', followUp: 'declined', asked: 'declined' }
/** That a request is malformed says nothing of the payment that it is about. */
const NOT_UNDERSTOOD = { sale: 'declined', followUp: 'unreachable', asked: 'unknown' }

const rows: [string, Given, typeof NO_ANSWER][] = [
  ['400 with a fault', fault(400, '702', 'Structure of the request is invalid'), NOT_UNDERSTOOD],
  ['401 with a fault', fault(401, '000', 'HTTP Status Response - Unauthorized'), NOT_LET_IN],
  ['401 with a page', page(401), NO_ANSWER],
  ['403 for want of a role', fault(403, '010', 'Not allowed'), NOT_LET_IN],
  ['403 for another merchant account', fault(403, '901', 'Invalid Merchant Account'), NOT_LET_IN],
  ['403 with a page', page(403), NO_ANSWER],
  ['404 with a fault', fault(404, '000', 'Not found'), NO_ANSWER],
  ['404 with a page', page(404), NO_ANSWER],
  ['409 for a key in use', fault(409, '704', 'request already processed or in progress'), NO_ANSWER],
  ['422 with a fault', fault(422, '167', 'Original pspReference required for this operation'), REFUSED],
  ['422 for a key in use', fault(422, '704', 'request already processed or in progress'), NO_ANSWER],
  ['422 that may be repeated', { ...fault(422, '000', 'Later'), headers: isTransient }, NO_ANSWER],
  ['429 with a fault', fault(429, '000', 'Too many requests'), NO_ANSWER],
  ['429 with a page', page(429), NO_ANSWER],
  ['500 with a fault', fault(500, '905', 'An internal error occurred'), NO_ANSWER],
  ['502 with a page', page(502), NO_ANSWER],
  ['503 that may be repeated', { ...fault(503, '703', 'Unavailable'), headers: isTransient }, NO_ANSWER],
  ['200 with a page', page(200), NO_ANSWER],
  ['200 with nothing in it', { status: 200, body: '{}' }, NO_ANSWER],
  ['202 with a body', { status: 202, body: '{"status":"received"}' }, NO_ANSWER],
  ['204', { status: 204, body: '' }, NO_ANSWER],
  ['302 to elsewhere', { ...page(302), headers: { location: '/v72/payments' } }, NO_ANSWER],
]

let given: Given
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const { status, body, type = 'application/json;charset=UTF-8', headers } = given
    response.writeHead(status, { ...headers, 'content-type': type }).end(body)
  })
})
let bed: AdyenBed
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  bed = await openAdyenBed({ throughUrl: () => Promise.resolve(`http://127.0.0.1:${port}/v72`) })
})
afterAll(async () => {
  await bed.close()
  server.closeAllConnections()
  server.close()
})

describe.each(rows)('the answer %s', (_, answer, { sale, followUp, asked }) => {
  const amount = cents('100.00')
  const paid = { id: 'PSP0000000000001', amount, capture: false, ageMs: 10 * MINUTE }

  it(`to a sale is ${sale}; when it is asked for, the outcome stays unknown`, async () => {
    given = answer
    expect((await authorise(bed, amount)).kind).toBe(sale)
    for (const ageMs of [MINUTE, 10 * MINUTE]) {
      const question = {
        ...order(amount, nextId()),
        type: 'sale',
        capture: false,
        statementDescriptor: null,
        ageMs,
        minAgeMs: ageMs,
      } as const
      expect(await bed.gateway.outcomeOf(question)).toEqual({ kind: 'unknown' })
    }
  })

  it.each(['capture', 'cancel', 'refund'] as const)(
    `to a %s is ${followUp}; when asked for, ${asked}`,
    async (type) => {
      given = answer
      expect((await bed.gateway[type](follow(paid, amount))).kind).toBe(followUp)
      const question = { ...follow(paid, amount), type, ageMs: MINUTE, minAgeMs: MINUTE }
      expect((await bed.gateway.outcomeOf(question)).kind).toBe(asked)
    },
  )
})

it.each([
  [
    fault(400, '702', 'Invalid JSON'),
    'Adyen does not understand a request of Acme (HTTP 400, 702 Invalid JSON)',
  ],
  [
    fault(403, '901', 'Invalid Merchant Account'),
    '(HTTP 403, 901 Invalid Merchant Account): check its API key, roles and merchant account',
  ],
])('the operator hears, in Adyen’s words, what is to be put right', async (answer, words) => {
  given = answer
  bed.faults.splice(0)
  await bed.gateway.cancel(
    follow({ id: 'PSP0000000000001', amount: cents('1.00'), capture: false, ageMs: 0 }, cents('1.00')),
  )
  expect(bed.faults.map(({ message }) => message)).toEqual([expect.stringContaining(words)])
})
