import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '../contract/api/scope.ts'
import { createTestService } from '../service/testing/test-service.ts'
import type { TestService } from '../service/testing/test-service.ts'
import { sendWebhooks } from '../service/testing/webhook-receiver.ts'
import { etagOf } from './sending/etags.ts'
import { SvcClient } from './svc-client.ts'

let service: TestService
let client: SvcClient
let baseUrl: string
beforeAll(async () => {
  service = await createTestService()
  baseUrl = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const { merchant, secretKey } = service.merchant
  const oauth = await service.oauth.clients.make(merchant.id, SCOPES)
  if (oauth === null) throw new Error('there is no merchant')
  client = new SvcClient({ baseUrl, secretKey, oauth })
})
afterAll(() => service.close())

/** What the card form tells of the browser. */
const BROWSER = {
  language: 'en-AU',
  time_zone_offset: -600,
  screen_width: 390,
  screen_height: 844,
  color_depth: 24,
}

const newCharge = async (reference = 'order-1') =>
  ({ amount: '10.00', currency: 'AUD', token: await service.tokenise(), reference }) as const

describe('charges', () => {
  it('are held, captured in part and given back', async () => {
    const held = await client.charges.create({ ...(await newCharge()), capture: false })
    expect(held).toMatchObject({ status: 'pending', amount: 10, authorization: true })
    expect(await client.charges.capture(held._id, { amount: '7.50' })).toMatchObject({ status: 'complete' })
    const refunded = await client.charges.refund(held._id)
    expect(refunded.statistics.total_refunded_amount).toBe(7.5)
    expect(await client.charges.retrieve(held._id)).toEqual(refunded)
  })

  it('are held and released', async () => {
    const { _id: id } = await client.charges.create({ ...(await newCharge()), capture: false })
    expect(await client.charges.cancel(id)).toMatchObject({ status: 'cancelled' })
  })

  it('whose card holder is asked carry what the page needs, and are read once it is over', async () => {
    const { authentication } = { authentication: 'challenge' } as const
    const token = await service.tokenise({ browser: BROWSER })
    const key = { idempotencyKey: 'order-1-asked-charge' }
    const asking = { ...(await newCharge()), token, authentication }
    const asked = await client.charges.create(asking, key)
    expect(asked).toMatchObject({
      status: 'pre_authentication_pending',
      _3ds: { status: 'pending', asked_by: 'merchant' },
    })
    expect(asked._3ds?.token).toMatch(/^[\w-]{20,}$/)
    expect(await client.charges.create(asking, key)).toEqual(asked)
    const answer = await fetch(`${baseUrl}/v1/authentications/${asked._3ds?.id ?? ''}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${asked._3ds?.token ?? ''}` },
    })
    expect(answer.status).toBe(200)
    const ended = await client.charges.retrieve(asked._id)
    expect(ended).toMatchObject({ status: 'not_authenticated', _3ds: { status: 'cancelled' } })
    expect(ended._3ds).not.toHaveProperty('token')
  })

  it('pass on an authentication that another provider made', async () => {
    const made = { version: '2.2.0', eci: '05', cryptogram: 'AAIBBYNoEQAAAAAAg4PyBhdAEQs=' } as const
    const authentication_result = { ...made, ds_trans_id: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b' }
    const charge = await client.charges.create({ ...(await newCharge()), authentication_result })
    expect(charge).toMatchObject({ status: 'complete', _3ds: { eci: '05', liability_shifted: true } })
    expect(JSON.stringify(charge)).not.toContain(made.cryptogram)
  })

  it('that are declined are errors that carry the charge', async () => {
    const token = await service.tokenise({ expire_month: '05' })
    await expect(client.charges.create({ ...(await newCharge()), token })).rejects.toMatchObject({
      name: 'SvcError',
      code: 'transaction_declined',
      status: 422,
      retryable: false,
      charge: { status: 'failed' },
    })
  })

  it('that are declined don’t put the shopper’s details into a log', async () => {
    const token = await service.tokenise({ expire_month: '05' })
    const customer = { email: 'grace@example.com' }
    const error: unknown = await client.charges
      .create({ ...(await newCharge()), token, customer })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ charge: { customer } })
    expect(`${inspect(error, { depth: 9 })} ${JSON.stringify(error)}`).not.toMatch(/grace|Hopper/i)
  })

  it('that are not valid are errors that name the fields', async () => {
    const call = client.charges.create({ ...(await newCharge()), amount: '1,000.00' })
    await expect(call).rejects.toMatchObject({ code: 'validation_error', details: [{ path: 'amount' }] })
  })

  it('are listed over pages, newest first, as far as one asks', async () => {
    const made: string[] = []
    while (made.length < 5) made.unshift((await client.charges.create(await newCharge('listed')))._id)
    const found: string[] = []
    for await (const { _id } of client.charges.list({ reference: 'listed', limit: 2 })) found.push(_id)
    expect(found).toEqual(made)
    const first = await client.charges.list({ reference: 'listed', limit: 3 }).page()
    expect(first.data.map(({ _id }) => _id)).toEqual(made.slice(0, 3))
    const second = await client.charges.list({ reference: 'listed', limit: 3 }).page(first.next ?? '')
    expect([second.data.map(({ _id }) => _id), second.next]).toEqual([made.slice(3), null])
  })

  it('are changed in words, as they were read, and found by metadata', async () => {
    const metadata = { order_id: 'A 1&2', note: 'x' }
    const made = await client.charges.create({ ...(await newCharge('words')), metadata })
    const read = await client.charges.retrieve(made._id)
    const change = { reference: null, metadata: { note: null } }
    const changed = await client.charges.update(made._id, change, { ifMatch: etagOf(read) })
    expect([changed.reference, changed.metadata]).toEqual([null, { order_id: 'A 1&2' }])
    const late = client.charges.update(made._id, { reference: 'late' }, { ifMatch: etagOf(read) })
    await expect(late).rejects.toMatchObject({ code: 'precondition_failed' })
    const found = await client.charges.list({ metadata: { order_id: 'A 1&2' } }).page()
    expect(found.data).toEqual([changed])
  })
})

