import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { chargeCalls, chargeOf } from '../../testing/charge-calls.ts'
import type { ChargeCalls } from '../../testing/charge-calls.ts'
import { checkoutCalls } from '../../testing/checkout-calls.ts'
import { testCard } from '../../testing/test-card.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { Answer, TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createWebhookReceiver, makeWebhook, sendWebhooks } from '../../testing/webhook-receiver.ts'

let service: TestService
let calls: ChargeCalls
beforeAll(async () => {
  service = await createTestService()
  calls = chargeCalls(service)
})
afterAll(() => service.close())

const edit = (id: string, payload: object, headers: object = {}): Promise<Answer> =>
  service.call({
    method: 'PATCH',
    url: `/v1/charges/${id}`,
    headers: { ...calls.secret(), ...headers },
    payload,
  })
const list = (query: string) => service.call({ url: `/v1/charges?${query}`, headers: calls.secret() })
const idsOf = async (query: string) => {
  const { body } = await list(query)
  expect(body.error).toBeNull()
  return v.parse(v.array(ChargeResource), body.resource.data).map(({ _id }) => _id)
}
const readEvents = testStatement<{ id: string; actor: string; facts: object }>(
  't_events_of_charge',
  `SELECT id, actor, facts FROM event_outbox WHERE subject = $1 AND type = 'charge.updated'
   UNION ALL SELECT id, actor, facts FROM events WHERE subject = $1 AND type = 'charge.updated'`,
)
const eventsOf = (id: string) => service.database.run(readEvents, [id])
const pairs = testStatement<{ count: number }>(
  't_pairs',
  'SELECT count(*)::integer AS count FROM charge_metadata WHERE charge_id = $1',
)

describe('metadata of a charge', () => {
  it('is kept and returned, with the text for the card’s statement', async () => {
    const metadata = { order_id: 'A1', customer: 'Zoë' }
    const made = await service.authorise({ metadata, statement_descriptor: 'Acme Shop' })
    expect(made).toMatchObject({ metadata, statement_descriptor: 'Acme Shop' })
    expect(await calls.read(made._id)).toEqual(made)
    expect(await service.authorise()).toMatchObject({ metadata: {}, statement_descriptor: null })
  })

  it.each([
    ['a card number', { metadata: { note: '4111 1111 1111 1111' } }, 'metadata.note'],
    ['a card number as a name', { metadata: { '4111111111111111': 'a' } }, 'metadata'],
    ['a number', { metadata: { order: 7 } }, 'metadata.order'],
    ['a list', { metadata: ['a'] }, 'metadata'],
    ['a statement that no gateway takes', { statement_descriptor: 'Acme*' }, 'statement_descriptor'],
  ])('is refused with %s, and named', async (_, fields, path) => {
    const payload = { amount: '10.00', currency: 'AUD', token: await service.tokenise(), ...fields }
    const { status, body } = await calls.sell(payload)
    expect([status, body.error?.details?.[0]?.path]).toEqual([400, path])
  })
})

