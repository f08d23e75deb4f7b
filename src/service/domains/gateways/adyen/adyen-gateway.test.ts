import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askedAbout, cents, follow, nextId, authorise, sold, soon } from '../testing/gateway-bed.ts'
import { testAuthenticationContract } from '../testing/authentication-contract.ts'
import { testGatewayContract } from '../testing/gateway-contract.ts'
import { hostileNames, startHostileServer } from '../../../testing/hostile-servers.ts'
import type { HostileName } from '../../../testing/hostile-servers.ts'
import { openAdyenBed } from './testing/adyen-bed.ts'
import type { AdyenBed } from './testing/adyen-bed.ts'
import { doubleFaults, strikesBefore } from '../testing/double-faults.ts'

testGatewayContract('Adyen', openAdyenBed)
testAuthenticationContract('Adyen', openAdyenBed)

const HUNDRED = cents('100.00')
const MINUTE = 60_000
const EIGHT_DAYS = 8 * 24 * 60 * MINUTE
let bed: AdyenBed
beforeEach(async () => {
  bed = await openAdyenBed()
})
afterEach(() => bed.close())
const reopen = async (setting: Parameters<typeof openAdyenBed>[0]) => {
  await bed.close()
  bed = await openAdyenBed(setting)
}
const question = (attemptId: string, ageMs: number, capture = false) =>
  askedAbout(HUNDRED, attemptId, ageMs, capture)
const pathsSent = () => bed.double.requests.map(({ path }) => path)

describe('a sale at Adyen', () => {
  it.each([
    ['RedirectShopper', 'declined'],
    ['ChallengeShopper', 'declined'],
    ['Pending', 'unknown'],
    ['PartiallyAuthorised', 'unknown'],
  ])('with the result %s is %s', async (result, kind) => {
    expect((await authorise(bed, HUNDRED, nextId(), { card: { name: `RESULT ${result}` } })).kind).toBe(kind)
  })

  it('is refused without a reason when the code is not known', async () => {
    const answer = await authorise(bed, HUNDRED, nextId(), { card: { name: 'REFUSE 999' } })
    expect(answer).toMatchObject({ kind: 'declined', code: '999', reason: 'do_not_honour' })
  })

  it('leaves an hour to void it if it captures at once', async () => {
    await authorise(bed, HUNDRED, nextId(), { capture: true })
    await authorise(bed, HUNDRED, nextId())
    expect(bed.double.requests.map(({ body }) => body)).toMatchObject([
      { captureDelayHours: 1 },
      { additionalData: { manualCapture: 'true' } },
    ])
  })

  it('that Adyen does not let in is reported without the key', async () => {
    await reopen({ apiKey: 'wrong-key' })
    expect(await authorise(bed, HUNDRED)).toEqual({ kind: 'unreachable' })
    expect(String(bed.faults)).toContain('Adyen refuses the credentials of Acme (HTTP 401, 000')
    expect(JSON.stringify(bed.faults.map(({ stack }) => stack))).not.toMatch(/wrong-key|5111111111111118/)
    expect(await bed.gateway.outcomeOf(question(nextId(), 10 * MINUTE))).toEqual({ kind: 'unknown' })
  })
})

describe('a sale that got no answer', () => {
  it.each(doubleFaults)('because of %s has, in the end, the outcome that the books have', async (fault) => {
    const attemptId = nextId()
    bed.double.breakNext(fault)
    expect(await authorise(bed, HUNDRED, attemptId, { signal: soon() })).toEqual({ kind: 'unknown' })
    const outcome = await bed.gateway.outcomeOf(question(attemptId, 10 * MINUTE))
    const happened = !strikesBefore(fault)
    expect(outcome.kind).toBe(happened ? 'approved' : 'not_received')
    expect(await bed.booksOf(attemptId)).toEqual(happened ? [{ held: 10_000, taken: 0, refunded: 0 }] : [])
  })

  it('and is asked for without its card', async () => {
    const attemptId = nextId()
    await bed.gateway.outcomeOf(question(attemptId, MINUTE))
    expect(bed.double.requests[0]).toMatchObject({ path: '/payments', key: attemptId })
    expect(JSON.stringify(bed.double.requests)).not.toMatch(/number|cvc|holderName/)
  })

  it('is unknown and not voided for three minutes', async () => {
    expect(await bed.gateway.outcomeOf(question(nextId(), 2 * MINUTE))).toEqual({ kind: 'unknown' })
    expect(pathsSent()).toEqual(['/payments'])
  })

  it('is not given up if a clock step makes it seem old', async () => {
    const asked = { ...question(nextId(), 10 * MINUTE), minAgeMs: 2 * MINUTE }
    expect(await bed.gateway.outcomeOf(asked)).toEqual({ kind: 'unknown' })
  })

  it('is approved if it arrives after it was asked about', async () => {
    await reopen({ keepsRefusals: false })
    const attemptId = nextId()
    expect(await bed.gateway.outcomeOf(question(attemptId, MINUTE))).toEqual({ kind: 'unknown' })
    await authorise(bed, HUNDRED, attemptId)
    expect(await bed.gateway.outcomeOf(question(attemptId, 10 * MINUTE))).toMatchObject({ kind: 'approved' })
  })

  it('is voided when it is neither yes nor no', async () => {
    const attemptId = nextId()
    await authorise(bed, HUNDRED, attemptId, { card: { name: 'RESULT PartiallyAuthorised' } })
    expect(await bed.gateway.outcomeOf(question(attemptId, MINUTE))).toEqual({ kind: 'unknown' })
    expect(await bed.gateway.outcomeOf(question(attemptId, 10 * MINUTE))).toEqual({ kind: 'not_received' })
    expect(bed.double.requests.at(-1)?.body).toMatchObject({ paymentReference: attemptId })
  })

  it('stays unknown if it is too late to void it', async () => {
    expect(await bed.gateway.outcomeOf(question(nextId(), 50 * MINUTE, true))).toEqual({ kind: 'unknown' })
    expect(await bed.gateway.outcomeOf(question(nextId(), 50 * MINUTE))).toEqual({ kind: 'not_received' })
  })

  it('stays unknown while the void gets no answer', async () => {
    const attemptId = nextId()
    await bed.gateway.outcomeOf(question(attemptId, MINUTE))
    for (const fault of ['key in use', 'reset after applying'] as const) {
      bed.double.breakNext(fault)
      expect(await bed.gateway.outcomeOf(question(attemptId, 10 * MINUTE))).toEqual({ kind: 'unknown' })
    }
  })
})

