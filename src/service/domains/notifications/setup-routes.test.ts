import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  GatewayNotifications,
  ListedArrival,
  MadePassword,
  ReachResult,
} from '../../../contract/dashboard/company/gateway.ts'
import { Overview } from '../../../contract/dashboard/overview.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { createHttpClient } from '../../platform/outbound/http-client.ts'
import { asking, createTestSessions } from '../dashboard/testing/signed-in.ts'
import type { AskDashboard } from '../dashboard/testing/signed-in.ts'
import { toldOf } from '../gateways/adyen/testing/double-ledger.ts'
import { SIGNING_KEY, signedNotification } from '../gateways/adyen/testing/signed-notification.ts'
import { signedEvent } from '../gateways/stripe/testing/dispute-ledger.ts'
import { chargeLike } from '../gateways/stripe/testing/stripe-shapes.ts'
import { NO_SECRETS } from './notification-secrets.ts'
import { answerQuestion, checkReach, questionFor } from './reach.ts'

const sessions = createTestSessions()
let service: TestService
let ask: AskDashboard
let owner: string
beforeAll(async () => {
  service = await createTestService({ findSession: sessions.findSession })
  ask = asking(service)
  owner = sessions.open({ merchantId: service.merchant.merchant.id })
})
afterAll(() => service.close())

const ACCOUNTS = {
  adyen: { api_key: 'k', merchant_account: 'Acme', base_url: 'http://127.0.0.1:9/v72' },
  stripe: { api_key: 'sk_test_1', merchant_account: 'acct_1', base_url: 'http://127.0.0.1:9' },
}
const OTHER_KEY = SIGNING_KEY.replaceAll('4', '5')

/** A gateway of the merchant, and what its page may do. */
async function page(type: keyof typeof ACCOUNTS) {
  const gateway = { name: type, type, isDefault: false, credentials: ACCOUNTS[type] }
  const id = (await service.merchants.addGateway(service.merchant.merchant.id, gateway)) ?? ''
  const url = `/api/gateways/${id}/notifications`
  const read = async () => {
    await service.runJob('note what gateways send')
    return v.parse(GatewayNotifications, (await ask(owner, { url })).body.resource.data)
  }
  const giveKey = (signing_key: string) =>
    ask(owner, { method: 'PUT', url: `${url}/signing_key`, payload: { signing_key } })
  const makePassword = async () =>
    v.parse(MadePassword, (await ask(owner, { method: 'POST', url: `${url}/password` })).body.resource.data)
  const endFormer = () => ask(owner, { method: 'DELETE', url: `${url}/former` })
  const send = async ({ headers, body }: { headers: Record<string, string>; body: string }) => {
    const request = { method: 'POST', url: `/gateways/${id}/notifications`, headers, payload: body } as const
    return (await service.raw(request)).statusCode
  }
  return { id, url, read, giveKey, makePassword, endFormer, send }
}

/** Whether notifications of a gateway arrive, as the list has it; undefined if it is not in the list. */
async function listed(id: string) {
  await service.runJob('note what gateways send')
  const { body } = await ask(owner, { url: '/api/gateway_arrivals' })
  return v.parse(v.array(ListedArrival), body.resource.data).find((one) => one.id === id)?.arrival
}

let told = 0
/** A notification of Adyen by such secrets. */
function byAdyen(signingKey: string, { user, password }: { user: string; password: string }) {
  told += 1
  const facts = { pspReference: `TOLD${told}`, merchantReference: 'testMerchantRef1' }
  const item = toldOf({ pspReference: '', amount: 10_150 }, 'AUTHORISATION', facts)
  return signedNotification([item], { signingKeys: [signingKey], user, password })
}
const byStripe = (secret: string) => signedEvent({ type: 'charge.updated', object: chargeLike({}) }, secret)

