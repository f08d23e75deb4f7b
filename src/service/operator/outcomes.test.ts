import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAttemptStatements } from '../domains/charges/attempt-store.ts'
import { recordOutcome } from '../domains/charges/settle.ts'
import { findCharge } from '../domains/charges/charge-store.ts'
import type { Gateway } from '../domains/gateways/gateway.ts'
import { tokenClaim } from '../domains/payment-sources/token-store.ts'
import { chargeCalls, chargeOf } from '../testing/charge-calls.ts'
import type { ChargeCalls } from '../testing/charge-calls.ts'
import { createTestService } from '../testing/test-service.ts'
import type { TestService } from '../testing/test-service.ts'
import { testStatement } from '../testing/test-statement.ts'
import { operate } from '../testing/operate.ts'

const openAttempts = testStatement<{ id: string; charge_id: string }>(
  't_open_attempts',
  "SELECT id, charge_id FROM attempts WHERE outcome = 'open'",
)
const daysPass = testStatement(
  't_days_pass',
  "UPDATE attempts SET created_at = created_at - interval '8 days' WHERE outcome = 'open'",
)
const factsOf = testStatement<{ type: string; facts: Record<string, unknown> }>(
  't_facts_of',
  'SELECT type, facts FROM events WHERE subject = $1 ORDER BY seq DESC LIMIT 1',
)
let service: TestService
let calls: ChargeCalls
const approval = {
  kind: 'approved',
  holdSeconds: 0,
  code: 'entered',
  description: 'Entered',
  externalReference: null,
} as const
/** Whether the gateway answers. */
let isHeard = true
/** The ids of sales that it was asked to release. */
let released: string[]
beforeEach(async () => {
  released = []
  const answer = (externalId: string) =>
    Promise.resolve(
      isHeard
        ? ({
            kind: 'approved',
            holdSeconds: 3600,
            code: '00',
            description: 'Approved',
            externalId,
            externalReference: null,
          } as const)
        : ({ kind: 'unknown' } as const),
    )
  const gateway: Gateway = {
    authorise: () => answer('sale-1'),
    outcomeOf: () => Promise.resolve({ kind: 'unknown' }),
    capture: () => answer('capture-1'),
    cancel({ sale }) {
      released.push(sale.id)
      return answer('cancel-1')
    },
    refund: () => answer('refund-1'),
  }
  service = await createTestService({ gateways: { sandbox: gateway } })
  calls = chargeCalls(service)
})
afterEach(() => service.close())

const enter = (...parameters: string[]) => operate(service, 'outcomes enter', parameters)
async function unknownAttempt(): Promise<{ id: string; charge_id: string }> {
  const [attempt] = await service.database.run(openAttempts, [])
  if (attempt === undefined) throw new Error('every outcome is known')
  return attempt
}
/** A hold whose capture the gateway has not answered. */
async function lostCapture() {
  const { _id } = await service.authorise()
  isHeard = false
  await calls.capture(_id)
  isHeard = true
  return unknownAttempt()
}
async function lostHold() {
  isHeard = false
  await calls.sell({ amount: '10.00', currency: 'AUD', token: await service.tokenise() })
  isHeard = true
  return unknownAttempt()
}

it('an attempt without an outcome is listed for people, as a document and as lines of JSON', async () => {
  const { id, charge_id: chargeId } = await lostCapture()
  await service.database.run(daysPass, [])
  const list = async (...format: string[]) => (await operate(service, 'outcomes list', format)).said
  expect(await list()).toMatch(
    new RegExp(
      `^${id}  capture of \\d+\\.\\d\\d  charge ${chargeId}  merchant .*  asked 0 times in 6912\\d\\d s$`,
    ),
  )
  const fields = [
    'attempt_id',
    'charge_id',
    'merchant_id',
    'type',
    'amount_cents',
    'times_asked',
    'age_seconds',
  ]
  const document = v.parse(
    v.strictObject({ outcomes: v.array(v.record(v.string(), v.unknown())) }),
    JSON.parse(await list('--json')),
  )
  expect(document.outcomes.map((one) => Object.keys(one))).toEqual([fields])
  expect(JSON.parse(await list('--json-lines'))).toMatchObject({ attempt_id: id, type: 'capture' })
})