describe('a sale at a server that', () => {
  const nothingIsSent = new Set<HostileName>(['speaks no TLS', 'never ends its TLS handshake'])

  it.each(hostileNames)('%s: has an end and no false outcome', async (name) => {
    const server = await startHostileServer(name)
    await reopen({ throughUrl: () => Promise.resolve(`${server.url}/v72`) })
    const ended = { kind: nothingIsSent.has(name) ? 'unreachable' : 'unknown' }
    const attemptId = nextId()
    expect(await authorise(bed, HUNDRED, attemptId, { signal: soon() })).toEqual(ended)
    const asked = { ...question(attemptId, MINUTE), signal: soon() }
    expect(await bed.gateway.outcomeOf(asked)).toEqual({ kind: 'unknown' })
    await expect.poll(() => server.connections().open).toBe(0)
    await server.close()
  })
})

describe('what follows a sale at Adyen', () => {
  it.each(doubleFaults)('is asked for after %s by sending it again, and done once', async (fault) => {
    const { sale, books } = await sold(bed)
    const attemptId = nextId()
    bed.double.breakNext(fault)
    const order = { ...follow(sale, cents('60.00'), attemptId), signal: soon() }
    expect(await bed.gateway.capture(order)).toEqual({ kind: 'unknown' })
    const asked = {
      ...follow(sale, cents('60.00'), attemptId),
      type: 'capture',
      ageMs: MINUTE,
      minAgeMs: MINUTE,
    } as const
    expect(await bed.gateway.outcomeOf(asked)).toMatchObject({ kind: 'approved', code: 'received' })
    expect(await books()).toEqual([{ held: 0, taken: 6000, refunded: 0 }])
  })

  it.each(['capture', 'refund'] as const)(
    'is not sent again once its key may be forgotten, if it is a %s',
    async (type) => {
      const { sale } = await sold(bed)
      const asked = { ...follow(sale, sale.amount), type, ageMs: EIGHT_DAYS, minAgeMs: 0 }
      expect(await bed.gateway.outcomeOf(asked)).toEqual({ kind: 'unknown' })
      expect(pathsSent()).toEqual(['/payments'])
    },
  )

  it('is sent again at any age if it is a cancel', async () => {
    const { sale, books } = await sold(bed)
    const asked = { ...follow(sale, sale.amount), type: 'cancel', ageMs: EIGHT_DAYS, minAgeMs: 0 } as const
    expect(await bed.gateway.outcomeOf(asked)).toMatchObject({ kind: 'approved' })
    expect(await books()).toEqual([{ held: 0, taken: 0, refunded: 0 }])
  })

  it('is refunded whole, by a reversal, before the capture', async () => {
    const { sale, books } = await sold(bed, true)
    const young = { ...sale, ageMs: 10 * MINUTE }
    expect(await bed.gateway.refund(follow(young, cents('10.00')))).toMatchObject({
      kind: 'declined',
      code: 'not_captured_yet',
    })
    expect(await bed.gateway.refund(follow(young, sale.amount))).toMatchObject({ kind: 'approved' })
    expect(await books()).toEqual([{ held: 0, taken: 0, refunded: 0 }])
    expect(pathsSent()).toEqual(['/payments', `/payments/${sale.id}/reversals`])
  })
})