describe('notifications of Adyen are set up on the dashboard', () => {
  it('by an address, a password that is shown once, and a key that is shown never', async () => {
    const adyen = await page('adyen')
    const { user, password, url } = await adyen.makePassword()
    expect(url).toBe(`http://localhost:8080/gateways/${adyen.id}/notifications`)
    expect((await adyen.giveKey('no key')).body.error?.details).toEqual([
      { path: 'signing_key', message: 'must be an HMAC key of Adyen: hex digits alone, 64 as a rule' },
    ])
    expect((await adyen.giveKey(` ${SIGNING_KEY} `)).status).toBe(200)
    expect(await adyen.read()).toMatchObject({ url, user, has_signing_key: true, heard_at: null })
    expect(JSON.stringify(await adyen.read())).not.toContain(password)
    expect(service.logged()).not.toContain(password)
    expect(service.logged()).not.toContain(SIGNING_KEY)
    expect(await adyen.send(byAdyen(SIGNING_KEY, { user, password }))).toBe(200)
    const { heard_at, newest_heard_at, refused } = await adyen.read()
    expect([heard_at, newest_heard_at, refused]).toEqual([expect.any(String), heard_at, null])
  })

  it.each([
    ['another key', OTHER_KEY, {}, /another HMAC key/],
    ['another password', SIGNING_KEY, { password: 'wrong' }, /another user or password/],
  ])('and what is proved by %s is counted, with what to put right', async (_, key, change, why) => {
    const adyen = await page('adyen')
    const made = await adyen.makePassword()
    await adyen.giveKey(SIGNING_KEY)
    for (let times = 0; times < 2; times += 1)
      expect(await adyen.send(byAdyen(key, { ...made, ...change }))).toBe(401)
    const { refused, heard_at } = await adyen.read()
    expect([refused?.count, heard_at]).toEqual([2, null])
    expect(refused?.why).toMatch(why)
  })

  it('and are replaced without a gap: the former ones are good until they are ended', async () => {
    const adyen = await page('adyen')
    const first = await adyen.makePassword()
    await adyen.giveKey(SIGNING_KEY)
    const second = await adyen.makePassword()
    await adyen.giveKey(OTHER_KEY)
    expect(await adyen.send(byAdyen(SIGNING_KEY, first))).toBe(200)
    const { heard_at, newest_heard_at, has_former } = await adyen.read()
    expect([typeof heard_at, newest_heard_at, has_former]).toEqual(['string', null, true])
    expect(await adyen.send(byAdyen(OTHER_KEY, second))).toBe(200)
    expect((await adyen.read()).newest_heard_at).not.toBeNull()
    expect((await adyen.endFormer()).status).toBe(200)
    expect(await adyen.send(byAdyen(SIGNING_KEY, second))).toBe(401)
    expect(await adyen.send(byAdyen(OTHER_KEY, first))).toBe(401)
    expect(await adyen.send(byAdyen(OTHER_KEY, second))).toBe(200)
    expect((await adyen.endFormer()).status).toBe(404)
  })

  it('by two people at once, and neither change is lost', async () => {
    const adyen = await page('adyen')
    await Promise.all([adyen.makePassword(), adyen.giveKey(SIGNING_KEY)])
    const { user, has_signing_key } = await adyen.read()
    expect([typeof user, has_signing_key]).toEqual(['string', true])
  })
})

describe('notifications of Stripe', () => {
  it('need no password, and none is made', async () => {
    const stripe = await page('stripe')
    const refused = await ask(owner, { method: 'POST', url: `${stripe.url}/password` })
    expect(refused.body.error?.message).toContain('sends no password')
    expect((await stripe.giveKey('sk_test_1')).body.error?.details?.[0]?.message).toContain(
      'begins with whsec_',
    )
    expect((await stripe.giveKey('whsec_0123456789abcdef')).status).toBe(200)
    expect(await stripe.send(byStripe('whsec_another_secret'))).toBe(401)
    expect((await stripe.read()).refused?.why).toContain('signed by another secret')
    expect(await stripe.send(byStripe('whsec_0123456789abcdef'))).toBe(200)
    expect((await stripe.read()).newest_heard_at).not.toBeNull()
  })

  it('that come without their header say that a proxy may take it away', async () => {
    const stripe = await page('stripe')
    await stripe.giveKey('whsec_0123456789abcdef')
    expect(await stripe.send({ ...byStripe('x'), headers: { 'content-type': 'application/json' } })).toBe(401)
    expect((await stripe.read()).refused?.why).toContain('Stripe-Signature')
  })

  it('of the sandbox are none', async () => {
    const sandbox = (await service.merchants.gateways(service.merchant.merchant.id)).find(
      ({ type }) => type === 'sandbox',
    )
    const url = `/api/gateways/${sandbox?.id ?? ''}/notifications`
    expect((await ask(owner, { url })).status).toBe(404)
  })
})

it('the list of arrivals has each gateway that sends notifications, and follows what comes', async () => {
  const adyen = await page('adyen')
  const arrivals: unknown[] = []
  const note = async () => {
    const inList = await listed(adyen.id)
    expect((await adyen.read()).arrival).toBe(inList)
    arrivals.push(inList)
  }
  await note()
  await adyen.giveKey(SIGNING_KEY)
  await note()
  const made = await adyen.makePassword()
  await note()
  await adyen.send(byAdyen(OTHER_KEY, made))
  await note()
  await adyen.send(byAdyen(SIGNING_KEY, made))
  await note()
  expect(arrivals).toEqual(['missing', 'missing', 'waiting', 'refused', 'arrives'])
  const others = await service.merchants.gateways(service.merchant.merchant.id)
  expect(await listed(others.find(({ type }) => type === 'sandbox')?.id ?? '')).toBeUndefined()
})

it('the list of arrivals has all gateways where the secrets of one can’t be opened', async () => {
  const stripe = await page('stripe')
  const locked = await page('stripe')
  for (const one of [stripe, locked]) await one.giveKey('whsec_0123456789abcdef')
  await service.database.script(
    `UPDATE gateway_notification_secrets SET master_key_id = 'lost' WHERE gateway_id = '${locked.id}'`,
  )
  expect([await listed(stripe.id), await listed(locked.id)]).toEqual(['waiting', 'waiting'])
})

