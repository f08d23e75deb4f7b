import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../platform/database/database.ts'
import { createSetClock } from '../../testing/set-clock.ts'
import type { SetClock } from '../../testing/set-clock.ts'
import { createMigratedDatabase } from '../../testing/test-database.ts'
import { createTestService } from '../../testing/test-service.ts'
import type { TestService } from '../../testing/test-service.ts'
import { sandboxOn } from '../payment-network/sandbox/testing/sandbox-network-bed.ts'
import { agreementCalls, agreementOf } from './testing/agreement-calls.ts'
import type { AgreementCalls } from './testing/agreement-calls.ts'

let service: TestService
let calls: AgreementCalls
beforeAll(async () => {
  service = await createTestService()
  calls = await agreementCalls(service)
})
afterAll(() => service.close())

const cancel = { action: 'cancel', reason_code: 'contract_ended' }
const newTerms = { payment_terms: { amount_type: 'fixed', amount: '12.50' } }

const historyOf = async (id: string) =>
  agreementOf(await calls.get(id)).history?.map(({ type, by, version }) => [type, by, version])

describe('amending', () => {
  it('takes effect at once for what the debtor is not asked for', async () => {
    const { _id: id } = await calls.createActive()
    const { headers, ...answer } = await calls.amend(id, { description: 'Acme Gas', metadata: { a: 'b' } })
    expect(agreementOf({ headers, ...answer })).toMatchObject({
      version: 1,
      description: 'Acme Gas',
      metadata: { a: 'b' },
      pending_amendment: null,
    })
    expect(headers.etag).toBe('"2"')
    expect((await historyOf(id))?.at(-1)).toEqual(['amended', 'creditor', 1])
  })

  it('sets the texts of metadata that it names, takes away those that are null, keeps the others', async () => {
    const { _id: id } = await calls.createActive({ metadata: { plan: 'gold', table: '7', shop: 'Perth' } })
    const amended = await calls.amend(id, { metadata: { plan: 'silver', table: null, order: 'A1' } })
    expect(agreementOf(amended).metadata).toEqual({ plan: 'silver', shop: 'Perth', order: 'A1' })
    const many = Object.fromEntries(Array.from({ length: 48 }, (_, at) => [`name-${at}`, 'x']))
    const refused = await calls.amend(id, { metadata: many })
    expect([refused.status, refused.body.error?.details?.[0]?.path]).toEqual([400, 'metadata'])
    expect(agreementOf(await calls.get(id)).metadata).toEqual({ plan: 'silver', shop: 'Perth', order: 'A1' })
  })

  it('asks the debtor for terms, one amendment at a time', async () => {
    const { _id: id } = await calls.createActive()
    expect(agreementOf(await calls.amend(id, newTerms))).toMatchObject({
      version: 0,
      payment_terms: { amount: 10 },
      pending_amendment: { payment_terms: { amount: 12.5 } },
    })
    const { status, body } = await calls.amend(id, newTerms)
    expect([status, body.error?.code]).toEqual([409, 'amendment_pending'])
    await calls.answerAsDebtor(id, 'accept_amendment')
    expect(agreementOf(await calls.get(id))).toMatchObject({
      version: 1,
      payment_terms: { amount: 12.5 },
      pending_amendment: null,
    })
    expect((await historyOf(id))?.slice(-2)).toEqual([
      ['amendment_requested', 'creditor', 0],
      ['amended', 'debtor', 1],
    ])
  })

  it('leaves the terms as they are when the debtor declines', async () => {
    const { _id: id } = await calls.createActive()
    await calls.amend(id, newTerms)
    await calls.answerAsDebtor(id, 'decline_amendment')
    expect(agreementOf(await calls.get(id))).toMatchObject({
      version: 0,
      payment_terms: { amount: 10 },
      pending_amendment: null,
    })
    expect((await historyOf(id))?.at(-1)).toEqual(['amendment_declined', 'debtor', 0])
  })

  it('is dropped when the agreement ends', async () => {
    const { _id: id } = await calls.createActive()
    await calls.amend(id, newTerms)
    expect(agreementOf(await calls.changeStatus(id, cancel)).pending_amendment).toBeNull()
  })

  it.each<[string, object, number, string]>([
    ['nothing', {}, 400, 'validation_error'],
    ['both kinds', { ...newTerms, reference: 'x' }, 400, 'validation_error'],
    ['a field that cannot change', { purpose: 'loan' }, 400, 'validation_error'],
    [
      'an answer by a time for nothing',
      { reference: 'x', response_required_by: new Date() },
      400,
      'validation_error',
    ],
    [
      'a frequency for adhoc',
      { payment_terms: { ...newTerms.payment_terms, frequency: 'daily' } },
      400,
      'validation_error',
    ],
    ['words of more than a line', { description: 'Acme\nGas' }, 400, 'validation_error'],
    ['an end that is past', { end_date: '2020-01-01' }, 422, 'outside_terms'],
    [
      'an answer in more than 5 days',
      { ...newTerms, response_required_by: '2999-01-01T00:00:00.000Z' },
      422,
      'outside_terms',
    ],
  ])('refuses %s', async (_, payload, expected, code) => {
    const { _id: id } = await calls.createActive()
    const { status, body } = await calls.amend(id, payload)
    expect([status, body.error?.code]).toEqual([expected, code])
  })

  it('refuses fewer payments than were made, and takes as many', async () => {
    const { _id: id } = await calls.createActive()
    for (const reference of ['1', '2', '3']) await calls.pay(id, { amount: '10.00', reference })
    const { status, body } = await calls.amend(id, { max_number_of_payments: 2 })
    expect([status, body.error?.code]).toEqual([422, 'outside_terms'])
    expect(body.error?.message).toContain('max_number_of_payments')
    expect((await calls.amend(id, { max_number_of_payments: 3 })).status).toBe(200)
  })

  it('refuses a first payment above the maximum amount', async () => {
    const terms = { amount_type: 'variable', maximum_amount: '10.00', frequency: 'monthly' }
    const { _id: id, start_date: date } = await calls.createActive({
      type: 'recurring',
      payment_terms: terms,
    })
    const { status, body } = await calls.amend(id, {
      payment_terms: { ...terms, first_payment: { date, amount: '10.01' } },
    })
    expect([status, body.error?.code]).toEqual([422, 'outside_terms'])
    expect(body.error?.message).toContain('first_payment.amount')
  })

  it('is refused once the agreement has ended, and for terms before it is active', async () => {
    const { _id: id } = agreementOf(await calls.create())
    expect((await calls.amend(id, newTerms)).body.error?.code).toBe('unfulfilled_condition')
    await calls.changeStatus(id, cancel)
    expect((await calls.amend(id, { reference: 'x' })).body.error?.code).toBe('unfulfilled_condition')
  })
})

