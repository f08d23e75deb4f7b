import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuthenticationMade } from '../../../../contract/api/charges/authentication.ts'
import type { AuthorisationRequest } from '../gateway.ts'
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
import { resultOf, stepOf } from './stripe-authentication.ts'
import { openStripeBed } from './testing/stripe-bed.ts'
import type { StripeBed } from './testing/stripe-bed.ts'

const HUNDRED = cents('100.00')
const INSISTS = { card: { number: '4000002500003155' } }
const ASKS = { card: { number: '4000002760003184' } }
let bed: StripeBed
beforeEach(async () => {
  bed = await openStripeBed()
})
afterEach(() => bed.close())

type Asked = AuthorisationRequest['authentication']
const sell = (asked: Partial<Asked>, change: object = {}, attemptId = nextId()) =>
  ask(bed, HUNDRED, attemptId, { ...change, authentication: { ...BY_BROWSER, ...asked } })
/** What was sent to confirm, newest last. */
const confirmed = () =>
  bed.double.requests.filter(({ path }) => path.endsWith('/confirm')).map(({ params }) => params)
const question = (attemptId: string) => askedAbout(HUNDRED, attemptId, 1000)
const made: AuthenticationMade = {
  ...{ version: '2.2.0', eci: '05', cryptogram: 'AAABAWFlmQAAAABjRWWZEEFgFz8=', trans_status: 'A' },
  ds_trans_id: '8835f5bd-6e3b-4a3c-9d51-0b5a3b1f2c4d',
}

describe('a sale tells Stripe', () => {
  it.each<[Asked['wish'], string]>([
    ['automatic', 'automatic'],
    ['challenge', 'challenge'],
  ])('whom to ask, where the merchant wants it %s', async (wish, request_three_d_secure) => {
    await sell({ wish })
    expect(confirmed()).toMatchObject([
      { payment_method_data: { billing_details: { email: 'grace@example.com' } } },
    ])
    expect(confirmed()).toMatchObject([
      { return_url: BY_BROWSER.returnUrl, payment_method_options: { card: { request_three_d_secure } } },
    ])
  })

  it.each<[string, Partial<Asked>]>([
    ['the merchant wants none', { wish: 'never' }],
    ['no browser takes part', NOT_ASKED],
  ])('to ask nobody, where %s', async (_, asked) => {
    await sell(asked)
    expect(confirmed()).toMatchObject([{ error_on_requires_action: 'true' }])
    expect(JSON.stringify(confirmed())).not.toMatch(/return_url|request_three_d_secure/)
  })

  it('no exemption, which it takes of what was made elsewhere alone', async () => {
    await sell({ exemption: 'transaction_risk_analysis' })
    await sell({ exemption: 'transaction_risk_analysis', made })
    const [own, others] = confirmed()
    expect(JSON.stringify(own)).not.toContain('exemption')
    const { version, cryptogram, ds_trans_id: transaction_id } = made
    expect(others).toMatchObject({
      payment_method_options: {
        card: {
          three_d_secure: {
            ...{ version, cryptogram, transaction_id, electronic_commerce_indicator: '05' },
            ...{ ares_trans_status: 'A', exemption_indicator: 'low_risk' },
          },
        },
      },
    })
  })

  it('nothing of an ECI that it does not take', async () => {
    expect(await sell({ made: { ...made, eci: '00' } })).toMatchObject({
      kind: 'declined',
      code: 'eci_not_supported',
      description: 'Stripe takes no authentication with the ECI 00',
    })
    expect(bed.double.requests).toEqual([])
  })
})

