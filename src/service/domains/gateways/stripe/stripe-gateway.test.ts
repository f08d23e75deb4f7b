import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cents, follow, nextId, order, authorise, sold, soon } from '../testing/gateway-bed.ts'
import { doubleFaults } from '../testing/double-faults.ts'
import type { DoubleFault } from '../testing/double-faults.ts'
import { testAuthenticationContract } from '../testing/authentication-contract.ts'
import { testGatewayContract } from '../testing/gateway-contract.ts'
import { hostileNames, startHostileServer } from '../../../testing/hostile-servers.ts'
import type { HostileName } from '../../../testing/hostile-servers.ts'
import { movesMoney, openStripeBed } from './testing/stripe-bed.ts'
import type { StripeBed } from './testing/stripe-bed.ts'
import { HOLD_SECONDS } from './testing/stripe-shapes.ts'

testGatewayContract('Stripe', openStripeBed)
testAuthenticationContract('Stripe', openStripeBed)

const HUNDRED = cents('100.00')
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const EIGHT_DAYS = 8 * DAY
const HELD = [{ held: 10_000, taken: 0, refunded: 0 }]
let bed: StripeBed
beforeEach(async () => {
  bed = await openStripeBed()
})
afterEach(() => bed.close())
const reopen = async (setting: Parameters<typeof openStripeBed>[0]) => {
  await bed.close()
  bed = await openStripeBed(setting)
}
const question = (attemptId: string, ageMs = MINUTE, minAgeMs = ageMs) =>
  ({
    ...order(HUNDRED, attemptId),
    type: 'sale',
    capture: false,
    statementDescriptor: null,
    ageMs,
    minAgeMs,
  }) as const
const stepsSent = () =>
  bed.double.requests.map(({ method, path }) => `${method} ${path.replace(/pi_\w+/, ':id')}`)
const makesPayment = (request: Parameters<typeof movesMoney>[0]) => !movesMoney(request)

/** Nothing is carried out, and Stripe says so itself. */
const REFUSED: ReadonlySet<DoubleFault> = new Set(['too many requests'])
const BEFORE: ReadonlySet<DoubleFault> = new Set(
  doubleFaults.filter((one) => /before|too many|in use/.test(one)),
)

describe('a sale at Stripe', () => {
  it('makes the payment without its card, then pays it, each under a key of its own', async () => {
    const attemptId = nextId()
    await authorise(bed, HUNDRED, attemptId)
    expect(stepsSent()).toEqual(['POST /v1/payment_intents', 'POST /v1/payment_intents/:id/confirm'])
    const [made, paid] = bed.double.requests
    expect(made).toMatchObject({ key: attemptId, params: { metadata: { attempt_id: attemptId } } })
    expect(JSON.stringify(made)).not.toContain('5111111111111118')
    expect(paid?.key).toBe(`${attemptId}-confirm`)
  })

  it('is held for as long as Stripe says', async () => {
    expect(await authorise(bed, HUNDRED)).toMatchObject({ kind: 'approved', holdSeconds: HOLD_SECONDS })
  })

  it('is declined if the issuer wants 3-D Secure and nobody can be asked', async () => {
    const card = { number: '4000002760003184' }
    expect(await authorise(bed, HUNDRED, nextId(), { card })).toMatchObject({
      kind: 'declined',
      code: 'authentication_not_handled',
      reason: 'authentication_required',
    })
  })

  it('of less than Stripe takes is declined in Stripe’s words, and the card is not sent', async () => {
    expect(await authorise(bed, cents('0.49'))).toMatchObject({
      kind: 'declined',
      code: 'amount_too_small',
      description: 'Amount must be at least $0.50 aud',
    })
    expect(stepsSent()).toEqual(['POST /v1/payment_intents'])
  })

  it('that Stripe does not let in is reported without the key', async () => {
    await reopen({ secretKey: 'sk_test_wrong' })
    expect(await authorise(bed, HUNDRED)).toEqual({ kind: 'unreachable' })
    expect(String(bed.faults)).toContain('Stripe refuses the credentials of acct_double (HTTP 401')
    expect(JSON.stringify(bed.faults.map(({ stack }) => stack))).not.toMatch(/sk_test_wrong|5111111111111118/)
    expect(await bed.gateway.outcomeOf(question(nextId()))).toEqual({ kind: 'unknown' })
  })

  it.each(doubleFaults)(
    'is not paid after %s of its first step, and that is known at once',
    async (fault) => {
      const attemptId = nextId()
      bed.double.breakNext(fault, makesPayment)
      const answer = await authorise(bed, HUNDRED, attemptId, { signal: soon() })
      expect(answer).toEqual({ kind: 'unreachable' })
      expect(stepsSent()).toEqual(['POST /v1/payment_intents'])
      expect(await bed.booksOf(attemptId)).toEqual([])
    },
  )
})

