import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EXEMPTIONS } from '../../../../contract/api/charges/authentication.ts'
import type { AuthenticationMade } from '../../../../contract/api/charges/authentication.ts'
import type { AuthenticationNeeded, AuthenticationTold, AuthorisationRequest } from '../gateway.ts'
import {
  ask,
  askedAbout,
  BY_BROWSER,
  cents,
  nextId,
  NOT_ASKED,
  soon,
  toAuthentication,
} from '../testing/gateway-bed.ts'
import { readState, stepOf, toDetails } from './adyen-authentication.ts'
import { openAdyenBed } from './testing/adyen-bed.ts'
import type { AdyenBed } from './testing/adyen-bed.ts'

const HUNDRED = cents('100.00')
let bed: AdyenBed
beforeEach(async () => {
  bed = await openAdyenBed()
})
afterEach(() => bed.close())

type Asked = AuthorisationRequest['authentication']
const sell = (bank: string, asked: Partial<Asked> = {}, attemptId = nextId()) =>
  ask(bed, HUNDRED, attemptId, {
    card: { name: `BANK ${bank}` },
    authentication: { ...BY_BROWSER, ...asked },
  })
/** A sale whose card holder is asked, at its first step. */
async function begin(bank: string): Promise<{ attemptId: string; needed: AuthenticationNeeded }> {
  const attemptId = nextId()
  const needed = await sell(bank, {}, attemptId)
  if (needed.kind !== 'authentication_needed') throw new Error(needed.kind)
  return { attemptId, needed }
}
const finish = (attemptId: string, needed: AuthenticationNeeded, told: AuthenticationTold, stepNumber = 0) =>
  bed.gateway.authentication?.finish({ ...toAuthentication(attemptId, HUNDRED, needed, stepNumber), told })
const abandon = (attemptId: string, needed: AuthenticationNeeded) =>
  bed.gateway.authentication?.abandon(toAuthentication(attemptId, HUNDRED, needed))
const returned = (fields: Readonly<Record<string, string>>) => ({ kind: 'returned', fields }) as const
const question = (attemptId: string, ageMs: number) => askedAbout(HUNDRED, attemptId, ageMs)
const bodies = () => bed.double.requests.map(({ body }) => body)
const keys = () => bed.double.requests.map(({ key }) => key)
const jsonIn = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64').toString())

describe('a sale tells Adyen', () => {
  const { returnUrl } = BY_BROWSER
  it('what the browser is like, and where the bank sends its answer', async () => {
    await sell('none')
    expect(bodies()).toMatchObject([
      {
        channel: 'Web',
        origin: 'https://service.example',
        returnUrl,
        shopperIP: '192.0.2.7',
        shopperEmail: 'grace@example.com',
        browserInfo: {
          userAgent: 'Mozilla/5.0',
          acceptHeader: 'text/html',
          timeZoneOffset: -600,
          colorDepth: 24,
        },
        authenticationData: { threeDSRequestData: { nativeThreeDS: 'preferred' } },
        threeDS2RequestData: { notificationURL: returnUrl },
      },
    ])
    expect(JSON.stringify(bodies())).not.toContain('attemptAuthentication')
  })

  it('a depth of colour that EMV knows, whatever the screen has', async () => {
    const { browser } = BY_BROWSER
    if (browser === null) throw new Error('no browser')
    await sell('none', { browser: { ...browser, color_depth: 25 } })
    expect(bodies()).toMatchObject([{ browserInfo: { colorDepth: 24 } }])
  })

  it('to ask always, where the merchant wants that', async () => {
    await sell('none', { wish: 'challenge' })
    expect(bodies()).toMatchObject([
      {
        authenticationData: { attemptAuthentication: 'always' },
        threeDS2RequestData: { threeDSRequestorChallengeInd: '03' },
      },
    ])
  })

  it.each<[string, Partial<Asked>]>([
    ['the merchant wants none', { wish: 'never' }],
    ['no browser takes part', NOT_ASKED],
  ])('to ask nobody, where %s', async (_, asked) => {
    await sell('none', asked)
    expect(bodies()).toMatchObject([{ authenticationData: { attemptAuthentication: 'never' } }])
    expect(JSON.stringify(bodies())).not.toMatch(/browserInfo|threeDS2RequestData|shopper(?:IP|Email)/)
  })

  it('why the bank need not ask', async () => {
    for (const exemption of EXEMPTIONS) await sell('none', { exemption })
    const words = ['trustedBeneficiary', 'lowValue', 'secureCorporate', 'transactionRiskAnalysis']
    expect(bodies()).toMatchObject(
      words.map((scaExemption) => ({ additionalData: { scaExemption, manualCapture: 'true' } })),
    )
  })

  it('what another provider has made', async () => {
    const made: AuthenticationMade = {
      ...{ version: '2.2.0', eci: '05', cryptogram: 'AAABAWFlmQAAAABjRWWZEEFgFz8=' },
      ds_trans_id: '8835f5bd-6e3b-4a3c-9d51-0b5a3b1f2c4d',
    }
    const answer = await sell('challenge', { made })
    expect(answer).toMatchObject({ kind: 'approved', authentication: { flow: null, eci: '05' } })
    const mpiData = { cavv: made.cryptogram, eci: '05', dsTransID: made.ds_trans_id, threeDSVersion: '2.2.0' }
    expect(bodies()).toMatchObject([{ mpiData, authenticationData: { attemptAuthentication: 'never' } }])
    expect(bodies()[0]).not.toHaveProperty('mpiData.directoryResponse')
    await sell('challenge', { made: { ...made, trans_status: 'A' } })
    expect(bodies()[1]).toHaveProperty('mpiData.directoryResponse', 'A')
  })
})

