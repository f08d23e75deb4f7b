import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { numberVerdict } from '../../../../card/number.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import { testStatement } from '../../../testing/test-statement.ts'
import { BANK_CARD_NUMBERS, HOSTILITIES } from './bank-cards.ts'
import { encoded, readCreq } from './messages.ts'
import { charge, formIn, openChallenge, post } from './testing/card-holder.ts'
import type { Asked } from './testing/card-holder.ts'

const SAYS = {
  Y: '4970110000000013',
  A: '4970110000000021',
  N: '4970110000000039',
  R: '4970110000000047',
  U: '4970110000000054',
}
const BY_APP = '4970110000001029'
const NO_CODE_IS_RIGHT = '4970110000001037'
const HURRIED = '4970110000001045'
const LOOKS_THEN_PASSES = '4970110000002019'
const LOOKS_THEN_ASKS = '4970110000002027'
const LOOKS_AND_IS_SILENT = '4970110000002035'
const DOWN = '4970110000003017'
const RUBBISH = '4970110000003033'
const INSISTS = '4970110000004015'
const ORDINARY = '5111111111111118'

let service: TestService
beforeAll(async () => {
  service = await createTestService()
})
afterAll(() => service.close())

/** Sends the browser back to the service, as a form of the bank's page does. */
async function goBack(page: string): Promise<number> {
  const { action, fields } = formIn(page)
  const { statusCode } = await service.raw({
    method: 'POST',
    url: new URL(action).pathname,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
  return statusCode
}
const acsOf = async (asked: Asked) =>
  formIn(await openChallenge(service, await asked.session())).fields['acs'] ?? ''

/** Answers the bank's page, and goes back to the shop if that leads there. */
async function answer(asked: Asked, fields: Record<string, string>): Promise<string> {
  const acs = await acsOf(asked)
  const { body } = await post(service, '/3ds/challenge/answer', { acs, ...fields })
  if (formIn(body).fields['cres'] !== undefined) expect(await goBack(body)).toBe(200)
  return body
}
/** Why the sale of a charge failed. */
const errorOf = ({ transactions }: ChargeResource) =>
  transactions.find(({ type }) => type === 'sale')?.error_code ?? null
const right = { action: 'code', code: '1234' }
const wrong = { action: 'code', code: '0000' }
const holds = testStatement<{ held: number }>(
  't_holds',
  'SELECT count(*)::int AS held FROM sandbox_gateway.holds',
)
const heldSoFar = async () => (await service.database.run(holds, []))[0]?.held ?? 0

describe('test cards of the bank', () => {
  it('are 33, with numbers that the card form takes', () => {
    expect(BANK_CARD_NUMBERS).toHaveLength(16 + HOSTILITIES.length)
    expect(BANK_CARD_NUMBERS.filter((number) => numberVerdict(number) !== 'valid')).toEqual([])
  })

  it.each(['docs/guides/testing.md', 'demo/public/pages/test-cards.html'])(
    'stand in %s, but those of hostile banks',
    (page) => {
      const shown = [...readFileSync(page, 'utf8').matchAll(/\b4970(?: \d{4}){3}\b/g)]
      const hostile = /^497011000000(?:90|91)/
      expect(shown.map(([number]) => number.replaceAll(' ', '')).sort()).toEqual(
        BANK_CARD_NUMBERS.filter((number) => !hostile.test(number)).sort(),
      )
    },
  )

  it.each([
    ['Y', { status: 'pending' }, { status: 'authenticated', eci: '05', liability_shifted: true }],
    ['A', { status: 'pending' }, { status: 'attempted', eci: '06', liability_shifted: true }],
    ['U', { status: 'pending' }, { status: 'unavailable', eci: '07', liability_shifted: false }],
    ['N', { status: 'failed' }, { status: 'failed', eci: '07' }],
    ['R', { status: 'failed' }, { status: 'failed', eci: '07' }],
  ] as const)('say %s without a question to the card holder', async (said, ends, brings) => {
    const before = await heldSoFar()
    const asked = await charge(service, { card: SAYS[said] })
    const isPaid = ends.status === 'pending'
    expect(asked.answer.status).toBe(isPaid ? 201 : 422)
    const now = await asked.now()
    expect([now.status, errorOf(now)]).toEqual([ends.status, isPaid ? null : 'authentication_failed'])
    expect(now._3ds).toMatchObject({
      ...brings,
      flow: 'frictionless',
      trans_status: said,
      asked_by: 'gateway',
    })
    expect((await heldSoFar()) - before).toBe(isPaid ? 1 : 0)
  })

  it('of others ask nobody anything', async () => {
    const { answer: given, charge: made } = await charge(service, { card: ORDINARY })
    expect([given.status, made.status, made._3ds]).toEqual([201, 'pending', undefined])
  })
})

describe('a card whose bank asks for a code', () => {
  it('is charged once the right code was given', async () => {
    const before = await heldSoFar()
    const asked = await charge(service)
    expect(asked.answer.status).toBe(201)
    expect(asked.charge).toMatchObject({
      status: 'pre_authentication_pending',
      _3ds: { status: 'pending', asked_by: 'gateway' },
    })
    expect(await heldSoFar()).toBe(before)
    await answer(asked, right)
    expect(await heldSoFar()).toBe(before + 1)
    expect(await asked.session()).toMatchObject({ status: 'authenticated', succeeded: true, step: null })
    const now = await asked.now()
    expect(now.status).toBe('pending')
    expect(now._3ds).toMatchObject({
      status: 'authenticated',
      flow: 'challenge',
      trans_status: 'Y',
      eci: '05',
      version: '2.2.0',
      liability_shifted: true,
    })
  })

  it('may be given a right code after a wrong one, with spaces', async () => {
    const asked = await charge(service)
    expect(await answer(asked, wrong)).toContain('This code is wrong. 2 tries are left.')
    await answer(asked, { action: 'code', code: ' 12 34 ' })
    expect(await asked.now()).toMatchObject({ status: 'pending', _3ds: { status: 'authenticated' } })
  })

  it.each([
    ['a card that takes it', undefined],
    ['one for which no code is right', NO_CODE_IS_RIGHT],
  ])('is refused after three wrong codes: %s', async (_which, card) => {
    const asked = await charge(service, card === undefined ? {} : { card })
    const codes = card === undefined ? wrong : right
    for (const left of ['2 tries are left', 'One try is left'])
      expect(await answer(asked, codes)).toContain(`This code is wrong. ${left}.`)
    await answer(asked, codes)
    const now = await asked.now()
    expect(errorOf(now)).toBe('authentication_failed')
    expect(now).toMatchObject({
      status: 'failed',
      _3ds: {
        status: 'failed',
        trans_status: 'N',
        trans_status_reason: 'The card could not be authenticated.',
      },
    })
  })

  it('counts no more tries than three, however many come at once', async () => {
    const asked = await charge(service)
    const acs = await acsOf(asked)
    const guesses = Array.from({ length: 12 }, () =>
      post(service, '/3ds/challenge/answer', { acs, ...wrong }),
    )
    await Promise.all(guesses)
    await post(service, '/3ds/challenge/answer', { acs, ...right })
    await asked.tell({ kind: 'look', step_number: 0 })
    expect((await asked.now()).status).toBe('failed')
  })

  it("is not charged if the card holder cancels by the bank's button", async () => {
    const asked = await charge(service)
    await answer(asked, { action: 'cancel' })
    expect(await asked.now()).toMatchObject({
      status: 'not_authenticated',
      _3ds: { status: 'cancelled', liability_shifted: false },
    })
  })

  it('is not charged if the time for the answer is over', async () => {
    const asked = await charge(service, { card: HURRIED })
    const acs = await acsOf(asked)
    await service.database.script(
      `UPDATE sandbox_gateway.authentications SET opened_at = now() - interval '6 seconds' WHERE acs_trans_id = '${acs}'`,
    )
    expect(await goBack((await post(service, '/3ds/challenge/answer', { acs, ...right })).body)).toBe(200)
    expect(await asked.now()).toMatchObject({
      status: 'not_authenticated',
      _3ds: { status: 'timed_out', trans_status_reason: 'The bank’s page timed out.' },
    })
  })

  it('is declined for the reason of the issuer after the right code', async () => {
    const asked = await charge(service, { request: { amount: '9000.51' } })
    await answer(asked, right)
    const now = await asked.now()
    expect(errorOf(now)).toBe('insufficient_funds')
    expect(now).toMatchObject({
      status: 'failed',
      _3ds: { status: 'authenticated', trans_status: 'Y', liability_shifted: false },
    })
  })

  it('is not charged if the shop gives up before it hears of the right code, and no bank is liable', async () => {
    const asked = await charge(service)
    const { body } = await post(service, '/3ds/challenge/answer', { acs: await acsOf(asked), ...right })
    expect(await asked.giveUp()).toMatchObject({ status: 'cancelled', succeeded: false })
    await goBack(body)
    expect(await asked.now()).toMatchObject({
      status: 'not_authenticated',
      _3ds: { status: 'cancelled', trans_status: 'Y', liability_shifted: false },
    })
  })

  it('is not charged any more once the shop has given up', async () => {
    const asked = await charge(service)
    const acs = await acsOf(asked)
    expect(await asked.giveUp()).toMatchObject({ status: 'cancelled', succeeded: false })
    const { body } = await post(service, '/3ds/challenge/answer', { acs, ...right })
    expect(formIn(body).fields['cres']).toBeDefined()
    expect((await asked.now()).status).toBe('not_authenticated')
  })
})

describe('a card whose holder approves in an app', () => {
  it.each([
    ['approve', 'pending'],
    ['refuse', 'failed'],
  ])('is told on the page by itself: %s', async (action, status) => {
    const asked = await charge(service, { card: BY_APP })
    const acs = await acsOf(asked)
    const state = async () => {
      const answered = await service.bank?.inject({ url: `/3ds/challenge/state?acs=${acs}` })
      return answered?.json<{ decided: boolean }>().decided
    }
    expect(await state()).toBe(false)
    await post(service, '/3ds/challenge/answer', { acs, action })
    expect(await state()).toBe(true)
    expect(await goBack((await post(service, '/3ds/challenge/answer', { acs })).body)).toBe(200)
    expect((await asked.now()).status).toBe(status)
  })
})

describe('a bank that looks at the browser first', () => {
  const look = async (asked: Asked) => {
    const { step } = await asked.session()
    if (step?.kind !== 'method') throw new Error(step?.kind)
    return (await post(service, step.url, { threeDSMethodData: step.data })).body
  }

  it('may have no question after that', async () => {
    const asked = await charge(service, { card: LOOKS_THEN_PASSES })
    expect((await asked.session()).step_number).toBe(0)
    expect(await goBack(await look(asked))).toBe(200)
    expect(await asked.now()).toMatchObject({
      status: 'pending',
      _3ds: { flow: 'frictionless', trans_status: 'Y' },
    })
  })

  it('asks for a code after that', async () => {
    const asked = await charge(service, { card: LOOKS_THEN_ASKS })
    expect(await goBack(await look(asked))).toBe(200)
    expect(await asked.session()).toMatchObject({ step_number: 1, step: { kind: 'challenge' } })
    await answer(asked, right)
    expect((await asked.now()).status).toBe('pending')
  })

  it('that never answers is gone past by the page', async () => {
    const asked = await charge(service, { card: LOOKS_AND_IS_SILENT })
    expect(await look(asked)).not.toContain('<form')
    await asked.tell({ kind: 'method', step_number: 0, completed: false })
    await answer(asked, right)
    expect((await asked.now()).status).toBe('pending')
  })
})

describe('a bank that does not work', () => {
  it('ends the connection without an answer', async () => {
    const asked = await charge(service, { card: DOWN })
    await expect(openChallenge(service, await asked.session())).rejects.toThrow()
    await asked.giveUp()
    expect((await asked.now()).status).toBe('not_authenticated')
  })

  it('answers what goes nowhere', async () => {
    const asked = await charge(service, { card: RUBBISH })
    expect(formIn(await openChallenge(service, await asked.session())).action).toBe('')
    expect((await asked.session()).status).toBe('pending')
  })
})

describe('a connection that breaks as the card holder comes back', () => {
  it.each([
    ['done, and not heard', '9000.61'],
    ['lost on the way', '9000.62'],
    ['not even sent', '9000.63'],
  ])('is mended by a job, and the money moves once: %s', async (_which, amount) => {
    const before = await heldSoFar()
    const asked = await charge(service, { request: { amount } })
    await answer(asked, right)
    expect((await asked.now()).status).toBe('pre_authentication_pending')
    await service.runJob('resolve attempts')
    expect(await asked.now()).toMatchObject({ status: 'pending', _3ds: { status: 'authenticated' } })
    expect((await heldSoFar()) - before).toBe(1)
  })
})

describe("a merchant's wish", () => {
  const brings = async (card: string, request: object) => {
    const { answer: given, now } = await charge(service, { card, request })
    const charged = await now()
    const { status, _3ds } = charged
    return [given.status, status, errorOf(charged), _3ds?.asked_by ?? null, _3ds?.trans_status ?? null]
  }
  const WAITS = [201, 'pre_authentication_pending', null]

  it.each([
    ['challenge', SAYS.Y, [...WAITS, 'merchant', null]],
    ['challenge', SAYS.A, [...WAITS, 'merchant', null]],
    ['challenge', ORDINARY, [...WAITS, 'merchant', null]],
    ['challenge', INSISTS, [...WAITS, 'merchant', null]],
    ['challenge', SAYS.N, [422, 'failed', 'authentication_failed', 'gateway', 'N']],
    ['never', SAYS.N, [201, 'pending', null, null, null]],
    ['never', INSISTS, [422, 'failed', 'authentication_required', null, null]],
    ['automatic', INSISTS, [...WAITS, 'bank', null]],
  ])('%s, by card %s', async (authentication, card, ends) => {
    expect(await brings(card, { authentication })).toEqual(ends)
  })

  it.each([
    ['a card that is asked', LOOKS_THEN_ASKS, [201, 'pending', null, 'gateway', 'I']],
    ['a card that is not', SAYS.A, [201, 'pending', null, 'gateway', 'A']],
    ['a card whose bank insists', INSISTS, [...WAITS, 'bank', null]],
  ])('for an exemption, by %s', async (_which, card, ends) => {
    const [status, ...rest] = await brings(card, { exemption: 'low_value' })
    expect([status, ...rest]).toEqual(ends)
  })

  it.each([
    [SAYS.N, 201, 'pending'],
    [INSISTS, 422, 'failed'],
  ])('can have nobody asked where no browser takes part: %s', async (card, status, ends) => {
    const { answer: given, now } = await charge(service, { card, browser: null })
    expect([given.status, (await now()).status]).toEqual([status, ends])
  })

  it.each([
    ['05', 'authenticated', true],
    ['06', 'attempted', true],
    ['07', 'unavailable', false],
  ])("may come with another provider's authentication: %s", async (eci, status, shifted) => {
    const made = {
      version: '2.2.0',
      eci,
      cryptogram: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
      ds_trans_id: 'f38e6948-5388-41a6-bca4-b49723c19437',
    }
    const asked = await charge(service, { card: INSISTS, request: { authentication_result: made } })
    expect(await asked.now()).toMatchObject({
      status: 'pending',
      _3ds: { status, eci, ds_trans_id: made.ds_trans_id, liability_shifted: shifted, flow: null },
    })
  })
})

describe('the bank', () => {
  const URLS = { SVC_BASE_URL: 'https://pay.example.com', SVC_VAULT_KEYS: 'k' }

  it.each([
    ['staging_svc', {}, false],
    ['staging_svc', { SVC_SANDBOX_BANK_URL: 'https://bank.example.com' }, true],
    ['production_svc', { SVC_SANDBOX_BANK_URL: 'https://bank.example.com' }, false],
  ])(
    'is served where the sandbox is and its address is known: %s, %o',
    async (environment, urls, isServed) => {
      const there = await createTestService({ settings: { ...URLS, ...urls, SVC_ENVIRONMENT: environment } })
      expect(there.bank !== null).toBe(isServed)
      await there.close()
    },
  )

  it('is not asked where it is not served', async () => {
    const there = await createTestService({ settings: { ...URLS, SVC_ENVIRONMENT: 'staging_svc' } })
    const { charge: made } = await charge(there)
    expect([made.status, made._3ds]).toEqual(['pending', undefined])
    await there.close()
  })
})

describe("what is not the bank's", () => {
  it('is believed of no result that a page has made up', async () => {
    const before = await heldSoFar()
    const asked = await charge(service)
    const { step } = await asked.session()
    if (step?.kind !== 'challenge') throw new Error('no challenge')
    const ids = readCreq(step.creq)
    const forged = encoded({ ...ids, transStatus: 'Y', messageType: 'CRes' })
    await service.raw({ url: `/3ds/${asked.charge._3ds?.id ?? ''}/return?cres=${forged}` })
    expect(await asked.session()).toMatchObject({ status: 'pending', step: { kind: 'challenge' } })
    expect(await heldSoFar()).toBe(before)
  })

  it("is no answer to one payment that another's card holder gave", async () => {
    const [mine, other] = [await charge(service), await charge(service)]
    const acs = await acsOf(other)
    const { body } = await post(service, '/3ds/challenge/answer', { acs, ...right })
    const { cres = '' } = formIn(body).fields
    await service.raw({ url: `/3ds/${mine.charge._3ds?.id ?? ''}/return?cres=${cres}` })
    expect((await mine.session()).status).toBe('pending')
    await goBack(body)
    expect((await other.session()).status).toBe('authenticated')
  })

  it('gets a page that says so', async () => {
    const creq = encoded({ threeDSServerTransID: crypto.randomUUID(), acsTransID: crypto.randomUUID() })
    for (const sent of [creq, 'e30', 'rubbish', '']) {
      const { statusCode, body } = await post(service, '/3ds/challenge', { creq: sent })
      expect([statusCode, body.includes('does not know this payment')]).toEqual([404, true])
    }
    expect((await post(service, '/3ds/method', { threeDSMethodData: creq })).statusCode).toBe(404)
    expect((await post(service, '/3ds/challenge/answer', { acs: "' OR 1=1" })).statusCode).toBe(404)
  })
})