describe('a sale that got no answer', () => {
  it.each(doubleFaults)('because of %s has, in the end, the outcome that the books have', async (fault) => {
    const attemptId = nextId()
    bed.double.breakNext(fault, movesMoney)
    const answer = await authorise(bed, HUNDRED, attemptId, { signal: soon() })
    expect(answer).toEqual({ kind: REFUSED.has(fault) ? 'unreachable' : 'unknown' })
    const happened = !BEFORE.has(fault)
    const outcome = await bed.gateway.outcomeOf(question(attemptId))
    expect(outcome.kind).toBe(happened ? 'approved' : 'not_received')
    expect(await bed.booksOf(attemptId)).toEqual(happened ? HELD : [])
  })

  it('whose hold has ended since was not received, and no card holder is blamed for it', async () => {
    const attemptId = nextId()
    bed.double.breakNext('silence after applying', movesMoney)
    await authorise(bed, HUNDRED, attemptId, { signal: soon() })
    bed.double.ledger.expire(attemptId)
    expect(await bed.gateway.outcomeOf(question(attemptId))).toEqual({ kind: 'not_received' })
  })

  it('is asked for without its card', async () => {
    const attemptId = nextId()
    bed.double.breakNext('silence after applying', movesMoney)
    await authorise(bed, HUNDRED, attemptId, { signal: soon() })
    bed.double.requests.splice(0)
    expect(await bed.gateway.outcomeOf(question(attemptId))).toMatchObject({ kind: 'approved' })
    expect(stepsSent()).toEqual([
      'POST /v1/payment_intents',
      'GET /v1/payment_intents/:id?expand[]=latest_charge',
    ])
    expect(JSON.stringify(bed.double.requests)).not.toMatch(/number|cvc|Grace/)
  })

  it('is asked for with the words for the statement: a key takes one request alone', async () => {
    const attemptId = nextId()
    const words = { statementDescriptor: 'Order 1042, Perth' }
    bed.double.breakNext('silence after applying', movesMoney)
    await authorise(bed, HUNDRED, attemptId, { signal: soon(), ...words })
    expect(await bed.gateway.outcomeOf({ ...question(attemptId), ...words })).toMatchObject({
      kind: 'approved',
    })
    const made = bed.double.requests.filter(({ path }) => path === '/v1/payment_intents')
    expect(made).toMatchObject(
      Array.from({ length: 2 }, () => ({ params: { statement_descriptor_suffix: 'Order 1042' } })),
    )
  })

  it('never came if the service stopped between its two steps', async () => {
    const attemptId = nextId()
    bed.double.breakNext('reset before applying', movesMoney)
    await authorise(bed, HUNDRED, attemptId)
    expect(await bed.gateway.outcomeOf(question(attemptId))).toEqual({ kind: 'not_received' })
    expect(await bed.gateway.outcomeOf(question(attemptId))).toEqual({ kind: 'not_received' })
  })

  it('never came if Stripe has kept an error of its own for the first step', async () => {
    const attemptId = nextId()
    bed.double.breakNext('error 500 after applying')
    await authorise(bed, HUNDRED, attemptId)
    expect(await bed.gateway.outcomeOf(question(attemptId))).toEqual({ kind: 'not_received' })
    bed.double.breakNext('error 500 before applying')
    expect(await bed.gateway.outcomeOf(question(nextId()))).toEqual({ kind: 'unknown' })
  })

  it('stays unknown once its key may be forgotten', async () => {
    const attemptId = nextId()
    bed.double.breakNext('silence after applying', movesMoney)
    await authorise(bed, HUNDRED, attemptId, { signal: soon() })
    bed.double.forgetKeys()
    expect(await bed.gateway.outcomeOf(question(attemptId, DAY))).toEqual({ kind: 'unknown' })
    expect(stepsSent()).toHaveLength(2)
  })

  it.each(doubleFaults)('is not given up because of %s when it is asked for', async (fault) => {
    const attemptId = nextId()
    await authorise(bed, HUNDRED, attemptId)
    for (const isMeant of [makesPayment, ({ method }: { method: string }) => method === 'GET']) {
      bed.double.breakNext(fault, isMeant)
      const asked = { ...question(attemptId), signal: soon() }
      expect((await bed.gateway.outcomeOf(asked)).kind).toBe('unknown')
    }
    expect(await bed.gateway.outcomeOf(question(attemptId))).toMatchObject({ kind: 'approved' })
  })
})

