import { createServer } from 'node:http'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorise, cents, follow } from '../testing/gateway-bed.ts'
import { formOf } from './stripe-api.ts'
import { openStripeBed } from './testing/stripe-bed.ts'
import type { StripeBed } from './testing/stripe-bed.ts'
import { intentLike } from './testing/stripe-shapes.ts'

interface Given {
  status: number
  body: string
  type?: string
  headers?: Record<string, string>
}

const fault = (status: number, type: string, code: string, message = 'No', param?: string): Given => ({
  status,
  body: JSON.stringify({ error: { type, ...(code !== '' && { code }), message, param } }),
})
const request = (status: number, code: string, param?: string) =>
  fault(status, 'invalid_request_error', code, 'No', param)
const page = (status: number): Given => ({ status, body: '<h1>Please wait</h1>', type: 'text/html' })
const UNSAFE = 'Sending credit card numbers directly to the Stripe API is generally unsafe.'

const NO_ANSWER = 'unknown'
const NOT_MOVED = 'unreachable'
const rows: [string, Given, string][] = [
  ['400 about the payment’s state', request(400, 'payment_intent_unexpected_state'), 'declined'],
  ['400 about an amount', request(400, '', 'amount'), 'declined'],
  ['400 for a parameter that Stripe does not know', request(400, 'parameter_unknown', 'x'), NOT_MOVED],
  ['400 for a key that was used otherwise', fault(400, 'idempotency_error', ''), NOT_MOVED],
  ['400 with a page', page(400), NO_ANSWER],
  ['401 with a fault', request(401, ''), NOT_MOVED],
  ['401 with a page', page(401), NO_ANSWER],
  ['402 for the card', fault(402, 'card_error', 'card_declined'), 'declined'],
  ['402 for card numbers that the account may not send', request(402, ''), NOT_MOVED],
  ['403 for want of a permission', request(403, ''), NOT_MOVED],
  ['404 for a payment that there is not', request(404, 'resource_missing', 'intent'), 'declined'],
  ['404 with a page', page(404), NO_ANSWER],
  ['409 for a key in use', fault(409, 'idempotency_error', 'idempotency_key_in_use'), NO_ANSWER],
  ['429 with a fault', request(429, 'lock_timeout'), NOT_MOVED],
  ['429 with a page', page(429), NO_ANSWER],
  ['500 with a fault', fault(500, 'api_error', ''), NO_ANSWER],
  ['503 with a page', page(503), NO_ANSWER],
  ['200 with a page', page(200), NO_ANSWER],
  ['200 with nothing in it', { status: 200, body: '{}' }, NO_ANSWER],
  ['202 with a body', { status: 202, body: '{}' }, NO_ANSWER],
  ['302 to elsewhere', { ...page(302), headers: { location: '/v1/payment_intents' } }, NO_ANSWER],
]

let given: Given
/** The first step of a sale is answered as it should. */
const server = createServer((incoming, response) => {
  let text = ''
  incoming.on('data', (chunk) => (text += String(chunk)))
  incoming.on('end', () => {
    const attemptId = new URLSearchParams(text).get('metadata[attempt_id]')
    const isFirst = incoming.url === '/v1/payment_intents'
    const made = { status: 200, body: JSON.stringify(intentLike({ metadata: { attempt_id: attemptId } })) }
    const { status, body, type = 'application/json', headers }: Given = isFirst ? made : given
    response.writeHead(status, { ...headers, 'content-type': type }).end(body)
  })
})
let bed: StripeBed
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  bed = await openStripeBed({ throughUrl: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await bed.close()
  server.closeAllConnections()
  server.close()
})

const HUNDRED = cents('100.00')
const sale = { id: 'pi_1PgafyB7WZ01zgkWSjxsAJo3', amount: HUNDRED, capture: false, ageMs: 60_000 }

describe.each(rows)('the answer %s', (_, answer, kind) => {
  it(`to the card of a sale, a capture, a cancel and a refund is ${kind}`, async () => {
    given = answer
    const isMalformed = answer.status === 400 && kind === NOT_MOVED
    expect((await authorise(bed, HUNDRED)).kind).toBe(isMalformed ? 'declined' : kind)
    for (const type of ['capture', 'cancel', 'refund'] as const)
      expect((await bed.gateway[type](follow(sale, HUNDRED))).kind).toBe(kind)
  })

  it('settles nothing when an outcome is asked for', async () => {
    given = answer
    for (const type of ['capture', 'cancel', 'refund'] as const) {
      const age = { ageMs: 60_000, minAgeMs: 60_000 }
      const outcome = await bed.gateway.outcomeOf({ ...follow(sale, HUNDRED), ...age, type })
      expect(outcome).toEqual({ kind: 'unknown' })
    }
  })
})

it.each([
  [
    request(400, 'parameter_unknown', 'x'),
    'Stripe does not understand a request of acct_double (HTTP 400, parameter_unknown No)',
  ],
  [
    fault(402, 'invalid_request_error', '', UNSAFE),
    `Stripe refuses the credentials of acct_double (HTTP 402, ${UNSAFE}): check its secret key and what that key may do`,
  ],
])('the operator hears, in Stripe’s words, what is to be put right', async (answer, words) => {
  given = answer
  bed.faults.splice(0)
  await bed.gateway.cancel(follow(sale, HUNDRED))
  expect(bed.faults.map(({ message }) => message)).toEqual([words])
})

it('a decline in which Stripe repeats the card number is kept without it', async () => {
  given = fault(402, 'card_error', '4012000033330026', 'The card 4012 0000 3333 0026 was declined.')
  const answer = await authorise(bed, HUNDRED)
  expect(answer).toMatchObject({ kind: 'declined', description: 'The card … was declined.' })
  expect(JSON.stringify([answer, bed.faults.map(String)])).not.toMatch(/4012|0026/)
})

it('parameters are nested as Stripe’s forms have them, and what is undefined is left out', () => {
  const form = formOf({ amount: 1, expand: ['a', 'b'], card: { number: '4', cvc: undefined }, on: true })
  expect(decodeURIComponent(form)).toBe('amount=1&expand[0]=a&expand[1]=b&card[number]=4&on=true')
})