describe('a sale that the bank lets through by itself', () => {
  it('says what the bank has said', async () => {
    expect(await sell('frictionless')).toMatchObject({
      kind: 'approved',
      authentication: { flow: 'frictionless', version: '2.2.0', transStatus: 'Y', isLiabilityShifted: true },
    })
  })

  it('says nothing of a bank that had no part in it', async () => {
    expect(await sell('none')).not.toHaveProperty('authentication.flow')
  })

  it('shows no hidden frame where the bank has none', async () => {
    expect(await sell('silent')).toMatchObject({ kind: 'approved', authentication: { flow: 'frictionless' } })
    expect(bodies()).toHaveLength(2)
  })

  it('is found out about if the answer to that was lost', async () => {
    const attemptId = nextId()
    bed.double.breakNext('silence after applying', ({ path }) => path.endsWith('/details'))
    const asked = { card: { name: 'BANK silent' }, authentication: BY_BROWSER, signal: soon() }
    expect(await ask(bed, HUNDRED, attemptId, asked)).toEqual({ kind: 'unknown' })
    expect(await bed.gateway.outcomeOf(question(attemptId, 1000))).toMatchObject({ kind: 'approved' })
    expect(await bed.booksOf(attemptId)).toHaveLength(1)
  })
})

describe('the steps of a sale', () => {
  it('send the hidden frame’s answer and the bank’s to our own address', async () => {
    const { attemptId, needed } = await begin('methodchallenge')
    const { step } = needed
    expect(step).toMatchObject({ kind: 'method', url: 'https://acs.bank.example/method' })
    const { returnUrl } = BY_BROWSER
    expect(jsonIn(step.kind === 'method' ? step.data : '')).toMatchObject({
      threeDSMethodNotificationURL: returnUrl,
    })
    expect(bed.double.ledger.bank.notificationUrlOf(attemptId)).toBe(returnUrl)
    const next = await finish(attemptId, needed, { kind: 'method', completed: true })
    const creq =
      next?.kind === 'authentication_needed' && next.step.kind === 'challenge' ? next.step.creq : ''
    expect(jsonIn(creq)).toMatchObject({
      messageType: 'CReq',
      messageVersion: '2.2.0',
      challengeWindowSize: '05',
    })
  })

  it('go on by what the hidden frame itself has posted, if it is of this payment', async () => {
    const [one, other] = [await begin('method'), await begin('method')]
    const { bank } = bed.double.ledger
    expect(await finish(one.attemptId, one.needed, returned(bank.endMethod(other.attemptId)))).toEqual({
      kind: 'waits',
    })
    expect(await finish(one.attemptId, one.needed, returned(bank.endMethod(one.attemptId)))).toMatchObject({
      kind: 'approved',
      authentication: { flow: 'frictionless' },
    })
  })

  it('each have a key of their own', async () => {
    const { attemptId, needed } = await begin('methodchallenge')
    const next = await finish(attemptId, needed, { kind: 'method', completed: false })
    if (next?.kind !== 'authentication_needed') throw new Error(next?.kind)
    const fields = bed.double.ledger.bank.visit(attemptId, 'passes')
    await finish(attemptId, next, returned(fields), 1)
    expect(keys()).toEqual([attemptId, `${attemptId}-step0`, `${attemptId}-step1`])
  })

  it('end as cancelled where the card holder cancelled at the bank', async () => {
    const { attemptId, needed } = await begin('challenge')
    const fields = bed.double.ledger.bank.visit(attemptId, 'cancels')
    expect(await finish(attemptId, needed, returned(fields))).toMatchObject({
      kind: 'declined',
      reason: 'not_authenticated',
      left: 'cancelled',
    })
  })

  it('approve nothing on the word of a browser that was never at the bank', async () => {
    const { attemptId, needed } = await begin('challenge')
    const { serverTransId: threeDSServerTransID, acsTransId: acsTransID } = readState(needed.state)
    const cres = { threeDSServerTransID, acsTransID, transStatus: 'Y' }
    const told = returned({ cres: Buffer.from(JSON.stringify(cres)).toString('base64url') })
    expect(await finish(attemptId, needed, told)).toMatchObject({
      kind: 'declined',
      reason: 'authentication_failed',
      code: '39',
    })
    expect(await bed.booksOf(attemptId)).toEqual([])
  })
})