describe('a sale at a server that', () => {
  it.each(hostileNames)('%s: has an end and no card is sent', async (name: HostileName) => {
    const server = await startHostileServer(name)
    await reopen({ throughUrl: server.url })
    const attemptId = nextId()
    expect(await authorise(bed, HUNDRED, attemptId, { signal: soon() })).toEqual({ kind: 'unreachable' })
    expect(await bed.gateway.outcomeOf({ ...question(attemptId), signal: soon() })).toEqual({
      kind: 'unknown',
    })
    await expect.poll(() => server.connections().open).toBe(0)
    await server.close()
  })
})

describe('what follows a sale at Stripe', () => {
  const amount = cents('60.00')
  const asked = (sale: Awaited<ReturnType<typeof sold>>['sale'], attemptId: string, ageMs: number) => ({
    ...follow(sale, amount, attemptId),
    ageMs,
    minAgeMs: ageMs,
  })

  it.each(doubleFaults)('is read off the payment after %s, and done once, at any age', async (fault) => {
    const { sale, books } = await sold(bed)
    const attemptId = nextId()
    bed.double.breakNext(fault)
    const answer = await bed.gateway.capture({ ...follow(sale, amount, attemptId), signal: soon() })
    expect(answer).toEqual({ kind: REFUSED.has(fault) ? 'unreachable' : 'unknown' })
    bed.double.forgetKeys()
    for (const ageMs of [MINUTE, EIGHT_DAYS]) {
      const question = { ...asked(sale, attemptId, ageMs), type: 'capture' } as const
      expect(await bed.gateway.outcomeOf(question)).toMatchObject({ kind: 'approved', code: 'succeeded' })
    }
    expect(await books()).toEqual([{ held: 0, taken: 6000, refunded: 0 }])
  })

  it.each(doubleFaults)('is found among the refunds after %s, or sent again, once', async (fault) => {
    const { sale, books } = await sold(bed, true)
    const attemptId = nextId()
    bed.double.breakNext(fault)
    await bed.gateway.refund({ ...follow(sale, amount, attemptId), signal: soon() })
    const question = { ...asked(sale, attemptId, 10 * MINUTE), type: 'refund' } as const
    const isDone = fault !== 'error 500 before applying'
    const outcomes = [await bed.gateway.outcomeOf(question), await bed.gateway.outcomeOf(question)]
    const kind = isDone ? 'approved' : 'not_received'
    expect(outcomes).toMatchObject([{ kind }, { kind }])
    expect(await books()).toEqual([{ held: 0, taken: 10_000, refunded: isDone ? 6000 : 0 }])
  })

  it('is a refund that nobody gives up as long as Stripe may complete it after an error', async () => {
    const { sale } = await sold(bed, true)
    const attemptId = nextId()
    bed.double.breakNext('error 500 before applying')
    await bed.gateway.refund(follow(sale, amount, attemptId))
    const question = { ...asked(sale, attemptId, MINUTE), type: 'refund' } as const
    expect(await bed.gateway.outcomeOf(question)).toEqual({ kind: 'unknown' })
  })

  it('is a refund that is found when its key is forgotten, and is not sent again then', async () => {
    const { sale, books } = await sold(bed, true)
    const [found, lost] = [nextId(), nextId()]
    await bed.gateway.refund(follow(sale, amount, found))
    bed.double.forgetKeys()
    const of = (attemptId: string, minAgeMs = EIGHT_DAYS) =>
      ({ ...asked(sale, attemptId, EIGHT_DAYS), minAgeMs, type: 'refund' }) as const
    expect(await bed.gateway.outcomeOf(of(found))).toMatchObject({ kind: 'approved' })
    expect(await bed.gateway.outcomeOf(of(lost))).toEqual({ kind: 'not_received' })
    expect(await bed.gateway.outcomeOf(of(lost, MINUTE))).toEqual({ kind: 'unknown' })
    expect(await books()).toEqual([{ held: 0, taken: 10_000, refunded: 6000 }])
  })

  it('is a refund that counts while it is under way', async () => {
    const attemptId = nextId()
    const card = { number: '4000000000007726' }
    const answer = await authorise(bed, HUNDRED, attemptId, { card, capture: true })
    if (answer.kind !== 'approved') throw new Error(answer.kind)
    const sale = { id: answer.externalId, amount: HUNDRED, capture: true, ageMs: MINUTE }
    expect(await bed.gateway.refund(follow(sale, amount))).toMatchObject({
      kind: 'approved',
      code: 'pending',
    })
  })

  it('is a cancel that has come about, whoever made it', async () => {
    const { sale } = await sold(bed)
    expect(await bed.gateway.cancel(follow(sale, sale.amount))).toMatchObject({ kind: 'approved' })
    expect(await bed.gateway.cancel(follow(sale, sale.amount))).toMatchObject({ kind: 'approved' })
  })

  it.each([
    ['capture', 'cancel'],
    ['cancel', 'capture'],
  ] as const)('is a lost %s that can come about no more after a %s by hand', async (lost, byHand) => {
    const { sale } = await sold(bed)
    await bed.gateway[byHand](follow(sale, sale.amount))
    const question = { ...asked(sale, nextId(), MINUTE), type: lost } as const
    const status = byHand === 'cancel' ? 'canceled' : 'succeeded'
    expect(await bed.gateway.outcomeOf(question)).toMatchObject({
      kind: 'declined',
      code: 'payment_intent_unexpected_state',
      description: `The payment is ${status} at Stripe, and not by this request`,
    })
  })
})

describe('the account is checked', () => {
  it('by a question that moves no money', async () => {
    expect(await bed.gateway.check?.(soon())).toEqual({ kind: 'works' })
    expect(stepsSent()).toEqual(['GET /v1/account'])
  })

  it.each([
    [{ secretKey: 'sk_test_wrong' }, 'Stripe does not let the key in (HTTP 401).', 'api_key'],
    [
      { accountId: 'acct_other' },
      'The key is of the account acct_double, and acct_other was entered.',
      'merchant_account',
    ],
  ])('and what is wrong is said: %j', async (setting, message, path) => {
    await reopen(setting)
    expect(await bed.gateway.check?.(soon())).toEqual({ kind: 'refused', message, path })
  })
})
