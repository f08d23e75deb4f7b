import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCard } from '../../testing/test-card.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'

const ALIAS = 'https://cards.shop.example'
let service: TestService
const url = '/v1/payment_sources/tokens'
const tokenise = (payload: object, headers = { 'x-user-public-key': service.merchant.publicKey }) =>
  service.call({ method: 'POST', url, headers, payload })

beforeAll(async () => {
  service = await createTestService({ settings: { SVC_WIDGET_ALIASES: ALIAS } })
})
afterAll(() => service.close())

describe('tokenising a card', () => {
  it('answers a one-time token', async () => {
    const answer = await tokenise(testCard)
    expect(answer).toMatchObject({ status: 201, body: { error: null, resource: { type: 'token' } } })
    expect(answer.body.resource.data).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    ['a four-digit year', { expire_year: 2039, expire_month: 1 }],
    ['spaces and dashes in the number', { card_number: '5111 1111-1111 1118' }],
    ['a gateway of the merchant', { gateway_id: 'own' }],
    ['any gateway', { gateway_id: 'not_configured' }],
    ['a Maestro card without a code', { card_number: '6759649826438453', card_ccv: undefined }],
    ['an address and meta', { address_line1: '1 High St', meta: { order: 7 } }],
  ])('takes %s', async (_name, change: object) => {
    const own = 'gateway_id' in change && change.gateway_id === 'own'
    const card = { ...testCard, ...change, ...(own && { gateway_id: service.merchant.gatewayId }) }
    expect((await tokenise(card)).status).toBe(201)
  })

  it.each([
    ['card_number', { card_number: '5111111111111119' }],
    ['card_number', { card_number: 'none' }],
    ['card_number', { card_number: undefined }],
    ['card_ccv', { card_ccv: '1234' }],
    ['card_ccv', { card_ccv: 'abc' }],
    ['card_ccv', { card_ccv: undefined }],
    ['card_ccv', { card_number: '6759649826438453', card_ccv: '12' }],
    ['expire_month', { expire_month: '13' }],
    ['expire_month', { expire_month: '10', expire_year: '26' }],
    ['expire_year', { expire_year: '126' }],
    ['card_name', { card_name: ' ' }],
    ['card_name', { card_name: '5111 1111 1111 1118' }],
    ['gateway_id', { gateway_id: '6b01799184f819f4cecbe1a7' }],
    ['type', { type: 'bank' }],
    ['meta', { meta: { text: 'x'.repeat(5000) } }],
    ['meta.text', { meta: { text: 'a\0b' } }],
    ['meta', { meta: { 'a\0b': 1 } }],
    ['meta.text', { meta: { text: '\ud800' } }],
    ['meta', { meta: { a: { b: { c: { d: { e: { f: 1 } } } } } } }],
    ['meta.note', { meta: { note: 'card 5111-1111 1111-1118' } }],
    ['meta.a.0', { meta: { a: [5111111111111118] } }],
    ['address_line1', { address_line1: '4012000033330026' }],
    ['first_name', { first_name: '4012 0000 3333 0026' }],
  ])('refuses a wrong %s (%o) and names it', async (path, change) => {
    const answer = await tokenise({ ...testCard, ...change })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details: [{ path }] } },
    })
  })

  it('takes a card without a name, which a form may not ask for', async () => {
    expect((await tokenise({ ...testCard, card_name: undefined })).status).toBe(201)
  })

  it('says nothing of a card back', async () => {
    const answer = await service.raw({
      method: 'POST',
      url,
      headers: { 'x-user-public-key': service.merchant.publicKey },
      payload: { ...testCard, card_number: '5111111111111119', card_ccv: '98765' },
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.body).not.toMatch(/5111|98765/)
  })

  it('needs a public key', async () => {
    expect((await tokenise(testCard, { 'x-user-public-key': 'pk_wrong' })).status).toBe(401)
    expect((await tokenise(testCard, { 'x-user-public-key': service.merchant.secretKey })).status).toBe(401)
    expect((await tokenise(testCard, { 'x-user-public-key': '' })).status).toBe(401)
  })

  it('keeps the number and code encrypted only, and out of the log', async () => {
    await tokenise(testCard)
    const rows = testStatement<{ text: string }>(
      't_all',
      'SELECT t::text AS text FROM payment_source_tokens t',
    )
    const kept = (await service.database.run(rows, [])).map(({ text }) => text).join('\n')
    expect(kept).toContain('1118')
    expect(kept).not.toContain(testCard.card_number)
    expect(kept).not.toContain(Buffer.from(testCard.card_number).toString('hex'))
    expect(service.logged()).toContain('/v1/payment_sources/tokens')
    expect(service.logged()).not.toContain(testCard.card_number)
  })

  it('answers the same token to a card repeated under its key', async () => {
    const headers = (key: string) => ({
      'x-user-public-key': service.merchant.publicKey,
      'idempotency-key': key,
    })
    const [first, second] = [randomUUID(), randomBytes(16).toString('base64url')]
    const answers = await Promise.all(Array.from({ length: 8 }, () => tokenise(testCard, headers(first))))
    expect(new Set(answers.map(({ body }) => body.resource.data)).size).toBe(1)
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true')).toHaveLength(7)
    expect((await tokenise(testCard, headers(second))).body.resource.data).not.toBe(
      answers[0]?.body.resource.data,
    )
    for (const change of [{ expire_month: '02' }, { card_ccv: '101' }]) {
      expect(await tokenise({ ...testCard, ...change }, headers(first))).toMatchObject({
        status: 422,
        body: { error: { code: 'idempotency_key_reused' } },
      })
    }
    expect((await tokenise(testCard, headers('has spaces'))).status).toBe(400)
  })

  it('answers it also when its card is erased by then, and to that card alone', async () => {
    const headers = {
      'x-user-public-key': service.merchant.publicKey,
      'idempotency-key': randomUUID(),
    }
    const token = (await tokenise(testCard, headers)).body.resource.data
    await service.authorise({ token })
    expect((await tokenise(testCard, headers)).body.resource.data).toBe(token)
    const other = await tokenise({ ...testCard, card_ccv: '101' }, headers)
    expect(other.body.error?.code).toBe('idempotency_key_reused')
  })

  it('makes a token for each merchant, even of one card under one key', async () => {
    const other = await service.makeMerchant()
    const key = { 'idempotency-key': randomUUID() }
    const [one, two] = [
      await tokenise(testCard, { 'x-user-public-key': service.merchant.publicKey, ...key }),
      await tokenise(testCard, { 'x-user-public-key': other.publicKey, ...key }),
    ]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(one.body.resource.data).not.toBe(two.body.resource.data)
  })

  it.each([['order-1'], ['card-2026-11-22-00001']])(
    'refuses an Idempotency-Key that could be guessed: %s',
    async (key) => {
      const headers = { 'x-user-public-key': service.merchant.publicKey, 'idempotency-key': key }
      const { status, body } = await tokenise(testCard, headers)
      expect([status, body.error?.code]).toEqual([400, 'validation_error'])
      expect(body.error?.message).toContain('must be random: a UUID')
    },
  )

  it.each([
    ['the origin of the form', 'http://localhost:8080', true],
    ['an alias of it', ALIAS, true],
    ['the page', 'https://shop.example', false],
    ['an alias by another scheme', 'http://cards.shop.example', false],
    ['an alias at another port', `${ALIAS}:8443`, false],
    ['a host below an alias', 'https://evil.cards.shop.example', false],
    ['a host that an alias begins', `${ALIAS}.evil.example`, false],
    ['a document without an origin', 'null', false],
  ])('may be asked across origins by the form alone: %s', async (_who, origin, mayAsk) => {
    for (const method of ['OPTIONS', 'POST'] as const) {
      const { headers } = await service.raw({ method, url, headers: { origin } })
      expect(headers['access-control-allow-origin']).toBe(mayAsk ? origin : 'http://localhost:8080')
      expect(headers.vary).toContain('origin')
    }
  })
})
