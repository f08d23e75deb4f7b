import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkoutCalls } from '../testing/checkout-calls.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { testStatement } from '../testing/test-statement.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

const ofMerchant = () => ({ 'x-user-secret-key': service.merchant.secretKey })
interface Request {
  method: 'POST' | 'PUT' | 'DELETE'
  url: string
  payload?: object
}

const send = (request: Request, key: string, headers: Record<string, string> = ofMerchant()) =>
  service.call({ ...request, headers: { ...headers, 'idempotency-key': key.replaceAll(' ', '-') } })
/** A key of `POST /v1/webhooks` as it is kept. */
const keptAs = (key: string) =>
  createHash('sha256').update(`${service.merchant.merchant.id} POST /v1/webhooks ${key}`).digest('hex')
const Made = v.looseObject({ _id: v.string() })
const idOf = (data: unknown) => v.parse(Made, data)._id

const webhook = {
  method: 'POST',
  url: '/v1/webhooks',
  payload: { url: 'https://example.com/hooks' },
} as const
const template = {
  method: 'POST',
  url: '/v1/checkouts/templates?type=configuration',
  payload: { version: 1, content: {} },
} as const
const make = async (request: Request) =>
  idOf((await service.call({ ...request, headers: ofMerchant() })).body.resource.data)

/** One request of every route that keeps its answers here, on something of its own. */
const requests: [name: string, request: () => Promise<Request>][] = [
  ['POST /v1/webhooks', () => Promise.resolve(webhook)],
  ['DELETE /v1/webhooks/:id', async () => ({ method: 'DELETE', url: `/v1/webhooks/${await make(webhook)}` })],
  ['POST /v1/checkouts/templates', () => Promise.resolve(template)],
  [
    'PUT /v1/checkouts/templates/:id',
    async () => ({
      method: 'PUT',
      url: `/v1/checkouts/templates/${await make(template)}`,
      payload: template.payload,
    }),
  ],
  [
    'DELETE /v1/checkouts/:id',
    async () => ({ method: 'DELETE', url: `/v1/checkouts/${(await checkoutCalls(service).make())._id}` }),
  ],
]

/** A request of the same route that asks for something else. */
async function otherThan(request: Request, requestOf: () => Promise<Request>): Promise<Request> {
  if (request.url === webhook.url) return { ...request, payload: { url: 'https://example.com/others' } }
  if (request.url.includes('?'))
    return { ...request, url: request.url.replace('configuration', 'customisation') }
  return requestOf()
}

describe.each(requests)('%s', (name, requestOf) => {
  it('under one key is carried out once, and answered the same', async () => {
    const request = await requestOf()
    const first = await send(request, `${name}-once`)
    const second = await send(request, `${name}-once`)
    expect(first.status).toBeLessThan(300)
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect([first, second].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true'])
  })

  it('many times at once under one key runs once; the others get the same answer or wait', async () => {
    const request = await requestOf()
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(request, `${name}-at-once`)))
    const fresh = answers.filter(
      ({ status, headers }) => status < 300 && headers['idempotent-replayed'] === undefined,
    )
    expect(fresh).toHaveLength(1)
    for (const { status, body, headers } of answers) {
      if (status === 409)
        expect([body.error?.code, headers['idempotent-replayed']]).toEqual(['request_in_progress', undefined])
      else expect(body).toEqual(fresh[0]?.body)
    }
  })

  it('another request under the key is refused', async () => {
    const request = await requestOf()
    await send(request, `${name}-other`)
    const other = await otherThan(request, requestOf)
    const { status, body, headers } = await send(other, `${name}-other`)
    expect([status, body.error?.code]).toEqual([422, 'idempotency_key_reused'])
    expect(headers['idempotent-replayed']).toBeUndefined()
  })

  it('says in the OpenAPI document that it takes a key', () => {
    const [method, path] = name.split(' ')
    const route = service.routes.find(
      (one) => one.method === method && one.path === path?.replace(/:(\w+)/g, '{$1}'),
    )
    expect(route?.operation?.isRepeatable).toBe(true)
  })
})

it('every route that changes something takes a key', () => {
  const changing = service.routes.filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
  const without = changing.filter(({ operation }) => operation?.isRepeatable !== true)
  // A token is asked for as often as one likes; a step of a bank is carried out once, however often it is told of; a gateway's news counts once (it is in no reference); a checkout is paid once and a
  // payer answers once, key or no key.
  expect(without.map(({ operation }) => operation?.id)).toEqual([
    'createAccessToken',
    'tellAuthentication',
    'giveUpAuthentication',
    'returnFromBankByForm',
    undefined,
    'payCheckout',
    'answerAgreementAsPayer',
  ])
})

it('what is refused may come again under its key', async () => {
  const id = await make(webhook)
  const missing = { method: 'DELETE', url: `/v1/webhooks/${'0'.repeat(24)}` } as const
  expect((await send(missing, 'refused')).status).toBe(404)
  const again = await send(missing, 'refused')
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([404, undefined])
  expect((await send({ method: 'DELETE', url: `/v1/webhooks/${id}` }, 'refused')).status).toBe(200)
})

it('a key is of its merchant alone', async () => {
  const other = await service.makeMerchant()
  const first = await send(webhook, 'shared')
  const second = await send(webhook, 'shared', { 'x-user-secret-key': other.secretKey })
  expect(second.status).toBe(201)
  expect(idOf(second.body.resource.data)).not.toBe(idOf(first.body.resource.data))
})