describe('a change of a charge’s words', () => {
  it('merges metadata, takes away what is null or empty, and leaves what it does not name', async () => {
    const { _id, __v } = await service.authorise({
      reference: 'order-1',
      metadata: { a: '1', b: '1', c: '1' },
    })
    const answer = await edit(_id, { metadata: { b: '2', c: null, d: '' }, description: 'Two chairs' })
    expect(answer.status).toBe(200)
    const edited = chargeOf(answer)
    expect(edited).toMatchObject({
      reference: 'order-1',
      description: 'Two chairs',
      metadata: { a: '1', b: '2' },
    })
    expect(edited.__v).toBe(__v + 1)
    expect(await calls.read(_id)).toEqual(edited)
    expect(chargeOf(await edit(_id, { reference: null, description: '' }))).toMatchObject({
      reference: null,
      description: null,
      metadata: { a: '1', b: '2' },
    })
    expect(await service.database.run(pairs, [_id])).toEqual([{ count: 2 }])
  })

  it('is told once, by whom it was made and what it changed, and without the texts', async () => {
    const { _id } = await service.authorise({ metadata: { a: 'secretly' } })
    await edit(_id, { metadata: { a: null, b: '2' }, reference: 'order-2' })
    await edit(_id, { metadata: { b: '2' } })
    expect(await eventsOf(_id)).toMatchObject([
      { actor: 'merchant', facts: { changed: 'reference, metadata.a, metadata.b', status: 'pending' } },
    ])
  })

  it.each([
    ['nothing', {}, ''],
    ['what can’t be changed', { amount: '1.00' }, 'amount'],
    ['a card number', { description: 'Card 4111111111111111' }, 'description'],
    ['a card number in metadata', { metadata: { a: '4111111111111111' } }, 'metadata.a'],
    ['a reference that is too long', { reference: 'a'.repeat(251) }, 'reference'],
  ])('is refused with %s', async (_, payload, path) => {
    const { _id } = await service.authorise()
    const { status, body } = await edit(_id, payload)
    expect([status, body.error?.details?.[0]?.path]).toEqual([400, path])
  })

  it('is refused where more than 50 texts would be kept', async () => {
    const texts = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`k${String(from + n)}`, 'a']))
    const { _id } = await service.authorise({ metadata: texts(0, 49) })
    expect((await edit(_id, { metadata: texts(49, 50) })).status).toBe(200)
    const { status, body } = await edit(_id, { metadata: texts(50, 51) })
    expect([status, body.error?.details]).toMatchObject([400, [{ path: 'metadata' }]])
  })

  it('is done for its own merchant alone', async () => {
    const other = await service.makeMerchant()
    const { _id } = await service.authorise({}, other)
    expect((await edit(_id, { reference: 'mine' })).status).toBe(404)
  })

  it('is done once under its Idempotency-Key, and answered as it was', async () => {
    const { _id } = await service.authorise()
    const key = { 'idempotency-key': `edit-${_id}` }
    const first = await edit(_id, { reference: 'first' }, key)
    await edit(_id, { reference: 'second' })
    const again = await edit(_id, { reference: 'first' }, key)
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      200,
      'true',
      first.body,
    ])
    expect((await calls.read(_id)).reference).toBe('second')
  })

  it('is made only to the charge that was read, where If-Match says so', async () => {
    const { _id } = await service.authorise()
    const { headers } = await service.call({ url: `/v1/charges/${_id}`, headers: calls.secret() })
    const ifMatch = { 'if-match': String(headers.etag) }
    const first = await edit(_id, { reference: 'first' }, ifMatch)
    expect([first.status, first.headers.etag === headers.etag]).toEqual([200, false])
    expect((await edit(_id, { reference: 'late' }, ifMatch)).status).toBe(412)
    await calls.capture(_id)
    expect((await edit(_id, { reference: 'later' }, { 'if-match': String(first.headers.etag) })).status).toBe(
      412,
    )
  })

  it('loses none of many that come at once, and keeps no capture from being done', async () => {
    const { _id } = await service.authorise()
    const names = Array.from({ length: 8 }, (_, n) => `k${String(n)}`)
    const [captured, ...edited] = await Promise.all([
      calls.capture(_id),
      ...names.map((name) => edit(_id, { metadata: { [name]: 'a' } })),
    ])
    expect(captured.status).toBe(201)
    expect(edited.map(({ status }) => status)).toEqual(names.map(() => 200))
    const { metadata, status, __v } = await calls.read(_id)
    expect([Object.keys(metadata).sort(), status, __v]).toEqual([names, 'complete', names.length + 1])
    expect(await eventsOf(_id)).toHaveLength(names.length)
  })

  it('is sent to webhooks with the charge as it was then', async () => {
    const receiver = await createWebhookReceiver()
    const hook = await makeWebhook(service, {
      url: receiver.url,
      events: ['charge.updated', 'charge.captured'],
    })
    const { _id } = await service.authorise()
    const edited = chargeOf(await edit(_id, { metadata: { order_id: 'A1' } }))
    const captured = chargeOf(await calls.capture(_id))
    await sendWebhooks(service)
    const own = receiver.inOrder().filter(({ message }) => message.data._id === _id)
    const sent = own.map(({ message }) => [message.type, message.data])
    await service.call({ method: 'DELETE', url: `/v1/webhooks/${hook._id}`, headers: calls.secret() })
    await receiver.close()
    expect(sent).toEqual([
      ['charge.updated', edited],
      ['charge.captured', captured],
    ])
  })
})