describe('a sale whose step was lost', () => {
  it('is found out about where the card holder had passed, also by later steps', async () => {
    for (const bank of ['challenge', 'methodchallenge']) {
      const { attemptId, needed } = await begin(bank)
      const isFirst = needed.step.kind === 'method'
      const next = isFirst ? await finish(attemptId, needed, { kind: 'method', completed: true }) : needed
      if (next?.kind !== 'authentication_needed') throw new Error(next?.kind)
      const fields = bed.double.ledger.bank.visit(attemptId, 'passes')
      const answer = await finish(attemptId, next, returned(fields), isFirst ? 1 : 0)
      expect(answer).toMatchObject({ kind: 'approved' })
      expect(await bed.gateway.outcomeOf(question(attemptId, 1_200_000))).toEqual(answer)
      expect(await abandon(attemptId, needed)).toEqual(answer)
      expect(await bed.booksOf(attemptId)).toMatchObject([{ held: 10_000 }])
    }
  })

  it('at an address is voided, even if it was authorised by what came back', async () => {
    const { attemptId, needed } = await begin('redirect')
    await finish(attemptId, needed, returned(bed.double.ledger.bank.visit(attemptId, 'passes')))
    expect(await bed.booksOf(attemptId)).toMatchObject([{ held: 10_000 }])
    expect(await bed.gateway.outcomeOf(question(attemptId, 1_200_000))).toMatchObject({
      kind: 'declined',
      reason: 'not_authenticated',
    })
    expect(await bed.booksOf(attemptId)).toMatchObject([{ held: 0, taken: 0 }])
  })

  it('stays unknown once it may have been paid and taken, and nothing is given back', async () => {
    const address = await begin('redirect')
    await finish(
      address.attemptId,
      address.needed,
      returned(bed.double.ledger.bank.visit(address.attemptId, 'passes')),
    )
    const bank = await begin('challenge')
    await finish(
      bank.attemptId,
      bank.needed,
      returned(bed.double.ledger.bank.visit(bank.attemptId, 'passes')),
    )
    for (const [{ attemptId, needed }, ageMs] of [
      [address, 3_000_000],
      [bank, 8 * 24 * 3_600_000],
    ] as const) {
      const request = { ...toAuthentication(attemptId, HUNDRED, needed), ageMs }
      expect(await bed.gateway.authentication?.abandon(request)).toEqual({ kind: 'unknown' })
      expect(await bed.booksOf(attemptId)).toMatchObject([{ held: 10_000 }])
    }
    expect(await bed.gateway.outcomeOf(question(address.attemptId, 3_000_000))).toEqual({ kind: 'unknown' })
    expect(await bed.booksOf(address.attemptId)).toMatchObject([{ held: 10_000 }])
  })

  it('is given up for good, without a complaint to the operator', async () => {
    const { attemptId, needed } = await begin('challenge')
    expect(await abandon(attemptId, needed)).toMatchObject({ reason: 'not_authenticated' })
    expect(bed.faults).toEqual([])
    const told = returned(bed.double.ledger.bank.visit(attemptId, 'passes'))
    expect(await finish(attemptId, needed, told)).toMatchObject({ reason: 'authentication_failed' })
    expect(await bed.booksOf(attemptId)).toEqual([])
  })
})

describe('a step at an address', () => {
  it('goes on by what comes back from there, and by nothing forged', async () => {
    const { attemptId, needed } = await begin('redirect')
    expect(needed.step).toMatchObject({ kind: 'redirect', method: 'GET' })
    expect(await finish(attemptId, needed, returned({ redirectResult: 'X6XtfGC3!Y' }))).toEqual({
      kind: 'waits',
    })
    const told = returned(bed.double.ledger.bank.visit(attemptId, 'passes'))
    const answers = [await finish(attemptId, needed, told), await finish(attemptId, needed, told)]
    expect(answers[0]).toMatchObject({ kind: 'approved', authentication: { flow: null, eci: '05' } })
    expect(answers[1]).toEqual(answers[0])
  })

  it('takes no result of another payment for its own', async () => {
    const [one, other] = [await begin('redirect'), await begin('redirect')]
    const told = returned(bed.double.ledger.bank.visit(other.attemptId, 'passes'))
    expect(await finish(one.attemptId, one.needed, told)).toEqual({ kind: 'waits' })
    expect(await bed.booksOf(one.attemptId)).toEqual([])
    expect(await finish(other.attemptId, other.needed, told)).toMatchObject({ kind: 'approved' })
  })
})