describe('checkouts', () => {
  it('are made by templates, read, listed and cancelled', async () => {
    const { _id: id } = await client.checkoutTemplates.create('customisation', {
      version: 1,
      content: { theme: 'soft' },
    })
    const template = await client.checkoutTemplates.replace(id, { version: 1, content: { theme: 'outline' } })
    expect(await client.checkoutTemplates.retrieve(id)).toEqual(template)
    expect(await client.checkoutTemplates.list({ type: 'customisation' }).page()).toMatchObject({
      data: [{ revision: 2 }],
    })
    const checkout = await client.checkouts.create({
      version: 1,
      amount: '10.00',
      customisation: { template_id: id },
    })
    expect(checkout.token).toMatch(/^eyJ/)
    expect(await client.checkouts.retrieve(checkout._id)).toMatchObject({ journey: [{ step: 'created' }] })
    expect(await client.checkouts.cancel(checkout._id)).toMatchObject({ status: 'cancelled' })
    expect((await client.checkouts.list({ status: 'cancelled' }).page()).data).toHaveLength(1)
    const versions: number[] = []
    for await (const { version } of client.checkouts.versions()) versions.push(version)
    expect(versions).toEqual([1, 2])
  })
})

describe('webhooks', () => {
  it('are made, tried out, listed and deleted', async () => {
    const webhook = await client.webhooks.create({
      url: 'http://localhost:9/hooks',
      events: ['charge.captured'],
    })
    expect(webhook.secret).toMatch(/^whsec_/)
    const { event_id: eventId } = await client.webhooks.test(webhook._id)
    await sendWebhooks(service)
    expect(await client.webhooks.resend(webhook._id, eventId)).toMatchObject({ type: 'test.ping' })
    expect((await client.webhooks.deliveries(webhook._id, { limit: 1 }).page()).data).toHaveLength(1)
    expect((await client.webhooks.list().page()).data).toHaveLength(1)
    const changed = await client.webhooks.update(webhook._id, { events: ['*'], status: 'disabled' })
    expect(changed).toMatchObject({ status: 'disabled' })
    const rolled = await client.webhooks.rollSecret(webhook._id, { overlap_seconds: 60 })
    expect(rolled.secret).not.toBe(webhook.secret)
    expect(rolled.old_secret_ends_at).not.toBeNull()
    await client.webhooks.delete(webhook._id)
    await expect(client.webhooks.retrieve(webhook._id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

it('events are listed and read', async () => {
  const { _id } = await client.checkouts.create({ version: 1, amount: '10.00' })
  await client.checkouts.cancel(_id)
  await sendWebhooks(service)
  const [event] = (await client.events.list({ type: 'checkout.cancelled', limit: 1 }).page()).data
  expect(event).toMatchObject({ type: 'checkout.cancelled', data: { _id, status: 'cancelled' } })
  expect(await client.events.retrieve(event?._id ?? '')).toEqual(event)
})

describe('agreements', () => {
  const asked = {
    type: 'adhoc',
    description: 'Membership',
    purpose: 'retail',
    debtor: {
      name: 'Grace Hopper',
      type: 'person',
      pay_id: { type: 'EMAIL', value: 'approve@sandbox.example' },
    },
    creditor: { name: 'Acme Gym', account: { bsb: '802-985', account_number: '123456789' } },
    payment_terms: { amount_type: 'variable', maximum_amount: '50.00' },
    metadata: { member: '1' },
  } as const

  it('are made by an access token that the client gets, amended by their ETag, and listed', async () => {
    expect(await client.agreements.validate(asked)).toMatchObject({ valid: true })
    const made = await client.agreements.create(asked)
    const amended = await client.agreements.amend(
      made._id,
      { reference: 'member-1' },
      { ifMatch: etagOf(made) },
    )
    const again = client.agreements.amend(made._id, { reference: 'member-2' }, { ifMatch: etagOf(made) })
    await expect(again).rejects.toMatchObject({ code: 'precondition_failed', status: 412 })
    expect(etagOf(amended)).not.toBe(etagOf(made))
    expect(() => etagOf({ ...amended })).toThrow(TypeError)
    const found: string[] = []
    for await (const { reference } of client.agreements.list()) found.push(reference ?? '')
    expect(found).toEqual(['member-1'])
    const change = { action: 'cancel', reason_code: 'customer_request' } as const
    expect(await client.agreements.changeStatus(made._id, change)).toMatchObject({ status: 'cancelled' })
    const { history } = await client.agreements.retrieve(made._id)
    expect(history?.map(({ type }) => type)).toEqual(['created', 'amended', 'cancelled'])
  })

  it('take payments once they are active', async () => {
    const { _id: id } = await client.agreements.create(asked)
    const early = client.agreements.pay(id, { amount: '10.00', reference: 'invoice-1' })
    await expect(early).rejects.toMatchObject({ code: 'unfulfilled_condition' })
    await service.runJob('send instructions')
    await service.runJob('receive notices')
    const payment = await client.agreements.pay(id, { amount: '10.00', reference: 'invoice-1' })
    expect(await client.agreements.retrievePayment(payment._id)).toMatchObject({
      status: 'received',
      amount: 10,
    })
    expect((await client.agreements.payments(id).page()).data).toHaveLength(1)
  })

  it('are refused to a wrong client in the words of OAuth', async () => {
    const wrong = new SvcClient({ baseUrl, oauth: { clientId: 'nobody', clientSecret: 'nothing' } })
    await expect(wrong.agreements.retrieve('0'.repeat(24))).rejects.toMatchObject({
      code: 'invalid_client',
      status: 401,
    })
  })
})