describe('a gateway that takes payments and tells nothing', () => {
  const move = testStatement(
    't_paid_two_days_ago',
    `UPDATE charges SET gateway_id = $1, created_at = now() - interval '2 days' WHERE id = $2`,
  )
  const silence = testStatement(
    't_heard_three_days_ago',
    "UPDATE gateway_notification_secrets SET heard_at = now() - interval '3 days' WHERE gateway_id = $1",
  )
  it('needs attention from a day after the payment until a notification comes', async () => {
    const stripe = await page('stripe')
    const needs = async () => {
      const { body } = await ask(owner, { url: '/api/overview' })
      const { needs_attention } = v.parse(Overview, body.resource.data)
      return needs_attention.filter(({ kind }) => kind === 'gateway_silent').flatMap(({ items }) => items)
    }
    expect(await needs()).toEqual([])
    const { _id } = await service.authorise()
    await service.database.run(move, [stripe.id, _id])
    expect((await needs()).map(({ id, words }) => [id, words])).toEqual([[stripe.id, 'stripe']])
    expect((await stripe.read()).silent_since).not.toBeNull()
    await stripe.giveKey('whsec_0123456789abcdef')
    await stripe.send(byStripe('whsec_0123456789abcdef'))
    expect((await stripe.read()).silent_since).toBeNull()
    expect(await needs()).toEqual([])
    await service.database.run(silence, [stripe.id])
    expect((await stripe.read()).arrival).toBe('silent')
    expect(await listed(stripe.id)).toBe('silent')
  })
})

describe('the test of the address', () => {
  const secrets = { ...NO_SECRETS, signingKeys: ['whsec_0123456789abcdef'] }
  const send = createHttpClient({ timeoutMs: 2000, maxBytes: 10_000, wants: 'whole answer', idleMs: 0 })
  let close: () => void = () => undefined
  afterEach(() => close())

  /** A server on this machine that answers with what `reply` makes of a request. */
  async function serve(reply: (headers: Record<string, string | undefined>, body: Buffer) => string | null) {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { authorization } = request.headers
        const answer = reply({ authorization }, Buffer.concat(chunks))
        response.writeHead(answer === null ? 401 : 200).end(answer ?? '')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    close = () => void server.close()
    return `http://127.0.0.1:${v.parse(v.object({ port: v.number() }), server.address() satisfies AddressInfo | string | null).port}/gateways/1/notifications`
  }
  const test = async (url: string) => {
    const question = questionFor(secrets)
    if (question === null) throw new Error('there are secrets')
    return checkReach(send, url, question)
  }

  it('finds this service, and says that a gateway does not reach an address of this machine', async () => {
    const url = await serve((headers, body) => answerQuestion({ headers, body }, secrets))
    expect(await test(url)).toMatchObject({ state: 'only_here' })
  })

  it('is content where a public name with a certificate leads to it', async () => {
    const question = questionFor(secrets)
    if (question === null) throw new Error('there are secrets')
    const answered = () => Promise.resolve({ status: 200, headers: {}, body: question.answer })
    const at = (url: string) => checkReach(answered, url, question)
    expect(await at('https://pay.example/gateways/1/notifications')).toMatchObject({ state: 'reached' })
    expect(await at('http://pay.example/gateways/1/notifications')).toMatchObject({ state: 'only_here' })
    expect(await at('https://10.0.0.1/gateways/1/notifications')).toMatchObject({ state: 'only_here' })
  })

  it.each([
    [
      'takes the header away',
      (_: object, body: Buffer) => answerQuestion({ headers: {}, body }, secrets),
      /Authorization/,
    ],
    [
      'writes the body anew',
      (headers: Record<string, string | undefined>, body: Buffer) =>
        answerQuestion({ headers, body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))) }, secrets),
      /changes the body/,
    ],
    ['is another one that takes everything', () => 'OK', /Something else answers at .* \(HTTP 200\)/],
  ])('fails where the server %s', async (_, reply, words) => {
    const found = await test(await serve(reply))
    expect(found).toMatchObject({ state: 'failed' })
    expect(found.message).toMatch(words)
  })

  it('says where nothing answers, and why', async () => {
    const found = await test('http://127.0.0.1:9/gateways/1/notifications')
    expect(found.state).toBe('failed')
    expect(found.message).toContain('Nothing answers at 127.0.0.1:9 (ECONNREFUSED')
  })

  it('is answered by the route of notifications, keeps nothing and is no notification', async () => {
    const stripe = await page('stripe')
    expect((await ask(owner, { method: 'POST', url: `${stripe.url}/test` })).body.error?.message).toContain(
      'enter the signing key first',
    )
    await stripe.giveKey('whsec_0123456789abcdef')
    const question = questionFor(secrets)
    expect(await stripe.send(question ?? { headers: {}, body: '' })).toBe(200)
    expect(await stripe.read()).toMatchObject({ heard_at: null, refused: null, waiting: 0 })
    const forged = questionFor({ ...secrets, signingKeys: ['another'] })
    expect(await stripe.send(forged ?? { headers: {}, body: '' })).toBe(401)
    const { body } = await ask(owner, { method: 'POST', url: `${stripe.url}/test` })
    expect(v.parse(ReachResult, body.resource.data).state).toBe('failed')
  })
})