it('a request cut off in the middle is not done twice; after a minute nobody waits for it', async () => {
  await send(webhook, 'crashed')
  const crash = (ago: string) =>
    testStatement(
      `t_crash_${ago}`,
      `UPDATE idempotent_requests SET answer = NULL, begun_at = now() - interval '${ago} seconds' WHERE key = '${keptAs('crashed')}'`,
    )
  await service.database.run(crash('50'), [])
  expect(await send(webhook, 'crashed')).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
  await service.database.run(crash('70'), [])
  expect(await send(webhook, 'crashed')).toMatchObject({
    status: 503,
    body: { error: { code: 'outcome_unknown' } },
  })
})

it('the secret in a kept answer is sealed, and the answer is forgotten after 30 days', async () => {
  const { body } = await send(webhook, 'sealed')
  const { secret } = v.parse(v.looseObject({ secret: v.string() }), body.resource.data)
  const rows = testStatement<{ answer: Buffer; row: string }>(
    't_kept',
    `SELECT answer, idempotent_requests::text AS row FROM idempotent_requests WHERE key = '${keptAs('sealed')}'`,
  )
  const [kept] = await service.database.run(rows, [])
  expect(kept?.answer.includes(secret)).toBe(false)
  expect(kept?.row).not.toContain(secret)
  const age = "UPDATE idempotent_requests SET begun_at = now() - interval '31 days'"
  await service.database.run(testStatement('t_age_requests', age), [])
  await service.runJob('forget kept answers')
  expect(await service.database.run(rows, [])).toEqual([])
})

const sendText = (key: string, url: string, payload: string) =>
  service.call({
    method: 'POST',
    url,
    headers: {
      'x-user-secret-key': service.merchant.secretKey,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    payload,
  })
const refund = (id: string, payload: string) => sendText(`refund-${id}`, `/v1/charges/${id}/refunds`, payload)

/** A charge that was captured, so that parts of it can be refunded. */
async function captured(): Promise<string> {
  const { _id: id } = await service.authorise({ amount: '100.00' })
  await sendText(`capture-${id}`, `/v1/charges/${id}/capture`, '')
  return id
}

const FIRST = '{"amount":12,"reference":"Café A"}'

describe('the same request under a key', () => {
  it.each([
    ['names in another order', '{"reference":"Café A","amount":12}'],
    ['white space between', ' {\n "amount" : 12 ,\t"reference":"Café A" } '],
    ['another spelling of a number', '{"amount":12.0,"reference":"Café A"}'],
    ['a number with an exponent', '{"amount":1.2e1,"reference":"Café A"}'],
    ['escapes in a text', String.raw`{"amount":12,"reference":"\u0043af\u00e9 A"}`],
    ['escapes in a name', String.raw`{"\u0061mount":12,"reference":"Café A"}`],
  ])('is told by what its JSON means: %s', async (_, repeated) => {
    const id = await captured()
    const first = await refund(id, FIRST)
    expect(first.status).toBe(201)
    const again = await refund(id, repeated)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
  })

  it.each([
    ['an amount as a text', FIRST, '{"amount":"12","reference":"Café A"}'],
    [
      'another normal form of Unicode',
      FIRST,
      JSON.stringify({ amount: 12, reference: 'Café A'.normalize('NFD') }),
    ],
    ['null where a field was left out', '{"amount":12}', '{"amount":12,"reference":null}'],
    ['another amount', FIRST, '{"amount":12.01,"reference":"Café A"}'],
  ])('is not one with %s', async (_, first, other) => {
    const id = await captured()
    expect((await refund(id, first)).status).toBe(201)
    const { status, body } = await refund(id, other)
    expect([status, body.error?.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('is told on every route that keeps its answer, names in names included', async () => {
    const url = '/v1/checkouts/templates?type=customisation'
    const [one, other] = ['{"version":1,"content":{}}', '{"content":{},"version":1}']
    const first = await sendText('template', url, one)
    const again = await sendText('template', url, other)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([first.status, 'true'])
    const intent = (customer: string) =>
      sendText('intent', '/v1/checkouts/intent', `{"amount":"5.00","version":1,"customer":${customer}}`)
    const made = await intent('{"email":"a@example.com","phone":"+61400000000"}')
    const repeated = await intent('{"phone":"+61400000000","email":"a@example.com"}')
    expect([repeated.status, repeated.headers['idempotent-replayed']]).toEqual([made.status, 'true'])
  })

  it.each([
    ['', '{}'],
    ['{}', ' '],
  ])('is told by an empty body, however it is sent: %j and %j', async (one, other) => {
    const { _id: id } = await service.authorise({ amount: '100.00' })
    const capture = (payload: string) => sendText(`capture-${id}`, `/v1/charges/${id}/capture`, payload)
    expect((await capture(one)).status).toBe(201)
    const again = await capture(other)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
  })
})

it('another request under a key is refused in words that move no money twice', async () => {
  const id = await captured()
  await refund(id, FIRST)
  const { status, body } = await refund(id, '{"amount":13}')
  expect([status, body.error?.code]).toEqual([422, 'idempotency_key_reused'])
  expect(body.error?.message).toContain('First read what became of that one')
  expect(body.error?.message).not.toContain('Make a new key')
})