describe('the time for an answer', () => {
  const NOW = Date.parse('2027-06-10T02:00:00Z')
  /** Shorter than an access token is good. */
  const ANSWER_MS = 600_000

  let database: Database
  let service: TestService
  let calls: AgreementCalls
  let clock: SetClock
  let sandbox: ReturnType<typeof sandboxOn>
  /** The network's notices do not arrive. */
  let isDeaf: boolean
  /** The network takes no instruction. */
  let isDumb: boolean

  beforeEach(async () => {
    ;[isDeaf, isDumb] = [false, false]
    clock = createSetClock(NOW)
    database = await createMigratedDatabase()
    sandbox = sandboxOn(database, clock.timeOfDay.epochMs)
    const { network } = sandbox
    service = await createTestService({
      database,
      timeOfDay: clock.timeOfDay,
      network: {
        ...network,
        notices: (...asked) => (isDeaf ? Promise.resolve([]) : network.notices(...asked)),
        instruct: (...asked) =>
          isDumb ? Promise.resolve({ kind: 'unreachable' }) : network.instruct(...asked),
      },
    })
    calls = await agreementCalls(service)
  })
  afterEach(async () => {
    await service.close()
    await database.close()
  })

  /** An active agreement on 10.00, with an amendment to 20.00 that the debtor is asked for for ten minutes. */
  async function asked(): Promise<string> {
    const { _id: id } = await calls.createActive()
    await amend(id, ANSWER_MS)
    await calls.exchange()
    return id
  }

  const amend = (id: string, answerMs: number) =>
    calls.amend(id, {
      payment_terms: { amount_type: 'fixed', amount: '20.00' },
      response_required_by: new Date(NOW + answerMs).toISOString(),
    })

  const acceptAtBank = async (id: string) => (await sandbox.payer.answer(id, 'accept_amendment'))?.refusal

  /** The amount by the service and by the bank, and what the service waits for. */
  async function termsOf(id: string) {
    const agreement = agreementOf(await calls.get(id))
    const mandate = await sandbox.payer.mandateOf(id)
    return {
      service: agreement.payment_terms.amount,
      bank: mandate?.offer.terms.amount,
      isPending: agreement.pending_amendment !== null,
      last: agreement.history?.at(-1)?.type,
    }
  }

  it('is kept by an acceptance of which the service hears late', async () => {
    const id = await asked()
    clock.pass(ANSWER_MS - 1)
    isDeaf = true
    expect(await acceptAtBank(id)).toBeNull()
    clock.pass(1)
    await service.runJob('end agreements')
    await service.runJob('send instructions')
    expect(await termsOf(id)).toMatchObject({ service: 10, bank: 20, isPending: true })
    isDeaf = false
    await service.runJob('receive notices')
    expect(await termsOf(id)).toEqual({ service: 20, bank: 20, isPending: false, last: 'amended' })
  })

  it('is over once the bank has withdrawn the amendment', async () => {
    const id = await asked()
    clock.pass(ANSWER_MS)
    await service.runJob('end agreements')
    await service.runJob('send instructions')
    expect(await acceptAtBank(id)).not.toBeNull()
    await service.runJob('receive notices')
    expect(await termsOf(id)).toEqual({ service: 10, bank: 10, isPending: false, last: 'amendment_lapsed' })
  })

  it('goes on until the bank can be asked, which is told once', async () => {
    const id = await asked()
    isDumb = true
    clock.pass(ANSWER_MS)
    for (let run = 0; run < 3; run += 1) {
      await service.runJob('end agreements')
      await service.runJob('send instructions')
    }
    expect(await termsOf(id)).toMatchObject({ isPending: true, last: 'amendment_requested' })
    isDumb = false
    clock.pass(60_000)
    await service.runJob('send instructions')
    expect(await termsOf(id)).toMatchObject({ isPending: false, last: 'amendment_lapsed' })
    expect(service.logged()).not.toContain('refuses an instruction')
  })

  it('may be over before the bank is told of the amendment', async () => {
    const ids = []
    for (let made = 0; made < 8; made += 1) ids.push((await calls.createActive())._id)
    for (const id of ids) await amend(id, 1)
    clock.pass(1)
    await service.runJob('end agreements')
    for (let told = 0; told < 2; told += 1) await service.runJob('send instructions')
    for (const id of ids) {
      expect(await termsOf(id)).toEqual({ service: 10, bank: 10, isPending: false, last: 'amendment_lapsed' })
      expect((await sandbox.payer.mandateOf(id))?.pendingAmendment).toBeNull()
    }
  })
})