describe('a sale that is declined for want of authentication', () => {
  const second = 'silence before applying'
  const losing = async (fault: 'silence before applying' | 'silence after applying') => {
    const attemptId = nextId()
    const isSecond = ({ key }: { key: string }) => key.endsWith('-challenge')
    bed.double.breakNext(fault, isSecond)
    const asked = { card: { name: 'BANK insists' }, authentication: BY_BROWSER, signal: soon() }
    expect(await ask(bed, HUNDRED, attemptId, asked)).toEqual({ kind: 'unknown' })
    return attemptId
  }

  it('is sent once more, as a mandate, and without an exemption', async () => {
    const attemptId = nextId()
    expect(await sell('insists', { exemption: 'low_value' }, attemptId)).toMatchObject({ askedBy: 'bank' })
    expect(keys()).toEqual([attemptId, `${attemptId}-challenge`])
    const [, again] = bodies()
    expect(again).toMatchObject({
      authenticationData: { attemptAuthentication: 'always' },
      threeDS2RequestData: { threeDSRequestorChallengeInd: '04' },
    })
    expect(JSON.stringify(again)).not.toContain('scaExemption')
  })

  it('is not sent again where nobody may be asked', async () => {
    await sell('insists', { wish: 'never' })
    await sell('insists', NOT_ASKED)
    expect(keys()).toHaveLength(2)
  })

  it.each([true, false])(
    'is declined if the second try was lost, once it can’t arrive: keys kept %s',
    async (keepsRefusals) => {
      await bed.close()
      bed = await openAdyenBed({ keepsRefusals })
      const attemptId = await losing(second)
      expect(await bed.gateway.outcomeOf(question(attemptId, 1000))).toEqual({ kind: 'unknown' })
      expect(await bed.gateway.outcomeOf(question(attemptId, 200_000))).toMatchObject({
        kind: 'declined',
        reason: 'authentication_required',
      })
    },
  )

  it('is not authenticated if the answer to the second try was lost', async () => {
    const attemptId = await losing('silence after applying')
    expect(await bed.gateway.outcomeOf(question(attemptId, 1000))).toMatchObject({
      kind: 'declined',
      reason: 'not_authenticated',
    })
  })
})

describe('an action of Adyen', () => {
  const progress = { askedBy: 'gateway', returnUrl: BY_BROWSER.returnUrl } as const
  const token = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64')
  const threeDS2 = { type: 'threeDS2', authorisationToken: 'A', paymentData: 'P' } as const
  const challenge = (acsURL: string) =>
    token({ threeDSServerTransID: 's', acsTransID: 'a', acsURL, messageVersion: '2.2.0' })

  it.each([
    [
      'a challenge at no address',
      { ...threeDS2, subtype: 'challenge', token: challenge('javascript:alert(1)') },
    ],
    [
      'a challenge without TLS',
      { ...threeDS2, subtype: 'challenge', token: challenge('http://acs.example/') },
    ],
    ['a token that is none', { ...threeDS2, subtype: 'challenge', token: 'e30' }],
    [
      'a hidden frame at no address',
      {
        ...threeDS2,
        subtype: 'fingerprint',
        token: token({ threeDSServerTransID: 's', threeDSMethodURL: 'data:,x' }),
      },
    ],
    ['a way to no address', { type: 'redirect', url: 'javascript:alert(1)', method: 'GET', data: {} }],
  ] as const)('is not understood: %s', (_, action) => {
    expect(stepOf(action, progress)).toBeNull()
  })

  it('of another kind declines the sale', async () => {
    const answer = await ask(bed, HUNDRED, nextId(), {
      card: { name: 'RESULT RedirectShopper' },
      authentication: BY_BROWSER,
    })
    expect(answer).toMatchObject({ kind: 'declined', reason: 'authentication_failed' })
  })

  it('without a token of its own is answered with its data', () => {
    const step = stepOf(
      { ...threeDS2, authorisationToken: '', subtype: 'challenge', token: challenge('https://acs.example/') },
      progress,
    )
    const state = readState(step?.kind === 'authentication_needed' ? step.state : '')
    const erro = token({ threeDSServerTransID: 's', acsTransID: 'a', messageType: 'Erro' })
    const message = toDetails(state, returned({ erro }))
    expect(message?.body).toEqual({
      details: { 'threeds2.challengeResult': token({ transStatus: 'U' }) },
      paymentData: 'P',
    })
  })
})
