import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AuthenticationSession } from '../../../contract/api/charges/authentication.ts'
import { BANK_RETURNED } from '../../../contract/page/authentication-setup.ts'
import type { ChargeResource } from '../../../contract/api/charges/charge-resource.ts'
import { ChargeResource as Charge } from '../../../contract/api/charges/charge-resource.ts'
import { checkoutCalls } from '../../testing/checkout-calls.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { Answer, TestService } from '../../testing/test-service.ts'
import { freeStep, takeStep } from './authentication-store.ts'
import { listUnknownOutcomes } from './unknown-outcomes.ts'
import {
  browsers,
  changed,
  events,
  keepStep,
  loseStep,
  makeDue,
  makeIdle,
  makeOftenAsked,
  makeOld,
  makeOver,
  makeOverInAttempt,
  stepOf,
} from './testing/authentication-statements.ts'
import { bank, bankGateway, BROWSER, resetBank } from './testing/told-bank.ts'

let service: TestService
beforeAll(async () => {
  service = await createTestService({ gateways: { sandbox: bankGateway } })
})
afterAll(() => service.close())
beforeEach(resetBank)

const Shown = v.object({ _3ds: v.object({ id: v.string(), token: v.string() }) })

async function sold(
  change: { token?: string; [name: string]: unknown } = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { token = await service.tokenise({ browser: BROWSER }) } = change
  return service.call({
    method: 'POST',
    url: '/v1/charges',
    headers: { 'x-user-secret-key': service.merchant.secretKey, ...headers },
    payload: { amount: '10.00', currency: 'AUD', authentication: 'challenge', ...change, token },
  })
}
/** A charge whose card holder is asked, as its page knows it. */
async function asked(change: Parameters<typeof sold>[0] = {}) {
  const { body } = await sold(change)
  const charge = v.parse(Charge, body.resource.data)
  const { id, token } = v.parse(Shown, body.resource.data)._3ds
  const page = (method: 'GET' | 'POST' | 'DELETE', payload?: object, by = token) =>
    service.call({
      method,
      url: `/v1/authentications/${id}`,
      headers: { authorization: `Bearer ${by}` },
      ...(payload && { payload }),
    })
  const session = async (answer: Promise<Answer> = page('GET')) =>
    v.parse(AuthenticationSession, (await answer).body.resource.data)
  return { charge, id, token, page, session }
}
const read = async (id: string): Promise<ChargeResource> => {
  const headers = { 'x-user-secret-key': service.merchant.secretKey }
  const { body } = await service.call({ method: 'GET', url: `/v1/charges/${id}`, headers })
  return v.parse(Charge, body.resource.data)
}
const eventsOf = async (id: string) => {
  const waiting = await service.database.run(events, [id])
  return waiting.map(({ type }) => type).sort()
}
/** Their time is over, and a job sees it. */
const endTime = async ({ _id: id }: ChargeResource) => {
  await service.database.run(makeOver, [id])
  await service.runJob('resolve attempts')
}
const saleOf = ({ transactions }: ChargeResource) =>
  transactions.find(({ type }) => type === 'sale')?._id ?? ''
const askedAbout = (charge: ChargeResource) =>
  bank.asked.filter(({ attemptId }) => attemptId === saleOf(charge)).map(({ what }) => what)
const returned = (id: string) =>
  ({
    method: 'POST',
    url: `/3ds/${id}/return`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }) as const
