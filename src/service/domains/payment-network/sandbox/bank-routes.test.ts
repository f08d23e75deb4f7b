import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SandboxBankAgreement } from '../../../../contract/api/agreements/sandbox-bank.ts'
import { monotonicClock } from '../../../platform/clocks.ts'
import { startDatabaseClock } from '../../../platform/database/database-clock.ts'
import { createIds } from '../../../platform/identifiers.ts'
import { createTestService } from '../../../testing/test-service.ts'
import type { TestService } from '../../../testing/test-service.ts'
import type { DebtorAnswer, Instruction, PaymentNetwork } from '../payment-network.ts'
import { creationFor, orderFor, patient } from '../testing/network-bed.ts'
import { debtorNamed, sandboxOn } from './testing/sandbox-network-bed.ts'

let service: TestService
let network: PaymentNetwork
let createId: () => string
beforeAll(async () => {
  service = await createTestService()
  const { epochMs } = await startDatabaseClock(service.database, monotonicClock)
  createId = createIds({ epochMs })
  network = sandboxOn(service.database, epochMs).network
})
afterAll(() => service.close())

const open = async (name = 'grace') => {
  const id = createId()
  await network.instruct(creationFor(debtorNamed(name), id), patient())
  return id
}
const read = (id: string) => service.call({ url: `/sandbox/bank/agreements/${id}` })
const send = (id: string, payload: object) =>
  service.call({ method: 'POST', url: `/sandbox/bank/agreements/${id}/answers`, payload })
const give = (id: string, answer: DebtorAnswer) => send(id, { answer })
const amend = (agreementId: string, change: object): Instruction => ({
  kind: 'amend',
  id: createId(),
  agreementId,
  amendmentId: createId(),
  mandate: { ...creationFor(debtorNamed('grace')).mandate, ...change },
})
const agreementIn = ({ body }: Awaited<ReturnType<typeof read>>) =>
  v.parse(SandboxBankAgreement, body.resource.data)

describe("the payer's bank", () => {
  it('shows who wants to be paid, how much, and what for', async () => {
    const id = await open()
    const shown = await read(id)
    expect(shown.status).toBe(200)
    expect(agreementIn(shown)).toMatchObject({
      _id: id,
      status: 'created',
      creditor: { name: 'Acme Power' },
      debtor: { name: 'Grace Hopper' },
      description: 'Power and light',
      payment_terms: { amount_type: 'variable', maximum_amount: 100 },
      start_date: '2026-11-22',
      end_date: null,
      response_required_by: '2999-01-01T00:00:00.000Z',
      pending_amendment: null,
      payments: [],
    })
  })

  it('shows the last payments, newest first', async () => {
    const id = await open('insufficient')
    for (const reference of ['first', 'second']) await network.pay(orderFor(id, { reference }), patient())
    const { payments } = agreementIn(await read(id))
    expect(payments).toMatchObject([{ reference: 'second' }, { reference: 'first' }])
    expect(payments[0]).toMatchObject({ amount: 40, status: 'failed', failure: 'insufficient_funds' })
  })

  it.each<[DebtorAnswer[], string]>([
    [['accept'], 'active'],
    [['decline'], 'cancelled'],
    [['accept', 'suspend'], 'suspended'],
    [['accept', 'suspend', 'release'], 'active'],
    [['accept', 'cancel'], 'cancelled'],
  ])('takes %o: the agreement is %s there, and the network tells of each', async (answers, status) => {
    const id = await open()
    for (const answer of answers) expect((await give(id, answer)).status).toBe(200)
    expect(agreementIn(await read(id)).status).toBe(status)
    const told = (await network.notices(1000, patient())).filter(({ agreementId }) => agreementId === id)
    expect(told.map(({ answer }) => answer)).toEqual(answers)
  })

  it.each<[DebtorAnswer[], DebtorAnswer]>([
    [[], 'suspend'],
    [[], 'cancel'],
    [['accept'], 'accept'],
    [['accept'], 'decline'],
    [['accept'], 'release'],
    [['accept'], 'accept_amendment'],
    [['decline'], 'accept'],
  ])('after %o refuses %s in words, and nothing changes', async (answers, refused) => {
    const id = await open()
    for (const answer of answers) await give(id, answer)
    const before = await read(id)
    const { status, body } = await give(id, refused)
    expect([status, body.error?.code]).toEqual([422, 'unfulfilled_condition'])
    expect((await read(id)).body).toEqual(before.body)
  })

  it('shows what an amendment asks for, and has the payer answer it', async () => {
    const id = await open()
    await give(id, 'accept')
    await network.instruct(
      amend(id, { description: 'Power, light and water', endDate: '2027-11-22' }),
      patient(),
    )
    expect(agreementIn(await read(id))).toMatchObject({
      description: 'Power and light',
      pending_amendment: { description: 'Power, light and water', end_date: '2027-11-22' },
    })
    const after = agreementIn(await give(id, 'accept_amendment'))
    expect(after).toMatchObject({ description: 'Power, light and water', pending_amendment: null })
  })

  it('gives one of many answers at once its way', async () => {
    const id = await open()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => give(id, n % 2 ? 'accept' : 'decline')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it.each([
    ['no such agreement', '0'.repeat(24), { answer: 'accept' }, 404, 'not_found'],
    ['an id that is none', 'x', { answer: 'accept' }, 400, 'validation_error'],
    ['another answer', '0'.repeat(24), { answer: 'pay' }, 400, 'validation_error'],
    ['something beside it', '0'.repeat(24), { answer: 'accept', by: 'me' }, 400, 'validation_error'],
  ])('refuses %s', async (_, id, payload, status, code) => {
    const answered = await send(id, payload)
    expect([answered.status, answered.body.error?.code]).toEqual([status, code])
  })

  it('is in the sandbox alone', async () => {
    const staging = await createTestService({
      settings: {
        SVC_ENVIRONMENT: 'staging_svc',
        SVC_VAULT_KEYS: `k:${Buffer.alloc(32, 7).toString('base64')}`,
      },
    })
    expect((await staging.raw({ url: `/sandbox/bank/agreements/${'0'.repeat(24)}` })).statusCode).toBe(404)
    expect(staging.routes.filter(({ path }) => path.startsWith('/sandbox'))).toEqual([])
    await staging.close()
  })
})