describe('a list of charges by metadata', () => {
  it('has those that have the texts, newest first, page by page', async () => {
    const made: string[] = []
    for (const order of ['L1', 'L2', 'L1', 'L1'])
      made.push((await service.authorise({ metadata: { list: order, channel: 'list-web' } }))._id)
    const [first, , third, fourth] = made
    expect(await idsOf('metadata[list]=L1')).toEqual([fourth, third, first])
    const page = await list('metadata[list]=L1&limit=2')
    expect(v.parse(v.array(ChargeResource), page.body.resource.data).map(({ _id }) => _id)).toEqual([
      fourth,
      third,
    ])
    expect(await idsOf(`metadata[list]=L1&limit=2&cursor=${String(page.body.resource.next)}`)).toEqual([
      first,
    ])
    expect(await idsOf('metadata[channel]=list-web&metadata[list]=L2')).toEqual([made[1]])
    expect(await idsOf('metadata[list]=L3')).toEqual([])
    expect(await idsOf('metadata[List]=L1')).toEqual([])
  })

  it('follows changes of metadata, and other filters', async () => {
    const { _id } = await service.authorise({ reference: 'filtered', metadata: { follow: 'old' } })
    await edit(_id, { metadata: { follow: 'new' } })
    expect(await idsOf('metadata[follow]=old')).toEqual([])
    expect(await idsOf('metadata[follow]=new')).toEqual([_id])
    expect(await idsOf('metadata[follow]=new&status=pending&reference=filtered')).toEqual([_id])
    expect(await idsOf('metadata[follow]=new&status=complete')).toEqual([])
    expect(await idsOf('metadata[follow]=old&reference=filtered')).toEqual([])
    expect(await idsOf('metadata[follow]=new&created_at.from=2100-01-01')).toEqual([])
  })

  it('has no charges of other merchants', async () => {
    const other = await service.makeMerchant()
    await service.authorise({ metadata: { whose: 'theirs' } }, other)
    expect(await idsOf('metadata[whose]=theirs')).toEqual([])
  })

  it.each([
    ['skip', 'metadata[a]=1&skip=1', 'skip'],
    ['a text that is given twice', 'metadata[a]=1&metadata[a]=2', 'metadata.a'],
    ['no text', 'metadata[a]=', 'metadata'],
    ['no name', 'metadata[]=1', 'metadata.'],
    ['metadata without a name', 'metadata=1', 'metadata'],
    ['a card number', 'metadata[a]=4111111111111111', 'metadata.a'],
    ['brackets on another filter', 'status[a]=pending', 'status[a]'],
  ])('is refused with %s', async (_, query, path) => {
    const { status, body } = await list(query)
    expect([status, body.error?.details?.[0]?.path]).toEqual([400, path])
  })
})

describe('metadata of a checkout', () => {
  it('is changed while nobody pays, and goes to the charge that pays it', async () => {
    const checkouts = checkoutCalls(service)
    const made = await checkouts.make({
      metadata: { order_id: 'C1', note: 'x' },
      statement_descriptor: 'Acme Shop',
    })
    expect(made).toMatchObject({ metadata: { order_id: 'C1', note: 'x' }, statement_descriptor: 'Acme Shop' })
    const change = (payload: object) =>
      service.call({ method: 'PATCH', url: `/v1/checkouts/${made._id}`, headers: calls.secret(), payload })
    const { status, body } = await change({ metadata: { note: null, table: '7' }, reference: 'order-7' })
    expect([status, body.resource.data]).toMatchObject([
      200,
      { reference: 'order-7', metadata: { order_id: 'C1', table: '7' } },
    ])
    await checkouts.pay(made.token, await checkouts.tokenise(made.token, testCard))
    const { charge_id: id } = await checkouts.read(made._id)
    expect(await calls.read(id ?? '')).toMatchObject({
      reference: 'order-7',
      metadata: { order_id: 'C1', table: '7' },
      statement_descriptor: 'Acme Shop',
    })
    const late = await change({ metadata: { note: 'late' } })
    expect([late.status, late.body.error?.code]).toEqual([422, 'unfulfilled_condition'])
    expect(late.body.error?.message).toContain('charge_id')
  })
})