/** The bank’s page sends the browser back. */
const back = async (id: string, cres: string) => {
  const { statusCode } = await service.raw({ ...returned(id), payload: `cres=${cres}` })
  expect(statusCode).toBe(200)
}
const unknown = async () => (await listUnknownOutcomes(service.database)).length
describe('a charge whose bank asks the card holder', () => {
  it('is answered with what the page needs, and holds nothing yet', async () => {
    const { charge, session } = await asked()
    expect(charge).toMatchObject({ status: 'pre_authentication_pending', capture: false })
    expect(charge.transactions.map(({ type, status }) => `${type} ${status}`)).toEqual([
      '3ds pending',
      'sale pending',
    ])
    expect(await session()).toMatchObject({
      status: 'pending',
      step: { kind: 'challenge', url: 'https://acs.example/' },
      succeeded: null,
    })
    expect((await read(charge._id))._3ds).not.toHaveProperty('token')
  })

  it('tells the gateway of browser, address and email; the token keeps no browser after that', async () => {
    const email = 'grace@example.com'
    const token = await service.tokenise({ browser: BROWSER, email })
    const [kept] = await service.database.run(browsers, [])
    expect(kept).toEqual({ kept: 1 })
    await sold({ token })
    expect(bank.ofHolder).toMatchObject({ browser: { ...BROWSER, address: '127.0.0.1' }, email })
    await sold({ customer: { email: 'ada@example.com' } })
    expect(bank.ofHolder).toMatchObject({ email: 'ada@example.com' })
    expect(await service.database.run(browsers, [])).toEqual([{ kept: 0 }])
  })

  it('goes on by what the bank’s page sends back, once: 24 at once ask the gateway once', async () => {
    const { charge, id, session } = await asked()
    await Promise.all(Array.from({ length: 24 }, () => back(id, 'true')))
    expect(await session()).toMatchObject({ status: 'authenticated', step: null, succeeded: true })
    expect(askedAbout(charge)).toEqual(['finish 0 returned'])
    const now = await read(charge._id)
    expect(now).toMatchObject({
      status: 'complete',
      _3ds: { status: 'authenticated', eci: '05', liability_shifted: true, asked_by: 'gateway' },
    })
    expect(JSON.stringify(now)).not.toContain('cryptogram')
    expect(await eventsOf(charge._id)).toEqual([
      'charge.authenticated',
      'charge.authentication_required',
      'charge.captured',
    ])
  })

  it('has a hidden step first where the bank wants one, which the page tells of', async () => {
    const { charge, id, page, session } = await asked({ authentication: 'automatic' })
    const told = { kind: 'method', step_number: 0, completed: true }
    expect(await session(page('POST', told))).toMatchObject({ step_number: 1, step: { kind: 'challenge' } })
    expect(await session(page('POST', told))).toMatchObject({ step_number: 1, step: { kind: 'challenge' } })
    await back(id, 'true')
    expect((await read(charge._id)).status).toBe('complete')
    expect(askedAbout(charge)).toEqual(['finish 0 method', 'finish 1 returned'])
  })

  it('believes nothing: what is forged changes nothing, and the bank’s own word counts', async () => {
    const { charge, id, session } = await asked()
    await back(id, 'forged')
    expect(await session()).toMatchObject({ status: 'pending', step: { kind: 'challenge' } })
    bank.said[saleOf(charge)] = 'wrong'
    await back(id, 'true')
    expect(await read(charge._id)).toMatchObject({
      status: 'failed',
      _3ds: { status: 'failed' },
      transactions: [
        { type: '3ds', status: 'failed', error_code: 'authentication_failed' },
        { type: 'sale', status: 'failed', error_code: 'authentication_failed' },
      ],
    })
    expect(await eventsOf(charge._id)).toContain('charge.failed')
  })

  it('hears the bank, too, while the page is asking, and where something forged was told before', async () => {
    const { charge, id, page } = await asked()
    bank.loses = 1
    await back(id, 'forged')
    const looking = page('POST', { kind: 'look', step_number: 0 })
    await Promise.all([looking, back(id, 'true')])
    expect((await read(charge._id)).status).toBe('complete')
  })

  it('hears the bank in maintenance, too, as it tells once', async () => {
    const { charge, id, page } = await asked()
    const maintenance = async (sql: string) => {
      await service.database.script(sql)
      await service.runJob('follow maintenance')
    }
    await maintenance("INSERT INTO maintenance VALUES ('service', 60)")
    await back(id, 'true')
    const { status } = await page('GET')
    await maintenance('DELETE FROM maintenance')
    expect([status, (await read(charge._id)).status]).toEqual([503, 'complete'])
  })

  it.each([
    ['of an unknown step', { url: `/3ds/${'a'.repeat(24)}/return` }, 404],
    ['of none', { url: '/3ds/none/return' }, 400],
    ['with too much', { payload: `cres=${'a'.repeat(40_000)}` }, 413],
    ['in JSON', { headers: { 'content-type': 'application/json' }, payload: '{}' }, 415],
    ['with nothing', { payload: '' }, 404],
  ])('shows the card holder no error of a return %s: our own page asks', async (_, change, status) => {
    const request = { ...returned('a'.repeat(24)), payload: 'cres=true', ...change }
    const { statusCode, headers, body } = await service.raw(request)
    expect([statusCode, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(body).toContain(BANK_RETURNED)
    expect(body).toContain('<meta name="color-scheme" content="light dark">')
    expect(headers['content-security-policy']).toContain('sha256-')
  })

  it('has its gateway asked 100 times by pages at most; who gives up, or a job, still ends it', async () => {
    const { charge, id } = await asked()
    for (let times = 0; times < 105; times += 1) await back(id, 'forged')
    expect(askedAbout(charge)).toHaveLength(100)
    const left = await asked()
    await service.database.run(makeOftenAsked, [left.charge._id])
    expect(await left.session(left.page('DELETE'))).toMatchObject({ status: 'cancelled' })
    await endTime(charge)
    expect((await read(charge._id)).status).toBe('not_authenticated')
  })

  it('that is cancelled holds nothing', async () => {
    const { charge, page, session } = await asked()
    expect(await session(page('DELETE'))).toMatchObject({ status: 'cancelled', succeeded: false })
    expect(await read(charge._id)).toMatchObject({
      status: 'not_authenticated',
      _3ds: { status: 'cancelled' },
    })
    expect(await eventsOf(charge._id)).toContain('charge.not_authenticated')
  })

  it('that nobody finishes is ended after 15 minutes, and not before', async () => {
    const { charge } = await asked()
    await service.runJob('resolve attempts')
    expect((await read(charge._id)).status).toBe('pre_authentication_pending')
    await endTime(charge)
    expect(await read(charge._id)).toMatchObject({
      status: 'not_authenticated',
      _3ds: { status: 'timed_out' },
    })
    expect(askedAbout(charge)).toEqual(['finish 0 look', 'abandon'])
  })

  it('that the card holder cancelled at the bank is cancelled, though its time was over by then', async () => {
    const { charge } = await asked()
    bank.said[saleOf(charge)] = 'cancelled'
    await endTime(charge)
    expect((await read(charge._id))._3ds).toMatchObject({ status: 'cancelled' })
  })

  it.each(['before', 'after'])(
    'whose answer is lost %s its time is over is finished by a job',
    async (when) => {
      const { charge, id } = await asked()
      bank.loses = 1
      await back(id, 'true')
      expect((await read(charge._id)).status).toBe('pre_authentication_pending')
      if (when === 'after') await service.database.run(makeOver, [charge._id])
      await service.runJob('resolve attempts')
      expect((await read(charge._id)).status).toBe('complete')
      expect(askedAbout(charge)).toEqual(['finish 0 returned', 'finish 0 returned'])
    },
  )

  it('is ended by its time while nobody else asks: the bank that tells at that moment waits', async () => {
    const { charge, id } = await asked()
    bank.loses = 1
    await back(id, 'forged')
    await service.database.run(makeOver, [charge._id])
    let telling: Promise<void> | undefined
    bank.whileAbandoning = async () => {
      telling = back(id, 'true')
      await sleep(300)
    }
    await service.runJob('resolve attempts')
    await telling
    expect(askedAbout(charge)).toEqual(['finish 0 returned', 'finish 0 returned', 'abandon'])
    expect((await read(charge._id)).status).toBe('not_authenticated')
  })

  it('is asked about by one at a time, also where one who took too long lets go', async () => {
    const { id } = await asked()
    const { database } = service
    const take = () => takeStep(database, { id, stepNumber: 0 }, null)
    const late = await take()
    await database.run(makeIdle, [id])
    const next = await take()
    if (late === null || next === null) throw new Error('nobody could ask')
    await freeStep(database, late)
    expect(await take()).toBeNull()
    await freeStep(database, next)
    expect(await take()).not.toBeNull()
  })

  it('is not ended by its time while a step has no answer, which may have been carried out', async () => {
    const { charge, id } = await asked()
    bank.loses = 2
    await back(id, 'true')
    await endTime(charge)
    await service.runJob('resolve attempts')
    expect((await read(charge._id)).status).toBe('complete')
    expect(askedAbout(charge)).not.toContain('abandon')
  })

  it('that was cancelled after the bank had told is finished by what it told', async () => {
    const { charge, id, page } = await asked()
    bank.loses = 1
    await back(id, 'true')
    await page('DELETE')
    expect((await read(charge._id)).status).toBe('complete')
    expect(askedAbout(charge)).not.toContain('abandon')
  })

  it.each([
    ['something forged', 'challenge', ['finish 0 returned', 'finish 0 returned', 'abandon']],
    ['a hidden step', 'automatic', ['finish 0 method', 'finish 0 method', 'abandon']],
  ])('that is cancelled after %s of which no answer came holds nothing', async (_what, wish, done) => {
    const { charge, id, page, session } = await asked({ authentication: wish })
    bank.loses = 1
    if (wish === 'challenge') await back(id, 'forged')
    else await page('POST', { kind: 'method', step_number: 0, completed: true })
    expect(await session(page('DELETE'))).toMatchObject({ status: 'cancelled', succeeded: false })
    expect(askedAbout(charge)).toEqual(done)
  })

  it('hears what a bank may send back of 20,000 characters, as long as Adyen’s may be', async () => {
    const { charge, id } = await asked()
    const result = 'x'.repeat(20_000)
    const send = async (payload: string) => (await service.raw({ ...returned(id), payload })).statusCode
    expect(await send(`cres=true&redirectResult=${result}`)).toBe(200)
    expect((await read(charge._id)).status).toBe('complete')
    expect(await send(`redirectResult=${result}x`)).toBe(400)
  })

  it('whose step was never kept is ended by the gateway', async () => {
    const { charge } = await asked()
    await service.database.run(loseStep, [charge._id])
    await service.runJob('resolve attempts')
    expect((await read(charge._id)).status).toBe('not_authenticated')
  })

  it('is answered the same under its Idempotency-Key, with the same token', async () => {
    const payload = { token: await service.tokenise({ browser: BROWSER }) }
    const headers = { 'idempotency-key': 'order-3ds-0123456789' }
    const [first, second] = [await sold(payload, headers), await sold(payload, headers)]
    expect(second.body.resource.data).toEqual(first.body.resource.data)
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true'])
  })

  it('is answered the same, too, while its gateway may be asked about it', async () => {
    const payload = { token: await service.tokenise({ browser: BROWSER }) }
    const headers = { 'idempotency-key': 'order-3ds-9876543210' }
    const first = await sold(payload, headers)
    const { _id: id } = v.parse(Charge, first.body.resource.data)
    await service.database.run(makeDue, [id])
    const second = await sold(payload, headers)
    expect([second.status, second.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(second.body.resource.data).toEqual(first.body.resource.data)
  })

  it('is neither captured, cancelled nor refunded meanwhile, in words that say what it waits for', async () => {
    const { charge } = await asked()
    const headers = { 'x-user-secret-key': service.merchant.secretKey }
    for (const [method, path] of [
      ['POST', 'capture'],
      ['DELETE', 'capture'],
      ['POST', 'refunds'],
    ] as const) {
      const url = `/v1/charges/${charge._id}/${path}`
      const { status, body } = await service.call({ method, url, headers })
      expect([status, body.error?.code]).toEqual([409, 'request_in_progress'])
      expect(body.error?.message).toContain('bank is asking them')
    }
  })

  it('has no step of a number of any size: telling of one changes nothing', async () => {
    const { charge, page } = await asked()
    for (const step_number of [1, 2 ** 31, 1e300])
      for (const told of [{ kind: 'look' }, { kind: 'method', completed: true }])
        expect((await page('POST', { ...told, step_number })).status).toBe(200)
    expect(askedAbout(charge)).toEqual([])
  })

  it('shows its page nothing without its token, or with that of another', async () => {
    const [one, other] = [await asked(), await asked()]
    for (const by of ['x', other.token]) expect((await one.page('GET', undefined, by)).status).toBe(401)
    expect((await one.page('DELETE', undefined, other.token)).status).toBe(401)
    expect(await one.session()).toMatchObject({ status: 'pending' })
  })

  it('says so, too, to a page that asks at the very moment of its end', async () => {
    const { charge, id, page } = await asked()
    const [kept] = await service.database.run(stepOf, [charge._id])
    await back(id, 'true')
    await service.database.run(keepStep, [charge._id, kept?.step, kept?.key, kept?.master])
    bank.said[saleOf(charge)] = 'passed'
    expect((await page('POST', { kind: 'look', step_number: 0 })).status).toBe(200)
    expect(askedAbout(charge)).toEqual(['finish 0 returned'])
  })

  it('is none of the unknown outcomes', async () => {
    const before = await unknown()
    const { charge } = await asked()
    await service.database.run(makeOld, [charge._id])
    expect(await unknown()).toBe(before)
  })

  it('is one of them once its time is over and its gateway does not say what came of a step', async () => {
    const before = await unknown()
    const { charge, id } = await asked()
    await service.database.run(makeOld, [charge._id])
    bank.loses = 100
    await back(id, 'true')
    await service.database.run(makeOver, [charge._id])
    await service.database.run(makeOverInAttempt, [charge._id])
    await service.runJob('resolve attempts')
    expect(askedAbout(charge)).toEqual(['finish 0 returned', 'finish 0 returned'])
    expect(await unknown()).toBe(before + 1)
  })

  it('where nobody had to be asked shows what the bank said', async () => {
    const { body } = await sold({ authentication: 'never' })
    const charge = v.parse(Charge, body.resource.data)
    expect(charge).toMatchObject({
      status: 'complete',
      _3ds: { flow: 'frictionless', status: 'authenticated', expires_at: null },
    })
    expect(await eventsOf(charge._id)).toEqual(['charge.authenticated', 'charge.captured'])
  })
})

describe('whether card holders are authenticated', () => {
  const setAccount = async (wish: 'automatic' | 'challenge' | 'never') => {
    const { merchant, gatewayId } = service.merchant
    expect(await service.merchants.changeAuthentication(merchant.id, gatewayId ?? '', wish)).toBe(true)
  }
  afterAll(() => setAccount('automatic'))

  it.each(['challenge', 'never', 'automatic'] as const)(
    'is as the gateway account says where the request does not: %s',
    async (wish) => {
      await setAccount(wish)
      await sold({ authentication: undefined })
      expect(bank.wishes).toEqual([wish])
    },
  )

  it('is as the request says before the account', async () => {
    await setAccount('challenge')
    await sold({ authentication: 'automatic' })
    await setAccount('never')
    await sold({ authentication: 'challenge' })
    expect(bank.wishes).toEqual(['automatic', 'challenge'])
  })

  it.each([
    ['challenge', 'automatic'],
    ['never', 'never'],
  ] as const)(
    'is not %s by the account where the request names an exemption, but %s',
    async (account, wish) => {
      await setAccount(account)
      await sold({ authentication: undefined, exemption: 'low_value' })
      expect(bank.wishes).toEqual([wish])
    },
  )

  it.each(['request', 'account'])('asks in vain by the %s: the card came from no browser', async (by) => {
    await setAccount(by === 'account' ? 'challenge' : 'automatic')
    const token = await service.tokenise()
    const refused = await sold({ token, ...(by === 'account' && { authentication: undefined }) })
    expect([refused.status, refused.body.error?.code]).toEqual([422, 'authentication_required'])
    expect((await sold({ token, authentication: 'never' })).status).toBe(201)
  })

  it('is as the template says of a checkout, before the account', async () => {
    await setAccount('challenge')
    const calls = checkoutCalls(service)
    const pay = async (content: object, card: object = { browser: BROWSER }) => {
      const id = await calls.makeTemplate('configuration', content, 2)
      const { token } = await calls.make({ version: 2, configuration: { template_id: id } })
      return calls.pay(token, await calls.tokenise(token, card))
    }
    await pay({ authentication: 'never' })
    await pay({})
    expect(bank.wishes).toEqual(['never', 'challenge'])
    const { status, body } = await pay({ authentication: 'challenge' }, {})
    expect([status, body.error?.code]).toEqual([422, 'authentication_required'])
    expect(body.error?.message).toContain('this page could not do')
    expect(bank.wishes).toHaveLength(2)
  })

  it('is changed only for a gateway of the merchant, and only a change is an event', async () => {
    const { merchant, gatewayId } = service.merchant
    const other = await service.makeMerchant()
    const change = (of: string, wish: 'automatic' | 'never') =>
      service.merchants.changeAuthentication(of, gatewayId ?? '', wish)
    expect(await change(other.merchant.id, 'never')).toBe(false)
    await setAccount('automatic')
    const changes = async () => (await service.database.run(changed, [merchant.id])).length
    const before = await changes()
    expect([await change(merchant.id, 'automatic'), await changes()]).toEqual([true, before])
    expect([await change(merchant.id, 'never'), await changes()]).toEqual([true, before + 1])
  })
})