describe('a sale that is declined for want of authentication', () => {
  const losing = async (fault: 'silence before applying' | 'silence after applying') => {
    const attemptId = nextId()
    bed.double.breakNext(fault, ({ key }) => key.endsWith('-challenge'))
    expect(await sell({}, { ...INSISTS, signal: soon() }, attemptId)).toEqual({ kind: 'unknown' })
    return attemptId
  }

  it('gets its card once more, with a challenge', async () => {
    expect(await sell({}, INSISTS)).toMatchObject({ kind: 'authentication_needed', askedBy: 'bank' })
    expect(confirmed()).toMatchObject([
      { payment_method_options: { card: { request_three_d_secure: 'automatic' } } },
      { payment_method_options: { card: { request_three_d_secure: 'challenge' } } },
    ])
  })

  it('is declined and ended if that was lost on its way, so that it is refused when it comes', async () => {
    const attemptId = await losing('silence before applying')
    const required = { kind: 'declined', reason: 'authentication_required' }
    expect(await bed.gateway.outcomeOf(question(attemptId))).toMatchObject(required)
    expect(await sell({}, INSISTS, attemptId)).toMatchObject({ kind: 'declined' })
    expect(await bed.gateway.outcomeOf(question(attemptId))).toMatchObject(required)
    expect(await bed.booksOf(attemptId)).toEqual([])
  })

  it('is not authenticated if the answer to that was lost', async () => {
    const attemptId = await losing('silence after applying')
    const expected = { kind: 'declined', reason: 'not_authenticated' }
    expect(await bed.gateway.outcomeOf(question(attemptId))).toMatchObject(expected)
    expect(await bed.gateway.outcomeOf(question(attemptId))).toMatchObject(expected)
  })
})

/** A sale of a card whose holder passes at the bank, and its step. */
async function passed() {
  const attemptId = nextId()
  const needed = await sell({}, ASKS, attemptId)
  if (needed.kind !== 'authentication_needed') throw new Error(needed.kind)
  bed.double.ledger.visit(attemptId, 'passes')
  return { attemptId, step: toAuthentication(attemptId, HUNDRED, needed) }
}

it('a card holder who passed while the page gave up has paid', async () => {
  const { step } = await passed()
  const answer = await bed.gateway.authentication?.abandon(step)
  expect(answer).toMatchObject({ kind: 'approved', authentication: { flow: 'challenge', transStatus: 'Y' } })
})

it('a card holder who passed has finished, though the hold is over when that is asked', async () => {
  const { attemptId, step } = await passed()
  bed.double.ledger.expire(attemptId)
  const over = { kind: 'declined', reason: 'authorisation_expired' }
  const { finish, abandon } = bed.gateway.authentication ?? {}
  expect(await finish?.({ ...step, told: { kind: 'look' } })).toMatchObject(over)
  expect(await abandon?.(step)).toMatchObject(over)
})

it('a first try that was declined is no hold that is over', async () => {
  const attemptId = nextId()
  const needed = await sell({}, INSISTS, attemptId)
  if (needed.kind !== 'authentication_needed') throw new Error(needed.kind)
  const step = toAuthentication(attemptId, HUNDRED, needed)
  const left = { kind: 'declined', reason: 'not_authenticated' }
  expect(await bed.gateway.authentication?.abandon(step)).toMatchObject(left)
  expect(await bed.gateway.authentication?.abandon(step)).toMatchObject(left)
})

it.each(['', 'javascript:alert(1)', 'http://hooks.stripe.com/', 'https://'])(
  'a step at %j is not known',
  (url) => {
    expect(stepOf('pi_1', url, BY_BROWSER, false)).toBeNull()
  },
)

it('a step is shown to nobody where no browser took part', () => {
  expect(stepOf('pi_1', 'https://hooks.stripe.com/1', BY_BROWSER, false)).not.toBeNull()
  expect(stepOf('pi_1', 'https://hooks.stripe.com/1', NOT_ASKED, false)).toBeNull()
})

it.each([
  ['authenticated', 'Y'],
  ['attempt_acknowledged', 'A'],
  ['failed', 'N'],
  ['exempted', 'I'],
  ['not_supported', 'U'],
  ['a_word_of_tomorrow', null],
])('what Stripe calls %s is EMV’s %s', (result, transStatus) => {
  const told = {
    result,
    version: '2.2.0',
    authentication_flow: null,
    electronic_commerce_indicator: null,
    transaction_id: null,
  }
  expect(resultOf(told)).toMatchObject({ transStatus, version: '2.2.0' })
})
