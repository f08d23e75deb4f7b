import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Amount } from '../../../contract/api/fields/amount.ts'
import type { Database } from '../../platform/database/database.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { ask, BY_BROWSER, NOT_ASKED } from './testing/gateway-bed.ts'
import { testAuthenticationContract } from './testing/authentication-contract.ts'
import { testGatewayContract } from './testing/gateway-contract.ts'
import type { Gateway } from './gateway.ts'
import { createSandboxGateway } from './sandbox-gateway.ts'
import { openSandboxBed } from './testing/sandbox-bed.ts'

testGatewayContract('The sandbox', openSandboxBed)
testAuthenticationContract('The sandbox', openSandboxBed)

let database: Database
let gateway: Gateway
let last = 0
const nextId = () => `attempt-${String((last += 1))}`
const soon = () => AbortSignal.timeout(100)
const card = { number: '5111111111111118', code: '100', name: 'Grace', expireMonth: 1, expireYear: 2039 }

const cents = (amount: string) => v.parse(Amount, amount)
const orderOf = (amount: string, attemptId: string) => ({
  attemptId,
  amount: cents(amount),
  currency: 'AUD',
  signal: soon(),
})
const authorise = (amount: string, change: Partial<Parameters<Gateway['authorise']>[0]> = {}) =>
  gateway.authorise({
    ...orderOf(amount, nextId()),
    card,
    capture: false,
    statementDescriptor: null,
    authentication: NOT_ASKED,
    ...change,
  })
const follow = (kind: 'capture' | 'cancel', saleId: string, amount = '10.00', attemptId = nextId()) =>
  gateway[kind]({
    ...orderOf(amount, attemptId),
    sale: { id: saleId, amount: cents('10.00'), capture: false, ageMs: 0 },
  })
const outcomeOf = (attemptId: string) =>
  gateway.outcomeOf({
    ...orderOf('10.00', attemptId),
    type: 'sale',
    capture: false,
    statementDescriptor: null,
    ageMs: 1000,
    minAgeMs: 1000,
  })
const hold = async () => {
  const answer = await authorise('10.00')
  if (answer.kind !== 'approved') throw new Error(answer.kind)
  return answer.externalId
}

beforeAll(async () => {
  database = await createMigratedDatabase()
  gateway = createSandboxGateway(database, 60, { createReference: () => '123456789012' })
})
afterAll(() => database.close())

describe('a test scenario of the sandbox', () => {
  it.each([
    ['10.00', 'approved', '00'],
    ['10.51', 'approved', '00'],
    ['8999.51', 'approved', '00'],
    ['9000.00', 'approved', '00'],
    ['9000.51', 'declined', '51'],
    ['9000.54', 'declined', '54'],
    ['12000.59', 'declined', '59'],
  ])('a sale of %s is %s with %s', async (amount, kind, code) => {
    expect(await authorise(amount)).toMatchObject({ kind, code, externalReference: '123456789012' })
  })

  it('a card of 05/39 is declined with 05', async () => {
    expect(await authorise('10.00', { card: { ...card, expireMonth: 5 } })).toMatchObject({
      kind: 'declined',
      code: '05',
      reason: 'do_not_honour',
    })
  })

  it('.91 cannot be reached, and may be sent again', async () => {
    const attemptId = nextId()
    expect(await authorise('9000.91', { attemptId })).toEqual({ kind: 'unreachable' })
    expect(await authorise('9000.00', { attemptId })).toMatchObject({ kind: 'approved' })
  })

  it.each([
    ['.68', '9000.68', 'approved'],
    ['.69', '9000.69', 'not_received'],
  ])('%s gives no answer; asked, it says %s', async (_cents, amount, kind) => {
    const attemptId = nextId()
    expect(await authorise(amount, { attemptId })).toEqual({ kind: 'unknown' })
    expect(await outcomeOf(attemptId)).toMatchObject({ kind })
  })
})

describe('a sale at the bank', () => {
  it('ends in one way, whoever ends it first', async () => {
    const { bank, gateway: asking, booksOf, close } = await openSandboxBed()
    const { authentication } = asking
    if (bank === undefined || authentication === undefined) throw new Error('there is no bank')
    const kinds = new Set<string>()
    for (let round = 0; round < 30; round += 1) {
      const attemptId = nextId()
      const sale = { ...orderOf('10.00', attemptId), signal: AbortSignal.timeout(5000) }
      const asked = await ask({ gateway: asking }, sale.amount, attemptId, {
        ...bank.asks,
        authentication: BY_BROWSER,
      })
      if (asked.kind !== 'authentication_needed') throw new Error(asked.kind)
      const step = { ...sale, ageMs: 1000, capture: false, state: asked.state, stepNumber: 0 }
      const told = await bank.visit(attemptId, asked, 'passes')
      const question = { type: 'sale', statementDescriptor: null, ageMs: 1000, minAgeMs: 1000 } as const
      const ends = [
        () => authentication.finish({ ...step, told }),
        () => authentication.finish({ ...step, told: { kind: 'look' } }),
        () => authentication.abandon(step),
        () => asking.outcomeOf({ ...step, ...question }),
      ]
      const first = round % ends.length
      const inTurn = [...ends.slice(first), ...ends.slice(0, first)]
      const answers = await Promise.all(inTurn.map((end) => end()))
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
      const held = answers[0]?.kind === 'approved' ? [{ held: 1000, taken: 0, refunded: 0 }] : []
      expect(await booksOf(attemptId)).toEqual(held)
      kinds.add(answers[0]?.kind ?? '')
    }
    expect([...kinds].sort()).toEqual(['approved', 'declined'])
    await close()
  })
})

describe('the books of the sandbox', () => {
  it('release an ended hold for a cancel, not for a capture', async () => {
    const saleId = await hold()
    await database.script(
      `UPDATE sandbox_gateway.holds SET expires_at = now() - interval '1 second' WHERE id = '${saleId}'`,
    )
    expect(await follow('capture', saleId)).toMatchObject({
      kind: 'declined',
      reason: 'authorisation_expired',
    })
    expect(await follow('cancel', saleId)).toMatchObject({ kind: 'approved' })
  })

  it('refuse what comes after they have said that it never came', async () => {
    const saleId = await hold()
    const attemptId = nextId()
    expect(await outcomeOf(attemptId)).toEqual({ kind: 'not_received' })
    expect(await follow('capture', saleId, '10.00', attemptId)).toEqual({ kind: 'unknown' })
    expect(await follow('cancel', saleId)).toMatchObject({ kind: 'approved' })
  })
})
