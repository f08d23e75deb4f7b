import type { AuthenticationMade } from '../../../contract/api/charges/authentication.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  enteredCredentials,
  gatewayKindOf,
  gatewayTypes,
  GATEWAY_TYPES,
  withinCapabilities,
} from './gateway-accounts.ts'
import { openStripeBed } from './stripe/testing/stripe-bed.ts'
import type { StripeBed } from './stripe/testing/stripe-bed.ts'
import { authorise, BY_BROWSER, cents, follow, nextId, sold } from './testing/gateway-bed.ts'

const ADYEN = { api_key: 'k', merchant_account: 'Acme', base_url: 'https://checkout-test.adyen.com/v72/' }
const STRIPE = {
  api_key: 'sk_test_51Pgaf',
  merchant_account: 'acct_1PgafTB7WZ01zgkW',
  base_url: 'https://api.stripe.com',
}

it.each(gatewayTypes().filter(({ can }) => can.disputes))(
  'who connects $name is told what its key needs to answer disputes',
  ({ finding }) => {
    expect(finding.api_key).toMatch(/API dispute management|to answer disputes here, Disputes and Files/)
  },
)

describe('an account that is entered', () => {
  it.each([
    ['adyen', ADYEN],
    ['stripe', STRIPE],
    ['stripe', { ...STRIPE, api_key: 'rk_live_51Pgaf' }],
  ])('at %s is kept without spaces and last slashes', (type, account) => {
    const spaced = { ...account, api_key: ` ${account.api_key} `, base_url: `${account.base_url}/` }
    const base_url = account.base_url.replace(/\/$/, '')
    expect(enteredCredentials(type, spaced, false)).toEqual({ credentials: { ...account, base_url } })
  })

  it.each([
    ['paypal', STRIPE, 'type', 'must be adyen or stripe'],
    ['constructor', STRIPE, 'type', 'must be adyen or stripe'],
    ['stripe', { ...STRIPE, api_key: '' }, 'api_key', 'must not be empty'],
    ['stripe', { ...STRIPE, api_key: 'pk_test_51Pgaf' }, 'api_key', /secret or restricted key/],
    ['stripe', { ...STRIPE, merchant_account: 'Acme' }, 'merchant_account', /begins with acct_/],
    [
      'stripe',
      { ...STRIPE, base_url: 'https://evil.example' },
      'base_url',
      /address of Stripe, such as https/,
    ],
    ['stripe', { ...STRIPE, base_url: ADYEN.base_url }, 'base_url', /address of Stripe/],
    ['adyen', { ...ADYEN, base_url: STRIPE.base_url }, 'base_url', /address of Adyen/],
    ['stripe', { ...STRIPE, base_url: 'http://127.0.0.1:9' }, 'base_url', /address of Stripe/],
  ])('at %s is refused by the field that is wrong: %j', (type, account, path, message) => {
    const entered = enteredCredentials(type, account, false)
    expect('path' in entered && entered.path).toBe(path)
    expect('message' in entered && entered.message).toMatch(message)
  })

  it('may be on this machine in the sandbox', () => {
    const here = { ...STRIPE, base_url: 'http://127.0.0.1:9' }
    expect(enteredCredentials('stripe', here, true)).toEqual({ credentials: here })
  })
})

describe.each(GATEWAY_TYPES)('the kind of gateway %s', (type) => {
  const kind = gatewayKindOf(type)
  it('proposes an address of its own, and takes nobody else’s', () => {
    expect(kind?.servers.isOwn(kind.servers.usual)).toBe(true)
    expect(kind?.servers.isOwn(`${kind.servers.usual}.evil.example`)).toBe(false)
  })
})

it('an account keeps its place when its key is replaced, and test and live are two places at Stripe', () => {
  const place = (change: object) => gatewayKindOf('stripe')?.placeOf({ ...STRIPE, ...change })
  expect(place({ api_key: 'rk_test_other' })).toBe(place({}))
  expect(place({ api_key: 'sk_live_other' })).not.toBe(place({}))
  expect(place({ merchant_account: 'acct_other' })).not.toBe(place({}))
})

describe('what a gateway can’t do', () => {
  let bed: StripeBed
  beforeAll(async () => {
    bed = await openStripeBed()
  })
  afterAll(() => bed.close())
  const without = (missing: object) => {
    const can = {
      partialCapture: true,
      lookUp: true,
      notifications: false,
      disputes: false,
      authentication: false,
      ...missing,
    }
    return withinCapabilities({ name: 'Acme Pay', can }, bed.gateway)
  }

  it('is refused in words, and nothing is sent: a partial capture', async () => {
    const { sale, books } = await sold(bed)
    const limited = without({ partialCapture: false })
    const sent = bed.double.requests.length
    expect(await limited.capture(follow(sale, cents('60.00')))).toMatchObject({
      kind: 'declined',
      code: 'partial_capture_not_supported',
      description: "Acme Pay can't capture a part of a hold. Capture all of it, and refund the rest",
    })
    expect(bed.double.requests).toHaveLength(sent)
    expect(await limited.capture(follow(sale, sale.amount))).toMatchObject({ kind: 'approved' })
    expect(await books()).toEqual([{ held: 0, taken: 10_000, refunded: 0 }])
  })

  const made: AuthenticationMade = {
    ...{ version: '2.2.0', eci: '05', cryptogram: 'AAABAWFlmQAAAABjRWWZEEFgFz8=' },
    ds_trans_id: '8835f5bd-6e3b-4a3c-9d51-0b5a3b1f2c4d',
  }
  it.each([
    ['a bank’s question', { wish: 'challenge' }, /^Acme Pay can't have the bank ask the card holder\. Leave/],
    [
      'what another provider has made',
      { made },
      /^Acme Pay takes no authentication that was made elsewhere\./,
    ],
  ] as const)('is refused in words, and nothing is sent: %s', async (_, change, description) => {
    const sent = bed.double.requests.length
    const authentication = { ...BY_BROWSER, ...change }
    const limited = { gateway: without({ authentication: false }) }
    const answer = await authorise(limited, cents('10.00'), nextId(), { authentication })
    expect(answer).toMatchObject({ kind: 'declined', code: 'authentication_not_supported' })
    expect(answer.kind === 'declined' && answer.description).toMatch(description)
    expect(bed.double.requests).toHaveLength(sent)
    const automatic = { authentication: BY_BROWSER }
    expect(await authorise(limited, cents('10.00'), nextId(), automatic)).toMatchObject({ kind: 'approved' })
  })

  it('is left to an operator: a lost outcome where there is no look-up', async () => {
    const { sale } = await sold(bed)
    const sent = bed.double.requests.length
    const age = { ageMs: 60_000, minAgeMs: 60_000 }
    const asked = { ...follow(sale, sale.amount), ...age, type: 'capture' } as const
    expect(await without({ lookUp: false }).outcomeOf(asked)).toEqual({ kind: 'unknown' })
    expect(bed.double.requests).toHaveLength(sent)
  })
})