describe('an outcome that the gateway no longer tells', () => {
  it('of a capture completes the charge, with the gateway’s id and the operator’s name', async () => {
    const { id, charge_id: chargeId } = await lostCapture()
    await service.database.run(daysPass, [])
    expect(await enter(id, '--carried-out', 'PSP123')).toEqual({
      code: 0,
      said: `Entered. The charge ${chargeId} is complete now.`,
      complained: '',
    })
    const charge = await calls.read(chargeId)
    expect(charge.status).toBe('complete')
    expect(charge.transactions.find(({ type }) => type === 'capture')).toMatchObject({
      status: 'complete',
      external_id: 'PSP123',
    })
    await service.runJob('seal events')
    const [event] = await service.database.run(factsOf, [chargeId])
    expect(event).toMatchObject({ type: 'charge.captured', facts: { outcome: 'approved' } })
    expect(event?.facts['entered_by']).toMatch(/^operator/)
  })

  it('of a capture that was not lets the merchant act again', async () => {
    const { id, charge_id: chargeId } = await lostCapture()
    await service.database.run(daysPass, [])
    expect((await enter(id, '--not-carried-out')).said).toBe(
      `Entered. The charge ${chargeId} is pending now.`,
    )
    expect(chargeOf(await calls.capture(chargeId)).status).toBe('complete')
  })

  it('of a sale that was not is a failed payment', async () => {
    const { id, charge_id: chargeId } = await lostHold()
    await service.database.run(daysPass, [])
    expect((await enter(id, '--not-carried-out')).code).toBe(0)
    expect((await calls.read(chargeId)).status).toBe('failed')
  })

  it('of a hold that was made: the hold is released at the gateway, as it has expired', async () => {
    const { id, charge_id: chargeId } = await lostHold()
    await service.database.run(daysPass, [])
    expect((await enter(id, '--carried-out', 'PSP9')).code).toBe(0)
    expect((await calls.capture(chargeId)).body.error?.code).toBe('authorisation_expired')
    await service.runJob('release ended holds')
    expect(released).toEqual(['PSP9'])
    expect((await calls.read(chargeId)).status).toBe('cancelled')
  })

  it('is entered once, not before its eighth day, and only for an attempt that exists', async () => {
    const { id } = await lostCapture()
    const early = await enter(id, '--not-carried-out')
    expect([early.code, early.complained]).toEqual([1, expect.stringContaining('8 days old')])
    await service.database.run(daysPass, [])
    await enter(id, '--carried-out', 'PSP1')
    const again = await enter(id, '--not-carried-out')
    expect([again.code, again.complained]).toEqual([1, expect.stringContaining('approved')])
    expect((await enter('nonsense', '--not-carried-out')).complained).toMatch(
      /^svc: There is no attempt nonsense/,
    )
  })

  it('that two enter at once is the first one’s, and the second command says so', async () => {
    const { id, charge_id: chargeId } = await lostCapture()
    await service.database.run(daysPass, [])
    const { database } = service
    const deps = {
      database,
      statements: createAttemptStatements(tokenClaim),
      createId: () => randomBytes(12).toString('hex'),
    }
    const asRead = await findCharge(database, chargeId)
    const attempt = asRead?.attempts.find((one) => one.id === id)
    if (asRead === null || attempt === undefined) throw new Error('the attempt is not there')
    const seen = (externalId: string) =>
      recordOutcome(deps, asRead, attempt, { ...approval, externalId }, 'operator:root')
    expect(await seen('PSP1')).toMatchObject({ isRecorded: true, attempt: { externalId: 'PSP1' } })
    expect(await seen('PSP2')).toMatchObject({ isRecorded: false, attempt: { externalId: 'PSP1' } })
  })

  it.each([
    ['of that day', 0, () => service.merchant],
    ['that was entered before, whose id is on the clipboard', 40, () => service.merchant],
    ['of another gateway row of that type, which may be the same account', 0, () => service.makeMerchant()],
  ])('is not entered under the id of another payment %s', async (_, days, merchant) => {
    const other = await service.authorise({}, await merchant())
    await service.database.script(`UPDATE charges SET created_at = created_at - interval '${days} days'`)
    const { id, charge_id: chargeId } = await lostHold()
    await service.database.run(daysPass, [])
    expect(await enter(id, '--carried-out', other.external_id ?? '')).toEqual({
      code: 1,
      said: '',
      complained: `svc: Nothing was changed: sale-1 is what the gateway calls another sale, of the charge ${other._id}. Look up this one's by its own id, ${id}.`,
    })
    await service.runJob('release ended holds')
    expect([released, (await calls.read(chargeId)).status]).toEqual([[], 'processing'])
  })

  it('is not entered under the id of an earlier refund of the charge, or it would count twice', async () => {
    const { _id } = await service.authorise()
    await calls.capture(_id)
    await calls.refund(_id, { amount: '4.00' })
    isHeard = false
    await calls.refund(_id, { amount: '4.00' })
    isHeard = true
    const { id } = await unknownAttempt()
    await service.database.run(daysPass, [])
    expect((await enter(id, '--carried-out', 'refund-1')).code).toBe(1)
    expect((await enter(id, '--carried-out', 'refund-2')).code).toBe(0)
    expect((await calls.read(_id)).statistics.total_refunded_amount).toBe(8)
  })

  it.each([
    [[]],
    [['a1']],
    [['a1', '--carried-out', 'x1', '--not-carried-out']],
    [['a1', '--carried-out', 'an id']],
    [['a1', 'a2', '--not-carried-out']],
  ])('is not guessed from %j', async (parameters) => {
    expect(await enter(...parameters)).toMatchObject({ code: 2, said: '' })
  })
})
